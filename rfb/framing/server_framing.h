/* Where the messages of a server begin and end, after the handshake. For who passes an RFB
 * connection on and is no viewer: pixels are not decoded, and nothing is kept of them. Pure; any
 * thread; an object of fixed size, without pointers, that its owner may copy.
 *
 * Bytes come in pieces of any size. Each reading ends behind the next event, so the owner knows to
 * which byte it can pass on:
 *
 *     for (at = 0; (at += server_framing_read(f, bytes + at, size - at, &found),
 *                   found.event != SERVER_FRAME_NONE);)
 *         ... bytes[..at] end with this event ...
 *
 * An event may need no byte: an update without rectangles ends where it has begun. So the owner
 * reads until the event is NONE, even if no byte is left.
 *
 * What is known: all messages of RFB 3.8, fences, EndOfContinuousUpdates, the extended clipboard,
 * QEMU's audio, xvp, gii, and the encodings that server_framing_knows() names. Behind anything else
 * no boundary is known any more: the event is UNKNOWN, and every later reading is UNKNOWN too and
 * takes nothing. HOSTILE is the same for what no server may send. The owner can go on and pass the
 * bytes as they are.
 */
#ifndef VNCHL_SERVER_FRAMING_H
#define VNCHL_SERVER_FRAMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/framing/intake.h"
#include "rfb/proto/encodings/pixel_format.h"
#include "rfb/proto/message_types.h"
#include "rfb/region.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

enum server_frame_event {
    SERVER_FRAME_NONE,          /* all bytes are taken, and nothing has ended with them */
    SERVER_FRAME_UPDATE_BEGINS, /* the head of a FramebufferUpdate has come */
    SERVER_FRAME_UPDATE_ENDS,   /* and now its last byte */
    SERVER_FRAME_MESSAGE,       /* the last byte of another message */
    SERVER_FRAME_UNKNOWN,       /* an unknown type or encoding: no boundaries from here on */
    SERVER_FRAME_HOSTILE,       /* what no server may send: no boundaries from here on */
};

struct server_frame {
    enum server_frame_event event;

    /* UPDATE_BEGINS, UPDATE_ENDS */
    unsigned announced; /* rectangles, as its head says; 65535 may mean "until LastRect" */

    /* UPDATE_ENDS */
    unsigned rectangles; /* that came, without LastRect */
    unsigned pictures;   /* of the rectangles, those with pixels of the screen */
    bool last_rect;      /* LastRect has ended it */
    bool resized;        /* the screen's size is another than before the update */

    /* MESSAGE */
    uint8_t type;               /* enum server_message_type */
    uint32_t length;            /* CUT_TEXT: bytes of its text, or of its extended body */
    bool extended;              /* CUT_TEXT: it is a message of the extended clipboard */
    uint32_t flags;             /* FENCE */
    uint8_t payload[FENCE_MAX]; /* FENCE */
    size_t payload_size;        /* FENCE */
};

/* What of server_framing_read() is between two readings. Its owner may read what is in the first
 * part. */
struct server_framing {
    struct pixel_format format;
    int width, height;     /* of the screen, as far as it has been read */
    bool extended_buttons; /* the client may send pointer messages in the extended form now */
    bool key_codes;        /* and QEMU's key messages */

    /* its own */
    struct intake in;
    uint8_t step;            /* what the head that is awaited is: enum server_step */
    uint8_t lost;            /* UNKNOWN or HOSTILE once it was so */
    struct server_frame now; /* what is known of the message that is being read */
    int old_width, old_height;
    unsigned rectangles_left;
    struct rect rect; /* of the rectangle that is being read */
    int32_t encoding;
    unsigned tight_length; /* of the data, as far as it has been read */
    /* tiles of Hextile and TRLE */
    int tile_x, tile_y; /* in the rectangle */
    uint8_t tile_kind;
    uint8_t tile_palette; /* TRLE: colours that may be used again; 0: none */
    unsigned tile_left;   /* TRLE: pixels of the tile that are to come in runs */
    struct reason why;
};

/* Begins behind ServerInit. `format` is that of the pixels that the server sends now. */
void server_framing_begin(struct server_framing *f, const struct pixel_format *format, int width,
                          int height);

/* From the next message on pixels have this format. To be called between messages only. */
void server_framing_set_format(struct server_framing *f, const struct pixel_format *format);

/* Takes bytes up to the end of the next event and returns how many. Fewer than `size` are taken
 * when there is an event. */
size_t server_framing_read(struct server_framing *f, const uint8_t *bytes, size_t size,
                           struct server_frame *found);

/* Whether the next byte begins a message. False when no boundaries are known any more. */
bool server_framing_between(const struct server_framing *f);

/* After UNKNOWN and HOSTILE: what it was, a line for a log. */
const char *server_framing_why(const struct server_framing *f);

/* Whether a rectangle of this encoding is known, pseudo-encodings too. What only tells the server
 * something (JPEG quality, compression level, fence...) is known, too: it never comes. For who
 * wants to remove the others from SetEncodings. */
bool server_framing_knows(int32_t encoding);

#ifdef __cplusplus
}
#endif
#endif
