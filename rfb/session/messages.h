/* Reads messages from the server: their boundaries, pseudo-encodings, everything but pixels.
 *
 * Receiver thread. Rectangles of pixels go to rfb/decode/decoder.h. What a message means is told to
 * the handlers, in the order in which it comes.
 */
#ifndef VNCHL_MESSAGES_H
#define VNCHL_MESSAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "rfb/decode/decoder.h"
#include "rfb/decode/framebuffer.h"
#include "rfb/proto/extended_clipboard.h"
#include "rfb/proto/screen_layout.h"
#include "rfb/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

struct message_handlers {
    /* The first byte of a message has been read. False ends the session: when it is to end, there
     * may still be much in the kernel's buffer. */
    bool (*begun)(void *user);
    /* A rectangle of pixels has been decoded. False ends the session. */
    bool (*rectangle)(void *user, struct rect r, int32_t encoding);
    void (*ended)(void *user); /* the message is over: read to its end, or broken off */
    void (*update_begun)(void *user);
    /* The private picture is a whole one now. `pixels`: at least one rectangle of pixels was in the
     * update. */
    void (*update_finished)(void *user, bool pixels);
    void (*resized)(void *user, int width, int height); /* the framebuffer has the new size */
    /* A pointer shape, 0xAARRGGBB; 0 x 0 hides the pointer. The handler frees the pixels. */
    void (*cursor)(void *user, int width, int height, int hot_x, int hot_y, uint32_t *pixels);
    void (*leds)(void *user, unsigned leds); /* enum leds: the locks that are on at the server */
    void (*takes_key_codes)(void *user);     /* from now on, besides keysyms */
    void (*takes_more_buttons)(void *user);  /* from now on, in the extended PointerEvent */
    void (*name)(void *user, char *utf8);    /* the handler frees the text */
    /* The screens that the picture consists of: the server takes SetDesktopSize from now on. More
     * than SCREENS_MAX are not told: none is. */
    void (*screens)(void *user, const struct screen_layout *layout);
    /* The server did not do what our SetDesktopSize asked for: enum desktop_size_result. */
    void (*resize_refused)(void *user, unsigned result);
    void (*cut_text)(void *user, char *utf8); /* the handler frees the text */
    /* A text of `size` bytes is not kept: `limit` bytes are the most. */
    void (*cut_text_dropped)(void *user, size_t size, size_t limit);
    /* A message of the extended clipboard. The handler frees its text. */
    void (*clipboard)(void *user, const struct extended_clipboard *m);
    void (*bell)(void *user);
    void (*continuous_updates_ended)(void *user);
    /* The server has shown who it is. So it is known that it counts requests (`counts`: an update
     * for each), or merges them (one update for several). */
    void (*server_kind)(void *user, bool counts);
    /* A fence with `size` bytes, at most FENCE_MAX. False, with a reason, ends the session. */
    bool (*fence)(void *user, uint32_t flags, const uint8_t *payload, size_t size,
                  struct reason *why);
    void *user;
};

/* Where messages come from, and where their pixels go. */
struct message_source {
    struct stream *stream;
    struct decoder *decoder; /* reads the same stream */
    struct framebuffer *fb;
    bool extended_clipboard; /* it was offered: a cut text may have a negative length */
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
