#include "rfb/framing/server_steps.h"

#include "rfb/proto/server_messages.h"

void server_await(struct server_framing *f, uint64_t skip, enum server_step step, size_t want)
{
    f->step = (uint8_t)step;
    intake_expect(&f->in, skip, want);
}

static void server_no_boundaries(struct server_framing *f, enum server_frame_event event,
                                 const char *why, long number)
{
    f->lost = (uint8_t)event;
    reason_set(&f->why, "%s %ld", why, number);
}

void server_unknown(struct server_framing *f, const char *why, long number)
{
    server_no_boundaries(f, SERVER_FRAME_UNKNOWN, why, number);
}

void server_hostile(struct server_framing *f, const char *why, long number)
{
    server_no_boundaries(f, SERVER_FRAME_HOSTILE, why, number);
}

void server_rectangle_ends(struct server_framing *f, uint64_t skip)
{
    f->now.rectangles++;
    f->rectangles_left--;
    if (f->rectangles_left > 0)
        server_await(f, skip, STEP_RECTANGLE, RECTANGLE_HEAD);
    else
        server_await(f, skip, STEP_UPDATE_END, 0);
}
