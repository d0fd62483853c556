#include "viewer/desktop/display/displayed.h"

void displayed_picture(struct displayed *d, tick_t begun, tick_t ended)
{
    if (begun - d->picture[(d->next + DISPLAYED_PICTURES - 1) % DISPLAYED_PICTURES].begun <
        DISPLAYED_APART)
        return;
    d->picture[d->next].begun = begun;
    d->picture[d->next].ended = ended;
    d->next = (d->next + 1) % DISPLAYED_PICTURES;
}

/* When the first picture was on the display that was begun from `since` on; TICK_NEVER: it is not
 * kept. */
static tick_t displayed_after(const struct displayed *d, tick_t since)
{
    tick_t ended = TICK_NEVER;

    if (d->picture[d->next].begun >= since)
        return TICK_NEVER;
    for (unsigned i = 0; i < DISPLAYED_PICTURES; i++)
        if (d->picture[i].begun >= since)
            ended = tick_sooner(ended, d->picture[i].ended);
    return ended;
}

void displayed_add(struct displayed *d, struct session_stats *s)
{
    tick_t ended;

    if (s->response.total <= 0)
        return;
    if (d->drawn != s->response_drawn) {
        d->drawn = s->response_drawn;
        d->display = 0;
    }
    ended = displayed_after(d, d->drawn);
    if (d->display == 0 && ended != TICK_NEVER && ended - d->drawn <= DISPLAYED_LIMIT)
        d->display = ended - d->drawn;
    if (s->response_ms == tick_to_ms(s->response.total))
        s->response_ms += tick_to_ms(d->display);
    response_parts_shown(&s->response, d->display);
}
