/* Where the messages of a client begin and end, after the handshake. For who passes an RFB
 * connection on: see rfb/framing/server_framing.h. Pure; any thread; an object of fixed size that
 * its owner must not copy while a frame of it is in use.
 *
 * A message that can be long (a text) is handed out in parts as it comes. All others are held here
 * until they are whole, CLIENT_HELD_MAX bytes at most, and handed out then: their owner may want
 * to change one, or to keep it back. What has been handed out is all that has been taken, in its
 * order, so who writes every part and every message passes the stream on as it was.
 *
 * What is known: the messages of rfb/proto/client_messages.h, the extended clipboard, QEMU's audio,
 * xvp, gii, SetScale, SetServerInput and TextChat of the UltraVNC family. Behind anything else no
 * boundary is known any more.
 */
#ifndef VNCHL_CLIENT_FRAMING_H
#define VNCHL_CLIENT_FRAMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/proto/client_messages.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The longest that is held: SetEncodings of CLIENT_ENCODINGS_MAX. */
#define CLIENT_HELD_MAX (4 + 4 * CLIENT_ENCODINGS_MAX)

enum client_frame_event {
    CLIENT_FRAME_NONE,    /* all bytes are taken, and there is nothing to hand out */
    CLIENT_FRAME_MESSAGE, /* `bytes` are one whole message */
    CLIENT_FRAME_PART,    /* `bytes` are a part of a long message */
    CLIENT_FRAME_UNKNOWN, /* an unknown type: no boundaries from here on */
    CLIENT_FRAME_HOSTILE, /* what no client may send: no boundaries from here on */
};

struct client_frame {
    enum client_frame_event event;
    uint8_t type; /* MESSAGE, PART: enum client_message_type */

    /* MESSAGE, PART: what is to be passed on. UNKNOWN, HOSTILE: what was held of the message that
     * is not understood, the first time; what was not taken follows it. They are valid until the
     * next reading, and as long as the bytes that were read. */
    const uint8_t *bytes;
    size_t size;

    /* PART */
    bool begins, ends; /* it is the first, the last of its message */

    /* MESSAGE */
    bool understood;               /* `message` is filled */
    struct client_message message; /* its payload points into `bytes` */
};

struct client_framing {
    /* The client has been told PSEUDO_EXTENDED_BUTTONS (server_framing.extended_buttons). Its owner
     * sets it. */
    bool extended_buttons;

    /* its own */
    uint8_t lost;  /* UNKNOWN or HOSTILE once it was so */
    bool given;    /* what is held has been handed out */
    uint8_t type;  /* of the long message that is being read */
    uint64_t left; /* of it, bytes to come; 0: between messages, or a message is held */
    size_t held_size;
    uint8_t held[CLIENT_HELD_MAX];
    struct reason why;
};

/* Begins behind ClientInit. */
void client_framing_begin(struct client_framing *f);

/* Takes bytes up to the end of the next event and returns how many. Fewer than `size` are taken
 * when there is an event. */
size_t client_framing_read(struct client_framing *f, const uint8_t *bytes, size_t size,
                           struct client_frame *found);

/* Whether the next byte begins a message, so that another one may be put in front of it. False when
 * no boundaries are known any more. A message that is still held counts as not begun: none of its
 * bytes has been handed out. */
bool client_framing_between(const struct client_framing *f);

/* After UNKNOWN and HOSTILE: what it was, a line for a log. */
const char *client_framing_why(const struct client_framing *f);

#ifdef __cplusplus
}
#endif
#endif
