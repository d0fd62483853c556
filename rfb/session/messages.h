/* Messages from server to client: boundaries, pseudo-encodings, everything but pixels.
 *
 * Receiver thread. The bytes of pixel rectangles are decoded by rfb/decode/decoder.h; what a
 * message meant is told through the handlers, in order.
 */
#ifndef VNCHL_MESSAGES_H
#define VNCHL_MESSAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "rfb/decode/decoder.h"
#include "rfb/decode/framebuffer.h"
#include "rfb/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

struct message_handlers {
    /* The first byte of a message has been read / a pixel rectangle has been decoded. False ends
     * the session: after a shutdown there may still be much in the kernel's buffer. */
    bool (*begun)(void *user);
    bool (*rectangle)(void *user, struct rect r, int32_t encoding);
    void (*ended)(void *user); /* the message is complete */
    void (*update_begun)(void *user);
    /* `pixels`: at least one pixel rectangle was in it. The private picture may be published. */
    void (*update_finished)(void *user, bool pixels);
    void (*resized)(void *user, int width, int height); /* the framebuffer has the new size */
    void (*cursor)(void *user, int width, int height, int hot_x, int hot_y, uint32_t *pixels);
    void (*name)(void *user, char *utf8);     /* the handler owns the text */
    void (*cut_text)(void *user, char *utf8); /* the handler owns the text */
    void (*bell)(void *user);
    void (*continuous_updates_ended)(void *user);
    /* The server has shown who it is, so it is known that it sends an update for each request
     * (`counts`), or answers several with one. */
    void (*server_kind)(void *user, bool counts);
    /* At most FENCE_MAX bytes. False, with a reason, ends the session. */
    bool (*fence)(void *user, uint32_t flags, const uint8_t *payload, size_t size,
                  struct reason *why);
    void *user;
};

/* Where messages come from, and where their pixels go. */
struct message_source {
    struct stream *stream;
    struct decoder *decoder; /* reads the same stream */
    struct framebuffer *fb;
};

/* Waits for one message and handles it. False when the connection has ended or must end. */
bool message_receive(const struct message_source *source, const struct message_handlers *h,
                     struct reason *why);

/* Gives the framebuffer and the decoder a new size. */
bool message_resize(const struct message_source *source, int width, int height, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
