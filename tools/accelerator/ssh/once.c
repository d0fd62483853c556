#include "tools/accelerator/ssh/once.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rfb/net/ssh/far_end.h"
#include "rfb/proto/bytes.h"
#include "rfb/proto/handshake/security.h"
#include "rfb/proto/handshake/vncauth.h"
#include "rfb/system/clock.h"
#include "tools/accelerator/events.h"
#include "tools/accelerator/service/service.h"
#include "tools/accelerator/ssh/own_server.h"
#include "tools/accelerator/ssh/pump.h"
#include "tools/accelerator/ssh/resume.h"

/* ---- the proof ---- */

/* How the far end proves itself to a server that wants VNC authentication: with the password file
 * that the user has on that machine. ssh has let in the user, so the viewer is not asked for it.
 *
 * In the beginning, before the process is confined. Waits for the server, which is this machine's.
 */

/* For all of it. Only a server that is stopped takes so long. */
#define OWN_LOGIN_LIMIT (5 * TICK_S)

#define OWN_LOGIN_VERSION       "RFB 003.008\n"
#define OWN_LOGIN_VERSION_BYTES 12
#define OWN_LOGIN_TYPES         255

/* ---- the file ---- */

/* Its first block is the password of who may do all. */
static bool own_login_read_file(const char *path, uint8_t block[VNCAUTH_PASSWORD])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    bool good = fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
                status.st_uid == geteuid() && read(fd, block, VNCAUTH_PASSWORD) == VNCAUTH_PASSWORD;

    if (fd >= 0)
        close(fd);
    return good;
}

/* The password in ~/.vnc/passwd, or ~/.config/tigervnc/passwd. False: there is no such file that
 * belongs to this user. */
static bool own_login_password(char password[VNCAUTH_PASSWORD + 1])
{
    static const char *const names[] = {".vnc/passwd", ".config/tigervnc/passwd"};
    const char *home = getenv("HOME");
    uint8_t block[VNCAUTH_PASSWORD];
    char path[4096];

    for (size_t i = 0; home && i < sizeof names / sizeof *names; i++) {
        int length = snprintf(path, sizeof path, "%s/%s", home, names[i]);

        if (length < (int)sizeof path && own_login_read_file(path, block)) {
            vncauth_reveal(block, password);
            explicit_bzero(block, sizeof block);
            return true;
        }
    }
    return false;
}

/* ---- the handshake ---- */

/* The kernel's buffers take what is written here: it is less than a packet. */
static bool own_login_write(int fd, const void *bytes, size_t size)
{
    return write(fd, bytes, size) == (ssize_t)size;
}

static bool own_login_read(int fd, void *bytes, size_t size, tick_t until)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    uint8_t *at = bytes;

    while (size > 0) {
        tick_t left = until - tick_now();
        ssize_t n =
            left > 0 && poll(&ready, 1, (int)(left / TICK_MS) + 1) > 0 ? read(fd, at, size) : 0;

        if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
            return false;
        at += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* RFB 3.8 is answered to versions from 3.8 on only. */
static bool own_login_version(int fd, tick_t until)
{
    char version[OWN_LOGIN_VERSION_BYTES + 1] = "";
    int minor = 0;

    return own_login_read(fd, version, OWN_LOGIN_VERSION_BYTES, until) &&
           sscanf(version, "RFB 003.%3d\n", &minor) == 1 && minor >= 8 &&
           own_login_write(fd, OWN_LOGIN_VERSION, OWN_LOGIN_VERSION_BYTES);
}

static bool own_login_type(int fd, tick_t until)
{
    static const uint8_t wanted = SECURITY_VNC;
    uint8_t types[OWN_LOGIN_TYPES], count;

    return own_login_read(fd, &count, 1, until) && own_login_read(fd, types, count, until) &&
           memchr(types, wanted, count) && own_login_write(fd, &wanted, 1);
}

/* Speaks RFB 3.8 on a new connection, up to the server's word that the password is right. False: it
 * is not, or the server wants something else, or does not answer: the connection is of no use then.
 */
static bool own_login(int fd, const char *password)
{
    uint8_t challenge[VNCAUTH_CHALLENGE], result[4];
    tick_t until = tick_now() + OWN_LOGIN_LIMIT;

    if (!own_login_version(fd, until) || !own_login_type(fd, until) ||
        !own_login_read(fd, challenge, sizeof challenge, until))
        return false;
    vncauth_answer(challenge, password);
    return own_login_write(fd, challenge, sizeof challenge) &&
           own_login_read(fd, result, sizeof result, until) && get32(result) == 0;
}

/* ---- the viewer ---- */

/* The viewer's socket is the connection's from here on. */
static bool once_begin_client(struct service *s, int client, struct target *server,
                              struct reason *why)
{
    const struct sockaddr_storage peer = {.ss_family = AF_UNIX};
    const struct connection_way way = {.target = server};

    s->clients++;
    s->last_id++;
    s->service_totals.accepted++;
    return connection_begin(&s->host, client, &peer, s->last_id, &way) != NULL ||
           reason_set(why, "out of memory");
}

/* The greeting is the last that can fail: behind it all is the viewer's. */
static bool once_serve(struct service *s, struct pump *pump, int client, struct target *server,
                       struct reason *why)
{
    bool begun = pump_say(pump, FAR_END_GREETING, why) && pump_begin(pump, &s->loop, why);

    if (!begun)
        close(client);
    begun = begun && once_begin_client(s, client, server, why);
    if (begun)
        service_run(s);
    for (struct connection *c; (c = LIST_FIRST(&s->host.all));) /* a signal has ended it */
        connection_cut(c);
    pump_end(pump);
    return begun;
}

/* With standard input and output taken. */
static bool once_run_service(struct config *config, struct pump *pump, int client,
                             struct target *server, struct reason *why)
{
    struct service service;
    bool served;

    if (service_init(&service, config, why)) {
        served = once_serve(&service, pump, client, server, why);
    } else {
        served = false;
        close(client);
        pump_end(pump);
    }
    service_deinit(&service);
    events_end();
    return served;
}

/* A server that has taken the password of the user's file has no need of the viewer's. */
static struct target *once_prove(struct target *target, const char *server, struct reason *why)
{
    char password[VNCAUTH_PASSWORD + 1];
    bool there = own_login_password(password);

    if (there)
        target->proven = own_login(target->connection, password);
    explicit_bzero(password, sizeof password);
    if (!there || target->proven)
        return target;
    target_release(target);
    return own_server_connect(server, why);
}

static bool once_begin(struct config *config, const char *server, bool proves, struct reason *why)
{
    struct target *target = own_server_connect(server, why);
    struct pump pump;
    int client;
    bool served = false;

    if (target && proves)
        target = once_prove(target, server, why);
    if (target && pump_take(&pump, &client, why)) {
        served = once_run_service(config, &pump, client, target, why);
    } else {
        if (target)
            pump_end(&pump);
        config_free(config);
    }
    target_release(target);
    return served;
}

static struct sockaddr_storage once_address(const char *text)
{
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_DGRAM}, *found;
    struct sockaddr_storage address = {.ss_family = AF_UNSPEC};

    if (getaddrinfo(text, NULL, &hints, &found) != 0)
        return address;
    memcpy(&address, found->ai_addr, found->ai_addrlen);
    freeaddrinfo(found);
    return address;
}

/* The addresses of who has come by ssh, and at which sshd was found: CLIENT PORT SERVER PORT. Where
 * it does not say them they stay AF_UNSPEC. */
static void once_learn_ssh(struct connection_options *o)
{
    const char *said = getenv("SSH_CONNECTION");
    char client[64], server[64];

    if (!said || sscanf(said, "%63s %*u %63s", client, server) != 2)
        return;
    o->ssh_client = once_address(client);
    o->ssh = once_address(server);
}

bool once_run(struct config *config, const char *server, bool proves, struct reason *why)
{
    struct resume kept;

    once_learn_ssh(&config->connection);
    if (!resume_find(&kept, &config->connection))
        return once_begin(config, server, proves, why);
    config_free(config);
    return resume_run(&kept, why);
}
