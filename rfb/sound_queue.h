/* Samples that have come and were not played yet.
 *
 * They come in bursts. So playing begins when SOUND_QUEUE_FIRST bytes wait, or when what waits has
 * waited as long as those take to be played. Late sound is dropped: no more than SOUND_QUEUE_MOST
 * bytes wait. If more came, the oldest goes, down to SOUND_QUEUE_FIRST. So what is heard is never
 * older than 200 ms plus what the sound system keeps.
 *
 * Value type. Pure. Sizes are whole frames (SOUND_FRAME).
 */
#ifndef VNCHL_SOUND_QUEUE_H
#define VNCHL_SOUND_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/proto/extensions/qemu_audio.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes: 60 ms, about the jitter of a good path, and 200 ms, which one hears beside a picture.
 * Chosen. */
#define SOUND_QUEUE_FIRST (SOUND_SECOND / 1000 * 60)
#define SOUND_QUEUE_MOST  (SOUND_SECOND / 1000 * 200)

struct sound_queue {
    uint8_t bytes[SOUND_QUEUE_MOST]; /* a ring */
    size_t first, size;
    bool plays;
    size_t waited;    /* bytes that were asked for while something waited and did not play */
    uint64_t dropped; /* bytes that were late */
};

/* `size` bytes have come. */
void sound_queue_put(struct sound_queue *q, const void *samples, size_t size);

/* Takes `size` bytes to be played; silence where none wait. */
void sound_queue_take(struct sound_queue *q, void *out, size_t size);

/* Nothing waits any more. */
void sound_queue_forget(struct sound_queue *q);

#ifdef __cplusplus
}
#endif
#endif
