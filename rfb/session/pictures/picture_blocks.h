/* Draws pushed blocks into the picture, as they come on the stream (messages.h) and as datagrams
 * (push/datagrams.h), and tells the handlers (source.h) of them.
 *
 * Receiver thread.
 */
#ifndef VNCHL_PICTURE_BLOCKS_H
#define VNCHL_PICTURE_BLOCKS_H

#include <stdbool.h>

#include "rfb/session/pictures/messages.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A block that came on the stream. False, with a reason: the session has to end. */
bool picture_blocks_take(struct message_source *from, const struct source_handlers *h,
                         const struct block *b, struct reason *why);

/* Reads from the stream. While nothing comes there, it draws what comes as datagrams: a message
 * whose rest was lost holds no picture up. False, with a reason: the session has to end. */
bool picture_blocks_read(struct message_source *from, const struct source_handlers *h, void *out,
                         size_t size, struct reason *why);

/* Draws what is here of the far end's datagrams, without a stream: packets say how large the
 * picture is, which there may not be yet. False, with a reason: it has to end. */
bool picture_blocks_take_sized(struct message_source *from, const struct source_handlers *h,
                               struct reason *why);

/* The picture is a whole one; `pixels`: something was drawn since the last time. */
void picture_blocks_shown(const struct source_handlers *h, bool pixels);

#ifdef __cplusplus
}
#endif
#endif
