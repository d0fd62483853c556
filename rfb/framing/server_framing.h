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

#include "rfb/framing/server_frame.h"

#ifdef __cplusplus
extern "C" {
#endif

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
