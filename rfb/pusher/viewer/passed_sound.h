/* Messages of the server's sound on their way to the viewer, whole.
 *
 * Sound that is late is worth nothing, and pictures are not to wait for it. So a message leaves
 * only when nothing else waits for the viewer's socket, with PASSED_SOUND_PIECE bytes of samples at
 * most: a longer one is cut into several. PASSED_SOUND_MOST bytes wait at most. If more came, the
 * oldest goes. A longer message than that is left out.
 *
 * One owner, not locked; all zero at first.
 */
#ifndef VNCHL_PASSED_SOUND_H
#define VNCHL_PASSED_SOUND_H

#include <stdbool.h>
#include <stddef.h>

#include "rfb/bytes_held.h"
#include "rfb/pusher/constants.h"

#ifdef __cplusplus
extern "C" {
#endif

struct passed_sound {
    struct bytes_held messages; /* the oldest first */
};

void passed_sound_deinit(struct passed_sound *s);

/* A whole message of the server's, of rfb/proto/extensions/qemu_audio.h. Out of memory it is left
 * out. */
void passed_sound_put(struct passed_sound *s, const void *message, size_t size);

/* Adds the oldest message to what waits for the viewer, if nothing does. False: out of memory. */
bool passed_sound_take(struct passed_sound *s, struct bytes_held *out);

/* Nothing waits any more. */
void passed_sound_forget(struct passed_sound *s);

#ifdef __cplusplus
}
#endif
#endif
