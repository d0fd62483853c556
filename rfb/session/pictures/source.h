/* A source of pictures, and of all else that the far side tells. RFB's messages are one
 * (messages.h): its pictures come as updates, in order, with a beginning and an end. Another source
 * may bring blocks that stand alone, in any order.
 *
 * Receiver thread. A source draws into the private picture (rfb/decode/framebuffer.h), and tells
 * the session by the handlers below.
 */
#ifndef VNCHL_SOURCE_H
#define VNCHL_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/blocks/block.h"
#include "rfb/decode/framebuffer.h"
#include "rfb/net/stream.h"
#include "rfb/proto/extensions/extended_clipboard.h"
#include "rfb/proto/screen_layout.h"
#include "rfb/proto/server_messages.h"
#include "rfb/session/pacing/responses.h"
#include "rfb/session/pictures/weights.h"
#include "rfb/session/push/datagrams.h"
#include "rfb/session/push/old_picture.h"
#include "rfb/session/push/pushed.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of handlers that return bool, false ends the session. */
struct source_handlers {
    /* The first byte of a message has been read. When the session is to end, there may still be
     * much in the kernel's buffer. */
    bool (*begun)(void *user);
    void (*ended)(void *user); /* the message is over: read to its end, or broken off */

    /* An update begins. Blocks have no beginning. */
    void (*update_begun)(void *user);
    /* The head of a rectangle of it has been read, also of one that only ends the update. NULL:
     * nobody wants to know. */
    void (*rectangle)(void *user, int32_t encoding);
    /* This rectangle of the private picture is new. `encoding`: RFB's number for how it came; one
     * that has no row (rfb/proto/encodings/encoding_rows.h) is not counted. `loss`: it is not
     * exactly what the server has. Pixels that are known already, or are older than what is there,
     * are not told.
     */
    bool (*drawn)(void *user, struct rect r, int32_t encoding, bool loss);
    /* It was copied from there. Told before it is told as drawn. NULL: nobody wants to know. */
    void (*copied)(void *user, struct rect r, int from_x, int from_y);
    /* The end of an update has come, or the last block of one: the private picture is to be shown.
     * `pixels`: something was drawn since the last time, so it is a frame. */
    void (*shown)(void *user, bool pixels);
    /* Blocks: no more of them is here. What was drawn can be seen already, though more of the same
     * picture is to come. */
    void (*partly)(void *user);
    /* This block was read, with its head: the far end is to know. `as_datagram`: else it came on
     * the stream. */
    void (*block)(void *user, const struct block *b, bool as_datagram);
    /* Blocks come this way, too; NULL: they do not. */
    struct datagrams *datagrams;
    /* Is told of films, of blocks that refer to what the viewer has, and of what is to come again;
     * NULL: nobody pushes blocks. */
    struct pushed *pushed;
    /* Blocks may be of this one; NULL: there is none. */
    struct old_picture *old;
    /* Is told which input a block answers; NULL: nobody wants to know. */
    struct responses *responses;
    /* Is told what each encoding brings; NULL: nobody wants to know. */
    struct weights *weights;
    /* What came could not be drawn: all of the picture is to come again. NULL: nobody asks. */
    void (*again)(void *user);
    /* H.264 came that cannot be drawn, nor can what comes later, and why; NULL: nobody asks. */
    void (*unread)(void *user, const char *why);

    void (*resized)(void *user, int width, int height); /* the framebuffer has the new size */
    /* A pointer shape, 0xAARRGGBB; 0 x 0 hides the pointer. The handler frees the pixels. */
    void (*cursor)(void *user, int width, int height, int hot_x, int hot_y, uint32_t *pixels);
    void (*leds)(void *user, unsigned leds); /* enum leds: the locks that are on at the server */
    void (*takes_key_codes)(void *user);     /* from now on, besides keysyms */
    void (*takes_more_buttons)(void *user);  /* from now on, in the extended PointerEvent */
    /* From now on the server takes steps of the pointer, or places again. */
    void (*takes_steps)(void *user, bool on);
    void (*has_sound)(void *user); /* the server has rfb/proto/extensions/qemu_audio.h */
    /* Samples in our format: whole frames, at most SOUND_PIECE_MAX bytes. */
    void (*sound)(void *user, const void *samples, size_t size);
    /* A message of sound has come whole: its samples were told, if it has some. NULL: nobody wants
     * to know. */
    void (*sound_message)(void *user);
    void (*name)(void *user, char *utf8); /* the handler frees the text */
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
    /* An accelerator stands before the server: requests are its business now, and it merges ours,
     * or pushes blocks. */
    void (*accelerated)(void *user, const struct accelerator_shown *shown);
    /* A fence with `size` bytes, at most FENCE_MAX. */
    bool (*fence)(void *user, uint32_t flags, const uint8_t *payload, size_t size,
                  struct reason *why);
    void *user;
};

struct source {
    /* Waits for what comes next, and tells it. False, with a reason: the connection has ended, or
     * must end. */
    bool (*receive)(void *self, const struct source_handlers *h, struct reason *why);
    void (*destroy)(void *self);
    void *self;
};

/* How a session begins with a source that is not RFB. */
struct source_opener {
    /* Greets the other side of the stream, gives the framebuffer its size, and makes the source.
     * `name` has room for SESSION_NAME_MAX bytes. False, with a reason: there is no session. */
    bool (*open)(void *user, struct stream *stream, struct framebuffer *fb, char *name,
                 struct source *out, struct reason *why);
    void *user;
};

#ifdef __cplusplus
}
#endif
#endif
