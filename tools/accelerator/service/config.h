/* What the accelerator is to do: the command line, and the file it names. A file has a section
 * [accelerator] with settings, and one section for each port:
 *
 *     [desk]                          ; any name
 *     listen = 5910                   ; [ADDRESS:]PORT; loopback unless an address is named
 *     server = localhost:1            ; as the viewer takes it
 *     server-key = AB:12:...          ; the certificate that it has to show
 *     announce = My desk              ; to viewers nearby, under this name
 *
 *     [repeater]
 *     listen = 0.0.0.0:5500
 *     id.1234 = localhost:1           ; viewers name "ID:1234"
 *
 * Nothing here opens a socket. What is not understood is refused.
 */
#ifndef VNCHL_ACCELERATOR_CONFIG_H
#define VNCHL_ACCELERATOR_CONFIG_H

#include <stdbool.h>
#include <sys/socket.h>

#include "rfb/reason.h"
#include "tools/accelerator/connection/connection.h"
#include "tools/accelerator/connection/targets.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CONFIG_PORTS_MAX 256
#define CONFIG_FILES_MAX 8
#define CONFIG_NAME      64
#define CONFIG_PATH      512
#define CONFIG_ANNOUNCE  64 /* bytes of a name of DNS-SD, with the NUL */

/* A port: where to listen, and where its clients go. */
struct config_port {
    char name[CONFIG_NAME]; /* of its section; "1", "2"... from the command line */
    char listen[80];        /* as it was written; empty: not said */
    struct sockaddr_storage address;
    struct target *target; /* NULL: a repeater */
    struct targets *by_name;
    char announce[CONFIG_ANNOUNCE]; /* its name in this network by DNS-SD; empty: none */
    bool has_key;                   /* of the server: */
    uint8_t key[FINGERPRINT_BYTES];
};

struct config {
    bool once; /* one client, on standard input and output (ssh/once.h): there are no ports */
    struct connection_options connection;
    char congestion[16]; /* empty: not said */
    unsigned most_clients, most_from_one;
    unsigned drain_s; /* so long sessions may go on after SIGTERM */
    char metrics[80]; /* [ADDRESS:]PORT; empty: none */
    /* Where TLS is ended: files of the administrator's, or the folder for what is made here; empty:
     * not said. */
    char certificate[CONFIG_PATH], key[CONFIG_PATH], state[CONFIG_PATH];
    struct sockaddr_storage metrics_address;
    const char *files[CONFIG_FILES_MAX]; /* that were read; the caller's texts */
    int file_count;
    struct config_port ports[CONFIG_PORTS_MAX];
    int count;
    tick_t lookup_until; /* all names are to be found before, */
    int cancel_fd;       /* and until this becomes readable; -1: it has none */
};

/* Looking names up is given up when `cancel_fd` becomes readable; -1: never. NULL: out of memory.
 */
struct config *config_create(int cancel_fd);
void config_free(struct config *c);

/* [ADDRESS:]PORT; without an address 127.0.0.1. "*" is all of this machine's. */
bool config_parse_listen(struct sockaddr_storage *address, const char *text, struct reason *why);

/* One setting of [accelerator]: "congestion", "hold"... The command line's options are the same. */
bool config_set(struct config *c, const char *name, const char *value, struct reason *why);

/* A port of the command line. */
bool config_add_port(struct config *c, const char *listen, const char *server, struct reason *why);

/* The fingerprint of the certificate that the port's server has to show. */
bool config_set_server_key(struct config_port *p, const char *value, struct reason *why);

/* The name under which viewers nearby find the port. */
bool config_set_announce(struct config_port *p, const char *value, struct reason *why);

/* Reads the file on top of what is there. The path is kept as it is. */
bool config_read(struct config *c, const char *path, struct reason *why);

/* What can only be said when all is known. */
bool config_check(struct config *c, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
