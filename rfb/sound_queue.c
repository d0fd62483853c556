#include "rfb/sound_queue.h"

#include <string.h>

_Static_assert(SOUND_QUEUE_FIRST % SOUND_FRAME == 0 && SOUND_QUEUE_MOST % SOUND_FRAME == 0,
               "whole frames");

static size_t sound_queue_least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The oldest goes; `out` NULL: unheard. */
static void sound_queue_remove(struct sound_queue *q, uint8_t *out, size_t size)
{
    size_t straight = sound_queue_least(size, sizeof q->bytes - q->first);

    if (out) {
        memcpy(out, q->bytes + q->first, straight);
        memcpy(out + straight, q->bytes, size - straight);
    }
    q->first = (q->first + size) % sizeof q->bytes;
    q->size -= size;
}

/* Makes room for `size` bytes: what is left is as much as playing begins with. */
static void sound_queue_drop(struct sound_queue *q, size_t size)
{
    size_t keep = size < SOUND_QUEUE_FIRST ? SOUND_QUEUE_FIRST - size : 0;
    size_t late = q->size > keep ? q->size - keep : 0;

    sound_queue_remove(q, NULL, late);
    q->dropped += late;
}

void sound_queue_put(struct sound_queue *q, const void *samples, size_t size)
{
    const uint8_t *from = samples;
    size_t last, straight;

    if (size > SOUND_QUEUE_MOST) {
        q->dropped += size - SOUND_QUEUE_MOST;
        from += size - SOUND_QUEUE_MOST;
        size = SOUND_QUEUE_MOST;
    }
    if (q->size + size > SOUND_QUEUE_MOST)
        sound_queue_drop(q, size);
    last = (q->first + q->size) % sizeof q->bytes;
    straight = sound_queue_least(size, sizeof q->bytes - last);
    memcpy(q->bytes + last, from, straight);
    memcpy(q->bytes, from + straight, size - straight);
    q->size += size;
}

static bool sound_queue_begins(struct sound_queue *q, size_t size)
{
    if (q->size == 0)
        return false;
    if (q->size >= SOUND_QUEUE_FIRST || q->waited >= SOUND_QUEUE_FIRST)
        return true;
    q->waited += size;
    return false;
}

void sound_queue_take(struct sound_queue *q, void *out, size_t size)
{
    size_t part = 0;

    q->plays = q->plays || sound_queue_begins(q, size);
    if (q->plays) {
        part = sound_queue_least(size, q->size);
        sound_queue_remove(q, out, part);
        q->plays = part == size;
        q->waited = 0;
    }
    memset((uint8_t *)out + part, 0, size - part);
}

void sound_queue_forget(struct sound_queue *q)
{
    q->first = q->size = q->waited = 0;
    q->plays = false;
}
