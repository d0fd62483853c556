#include "rfb/net/recording/play_clock.h"

#include "rfb/net/recording/playback.h"

/* From here on its times count again. */
static void play_clock_stand(struct play_clock *c, uint32_t place, tick_t now)
{
    c->place = place;
    c->since = now;
}

void play_clock_init(struct play_clock *c, double speed, tick_t now)
{
    *c = (struct play_clock){.speed = speed, .since = now};
}

void play_clock_next(struct play_clock *c, uint32_t place, tick_t now)
{
    const uint32_t reached = play_clock_place(c, now);

    c->next = place;
    if (!c->seeking && place < reached) /* its times go back, its place does not */
        play_clock_stand(c, reached, now);
    if (c->seeking && place > c->place) {
        c->seeking = false;
        c->since = now;
    }
    if (!c->seeking && !c->paused && c->speed == PLAYBACK_MAX && place > c->place)
        play_clock_stand(c, place, now);
}

void play_clock_wish(struct play_clock *c, const struct play_wish *wish, tick_t now)
{
    uint32_t place;

    if (!c->begun)
        play_clock_stand(c, c->next, now);
    place = play_clock_place(c, now);
    c->begun = true;
    c->paused = wish->paused;
    if (!wish->seeks || wish->place < place) {
        play_clock_stand(c, place, now);
        return;
    }
    play_clock_stand(c, wish->place, now);
    c->seeking = c->next <= wish->place; /* else nothing comes before it */
}

void play_clock_end(struct play_clock *c, tick_t now)
{
    if (c->seeking || c->next > c->place)
        play_clock_stand(c, c->next, now);
    c->seeking = false;
}

tick_t play_clock_due(const struct play_clock *c)
{
    if (!c->begun || c->seeking)
        return 0;
    if (c->paused)
        return TICK_NEVER;
    if (c->speed == PLAYBACK_MAX || c->next <= c->place)
        return 0;
    return c->since + (tick_t)((c->next - c->place) / c->speed * (double)TICK_MS);
}

uint32_t play_clock_place(const struct play_clock *c, tick_t now)
{
    double passed;

    if (!c->begun || c->seeking || c->paused || c->speed == PLAYBACK_MAX || c->next <= c->place)
        return c->place;
    passed = tick_to_ms(now - c->since) * c->speed;
    return passed < c->next - c->place ? c->place + (uint32_t)passed : c->next;
}
