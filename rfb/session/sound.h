/* Whether the server is to send its sound, and what came of that.
 *
 * The server has to have QEMU's audio extension (rfb/proto/qemu_audio.h). The user's wish counts
 * first. Without one, the path decides, for sound takes SOUND_SECOND bytes of each second, and what
 * it takes the picture lacks:
 *
 *   rate >= SOUND_PLENTY x SOUND_SECOND   on
 *   rate <  SOUND_LEAST x SOUND_SECOND    off
 *   in between                            as it was
 *   rate not known                        on if the round trip is known, and at most QUALITY_NEAR
 *
 * For example: the path delivers 1 MB a second, and sound takes 0.176: it stays as it was.
 *
 * Any thread; it has a lock of its own.
 */
#ifndef VNCHL_SOUND_H
#define VNCHL_SOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prerequest/tick.h"
#include "rfb/proto/qemu_audio.h"
#include "rfb/session/constants.h"
#include "rfb/session/events.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sound;

/* `events` hears SESSION_SOUND, and must outlive it. NULL when out of memory. */
struct sound *sound_create(enum sound_wish wish, struct events *events);
void sound_destroy(struct sound *s); /* safe on NULL */

/* The server has said that it has sound. True: that is news, and the sender is to be woken. */
bool sound_learn(struct sound *s, tick_t now);

/* The user wants it now, or does not, whatever the path is like. */
void sound_want(struct sound *s, bool on);

/* What the path delivers, bytes per second, and its round trip, ns; 0: not known. Call it about
 * once a second. */
void sound_look(struct sound *s, double rate, tick_t round_trip, tick_t now);

/* Writes what the server is to be told, QEMU_AUDIO_WRITE_MAX bytes at most. Returns the bytes. */
size_t sound_write(struct sound *s, uint8_t *out);

/* So many bytes of samples have come. Whether they are wanted. */
bool sound_came(struct sound *s, size_t size, tick_t now);
/* So many of them were dropped. */
void sound_is_late(struct sound *s, size_t size);

void sound_stats(struct sound *s, struct session_stats *out);

#ifdef __cplusplus
}
#endif
#endif
