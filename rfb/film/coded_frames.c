#include "rfb/film/coded_frames.h"

#include <stdlib.h>
#include <string.h>

struct coded_parts {
    bool used;
    uint32_t id;
    unsigned before, count;
    struct rect area;
    uint64_t there; /* a bit for each part */
    size_t size;    /* of all */
    uint8_t bytes[FRAME_MOST];
};

struct coded_frames {
    struct coded_parts frame[CODED_FRAMES];
    uint32_t done[CODED_FRAMES_DONE]; /* a ring */
    uint64_t dones;
    unsigned begun; /* frames, since one was decoded */
};

_Static_assert(FRAME_PARTS_MOST <= 64, "a bit for each part");

struct coded_frames *coded_frames_create(void)
{
    return calloc(1, sizeof(struct coded_frames));
}

void coded_frames_destroy(struct coded_frames *f)
{
    free(f);
}

void coded_frames_forget(struct coded_frames *f)
{
    for (int i = 0; i < CODED_FRAMES; i++)
        f->frame[i].used = false;
    f->dones = f->begun = 0;
}

static bool coded_is_newer(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b) > 0;
}

/* Newer than all that was decoded. */
static bool coded_is_news(const struct coded_frames *f, uint32_t id)
{
    return f->dones == 0 || coded_is_newer(id, f->done[(f->dones - 1) % CODED_FRAMES_DONE]);
}

static bool coded_was_decoded(const struct coded_frames *f, uint32_t id)
{
    for (uint64_t i = 0; i < f->dones && i < CODED_FRAMES_DONE; i++)
        if (f->done[i] == id)
            return true;
    return false;
}

/* The place of this frame, or one for it: free, or of the oldest one. NULL: all are newer. */
static struct coded_parts *coded_place(struct coded_frames *f, uint32_t id)
{
    struct coded_parts *oldest = NULL;

    for (int i = 0; i < CODED_FRAMES; i++)
        if (f->frame[i].used && f->frame[i].id == id)
            return f->frame + i;
    for (int i = 0; i < CODED_FRAMES; i++) {
        struct coded_parts *s = f->frame + i;

        if (!s->used)
            return s;
        if (!oldest || coded_is_newer(oldest->id, s->id))
            oldest = s;
    }
    if (coded_is_newer(oldest->id, id))
        return NULL;
    oldest->used = false;
    return oldest;
}

static void coded_begin(struct coded_frames *f, struct coded_parts *s, const struct frame_part *p,
                        struct rect area)
{
    f->begun++;
    s->used = true;
    s->id = p->id;
    s->before = p->before;
    s->count = p->count;
    s->area = area;
    s->there = 0;
    s->size = p->frame;
}

static bool coded_agrees(const struct coded_parts *s, const struct frame_part *p, struct rect area)
{
    return s->before == p->before && s->count == p->count && s->size == p->frame &&
           memcmp(&s->area, &area, sizeof area) == 0;
}

bool coded_frames_add(struct coded_frames *f, const struct frame_part *p, struct rect area)
{
    struct coded_parts *s = coded_is_news(f, p->id) ? coded_place(f, p->id) : NULL;

    if (!s)
        return true;
    if (!s->used)
        coded_begin(f, s, p, area);
    if (!coded_agrees(s, p, area))
        return false;
    memcpy(s->bytes + frame_part_at(p), p->bytes, frame_part_size(p));
    s->there |= UINT64_C(1) << p->index;
    return true;
}

static bool coded_can_be_decoded(const struct coded_frames *f, const struct coded_parts *s)
{
    return s->used && s->there == UINT64_MAX >> (64 - s->count) &&
           (s->before == 0 || coded_was_decoded(f, s->id - s->before));
}

bool coded_frames_next(struct coded_frames *f, struct coded_frame *out)
{
    struct coded_parts *next = NULL;

    for (int i = 0; i < CODED_FRAMES; i++) {
        struct coded_parts *s = f->frame + i;

        if (coded_can_be_decoded(f, s) && (!next || coded_is_newer(next->id, s->id)))
            next = s;
    }
    if (!next)
        return false;
    *out = (struct coded_frame){next->id, next->before == 0, next->area, next->bytes, next->size};
    next->used = false;
    return true;
}

bool coded_frames_take_stuck(struct coded_frames *f)
{
    bool stuck = f->begun >= CODED_FRAMES_STUCK;

    if (stuck)
        f->begun = 0;
    return stuck;
}

void coded_frames_decoded(struct coded_frames *f, uint32_t id)
{
    f->begun = 0;
    f->done[f->dones++ % CODED_FRAMES_DONE] = id;
    for (int i = 0; i < CODED_FRAMES; i++)
        f->frame[i].used = f->frame[i].used && coded_is_newer(f->frame[i].id, id);
}
