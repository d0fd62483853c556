#include "prerequest/push/rate/marks.h"

#include <stddef.h>

static struct push_mark *marks_at(struct push_marks *m, unsigned i)
{
    return m->mark + (m->first + i) % PUSH_MARKS;
}

void push_marks_add(struct push_marks *marks, uint32_t sequence, uint64_t sent, uint64_t bytes,
                    bool rested, tick_t spacing, tick_t now)
{
    struct push_mark *m = marks->count > 0 ? marks_at(marks, marks->count - 1) : NULL;

    if (!m || (marks->count < PUSH_MARKS && (rested || now - m->begun > spacing))) {
        m = marks_at(marks, marks->count++);
        *m = (struct push_mark){.first = sequence, .before = sent, .begun = now, .rested = rested};
    }
    m->last = sequence;
    m->upto = sent + bytes;
    m->ended = now;
}

uint64_t push_marks_take(struct push_marks *marks, uint32_t oldest, uint32_t sequence,
                         uint64_t arrived, tick_t *left, struct push_mark *run)
{
    uint64_t bytes = arrived;

    run->rested = false;
    while (marks->count > 0) {
        struct push_mark *m = marks_at(marks, 0);
        double share;

        if ((int32_t)(sequence - m->first) < 0)
            break;
        if (m->rested && (int32_t)(oldest - m->first) < 0)
            *run = *m;
        if ((int32_t)(sequence - m->last) >= 0) {
            bytes = m->upto;
            *left = m->ended;
            marks->first = (marks->first + 1) % PUSH_MARKS;
            marks->count--;
            continue;
        }
        share = (double)(sequence - m->first + 1) / (double)(m->last - m->first + 1);
        bytes = m->before + (uint64_t)(share * (double)(m->upto - m->before));
        *left = m->begun + (tick_t)(share * (double)(m->ended - m->begun));
        break;
    }
    return bytes;
}
