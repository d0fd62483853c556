/* libvncclient, guarded: handshake, decoding of one rectangle, raw reads and writes.
 *
 * The only module that includes <rfb/rfbclient.h>. The library does what it is good at (security
 * types, TLS, pixel decoding); message boundaries, pseudo-encodings and requests are ours
 * (rfb/messages.h, rfb/wire.h), so nothing is sent that the scheduler did not ask for, and nothing
 * reaches a decoder that was not offered and does not fit the picture.
 *
 * client_write() may be called by one thread while another reads; everything else belongs to the
 * receiver thread.
 */
#ifndef VNCHL_CLIENT_H
#define VNCHL_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/encodings.h"
#include "rfb/framebuffer.h"
#include "rfb/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

struct client;

struct client_options {
    bool shared;
    const struct encoding_list
        *offered;        /* nothing else is decoded, but for raw; outlives the client */
    const char *host;    /* checked against an X509 certificate */
    const char *x509_ca; /* PEM file, or NULL */
    /* As in struct session_callbacks, which also says how to give up. */
    bool (*credentials)(void *user, bool want_user, char **name, char **password,
                        struct reason *why);
    void *user;
};

/* Decodes into the private picture of `fb`. NULL when out of memory. */
struct client *client_create(const struct client_options *options, struct framebuffer *fb);

/* Closes the socket too. Safe on NULL. */
void client_destroy(struct client *c);

/* From the server's greeting to ServerInit. `fd` belongs to the client from here on. */
bool client_handshake(struct client *c, int fd, struct reason *why);

/* After the handshake: what ServerInit said. */
int client_width(const struct client *c);
int client_height(const struct client *c);
const char *client_desktop_name(const struct client *c);

/* Mean round trip of the handshake (ms), prompts left out; 0 when it cannot be told. */
double client_handshake_rtt_ms(const struct client *c);

/* Takes over the size and address of the private picture after framebuffer_resize(). */
void client_use_picture(struct client *c, int width, int height);

/* Reads exactly `size` bytes; blocks until they are there or the socket is shut down. */
bool client_read(struct client *c, void *out, size_t size, struct reason *why);

/* Bytes that were read from the socket and not used yet. */
int client_buffered(const struct client *c);

/* Decodes one rectangle whose header has been read. It must lie inside the picture. */
bool client_decode(struct client *c, struct rect r, int32_t encoding, struct reason *why);

/* Whether the rectangle decoded last had JPEG in it. */
bool client_was_jpeg(const struct client *c);

/* Writes one or more whole messages; blocks while the socket is full. */
bool client_write(struct client *c, const void *bytes, size_t size);

#ifdef __cplusplus
}
#endif
#endif
