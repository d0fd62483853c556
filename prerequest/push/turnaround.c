#include "prerequest/push/turnaround.h"

void turnaround_init(struct turnaround *t)
{
    *t = (struct turnaround){.held_since = TICK_NEVER, .made = TICK_NEVER};
    for (int i = 0; i < TURNAROUND_INPUTS; i++)
        t->input[i].read = TICK_NEVER;
}

/* ns in which no update was wanted. */
static tick_t turnaround_held(const struct turnaround *t, tick_t now)
{
    return t->held + (t->held_since == TICK_NEVER ? 0 : now - t->held_since);
}

/* The i-th, from the oldest on. */
static struct turnaround_input *turnaround_at(struct turnaround *t, unsigned i)
{
    return &t->input[(t->next + i) % TURNAROUND_INPUTS];
}

void turnaround_input(struct turnaround *t, uint16_t number, tick_t now)
{
    t->input[t->next] = (struct turnaround_input){
        .number = number, .read = now, .passed = TICK_NEVER, .shown = TICK_NEVER};
    t->next = (t->next + 1) % TURNAROUND_INPUTS;
}

static void turnaround_pass(struct turnaround_input *in, tick_t held, tick_t now)
{
    in->passed = now;
    in->held = held;
}

void turnaround_passed(struct turnaround *t, bool wants, tick_t now)
{
    t->held = turnaround_held(t, now);
    t->held_since = wants ? TICK_NEVER : now;
    for (unsigned i = 0; i < TURNAROUND_INPUTS; i++)
        if (t->input[i].read != TICK_NEVER && t->input[i].passed == TICK_NEVER)
            turnaround_pass(&t->input[i], t->held, now);
}

void turnaround_shown(struct turnaround *t, uint16_t number, tick_t now)
{
    tick_t held = turnaround_held(t, now);

    for (unsigned i = 0; i < TURNAROUND_INPUTS; i++) {
        struct turnaround_input *in = &t->input[i];

        if (in->read == TICK_NEVER || in->shown != TICK_NEVER || (int16_t)(number - in->number) < 0)
            continue;
        if (in->passed == TICK_NEVER)
            turnaround_pass(in, held, now);
        in->shown = now;
        in->server = now - in->passed - (held - in->held);
    }
}

/* The block that answers it has been made. */
static void turnaround_answer(struct turnaround *t, const struct turnaround_input *in, tick_t begun,
                              tick_t now)
{
    tick_t encoder = now - tick_later(begun, in->shown);

    t->made = now;
    t->due = false;
    t->told = (struct turnaround_told){
        .number = in->number,
        .far = {.input = in->passed - in->read,
                .server = in->server,
                .encoder = encoder,
                .queue = now - in->passed - in->server - encoder},
    };
}

void turnaround_made(struct turnaround *t, uint16_t number, tick_t begun, tick_t now)
{
    bool first = true;

    for (unsigned i = 0; i < TURNAROUND_INPUTS; i++) {
        struct turnaround_input *in = turnaround_at(t, i);

        if (in->read == TICK_NEVER || in->shown == TICK_NEVER || (int16_t)(number - in->number) < 0)
            continue;
        if (first)
            turnaround_answer(t, in, begun, now);
        first = false;
        in->read = TICK_NEVER;
    }
}

void turnaround_leaves(struct turnaround *t, bool all, tick_t now)
{
    if (t->made == TICK_NEVER)
        return;
    if (all) {
        t->made = TICK_NEVER;
        t->due = true;
    } else if (now > t->made) {
        t->told.far.queue += now - t->made;
        t->made = now;
    }
}

bool turnaround_take(struct turnaround *t, struct turnaround_told *out, tick_t now)
{
    if (!t->due || (t->told_at > 0 && now - t->told_at < TURNAROUND_EVERY))
        return false;
    *out = t->told;
    t->told_at = now;
    t->due = false;
    return true;
}
