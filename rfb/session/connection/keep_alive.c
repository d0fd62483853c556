#include "rfb/session/connection/keep_alive.h"

void keep_alive_init(struct keep_alive *k)
{
    *k = (struct keep_alive){.input_at = TICK_NEVER,
                             .watch_since = TICK_NEVER,
                             .asked_at = TICK_NEVER,
                             .answered_at = TICK_NEVER};
}

static bool keep_alive_active(const struct keep_alive *k, tick_t now)
{
    return k->input_at != TICK_NEVER && now - k->input_at <= KEEP_ALIVE_ACTIVE;
}

/* Whether nothing at all has come since the newest question. */
static bool keep_alive_open(const struct keep_alive *k, tick_t heard_at)
{
    return k->asked_at != TICK_NEVER && heard_at <= k->asked_at;
}

bool keep_alive_matters(const struct keep_alive *k, tick_t now)
{
    return keep_alive_active(k, now) || k->watch_since != TICK_NEVER;
}

void keep_alive_input(struct keep_alive *k, tick_t now)
{
    if (!keep_alive_active(k, now))
        k->active_since = now;
    k->input_at = now;
}

void keep_alive_watch(struct keep_alive *k, bool on, tick_t now)
{
    k->watch_since = on ? now : TICK_NEVER;
}

/* Since when the server has been quiet though it matters, or TICK_NEVER; and how long it may. */
static tick_t quiet_since(const struct keep_alive *k, tick_t heard_at, tick_t now, tick_t *most)
{
    bool types = keep_alive_active(k, now);

    *most = types ? KEEP_ALIVE_QUIET : KEEP_ALIVE_WATCH;
    if (types)
        return tick_later(heard_at, k->active_since);
    return k->watch_since == TICK_NEVER ? TICK_NEVER : tick_later(heard_at, k->watch_since);
}

void keep_alive_look(struct keep_alive *k, tick_t heard_at, tick_t now)
{
    tick_t most, since = quiet_since(k, heard_at, now, &most);

    if (since == TICK_NEVER || keep_alive_open(k, heard_at) || now - since < most)
        return;
    k->asked_at = now;
    k->waits = true;
}

bool keep_alive_take(struct keep_alive *k, tick_t heard_at, struct rect *pixel)
{
    bool take = k->waits && keep_alive_open(k, heard_at);

    k->waits = false;
    k->pixel_comes = k->pixel_comes || take;
    *pixel = (struct rect){0, 0, 1, 1};
    return take;
}

bool keep_alive_answered(struct keep_alive *k, struct rect r, tick_t now)
{
    if (!k->pixel_comes || r.x != 0 || r.y != 0 || r.w > KEEP_ALIVE_TILE || r.h > KEEP_ALIVE_TILE)
        return false;
    k->pixel_comes = false;
    k->answered_at = now;
    k->answer_time = now - k->asked_at;
    if (k->answer_time >= KEEP_ALIVE_ANSWER) /* the link was silent meanwhile */
        k->answer_time = 0;
    return true;
}

tick_t keep_alive_answer_time(const struct keep_alive *k, tick_t now)
{
    bool fresh = k->answered_at != TICK_NEVER && now - k->answered_at <= KEEP_ALIVE_FRESH;

    return fresh ? k->answer_time : 0;
}

bool keep_alive_silent(const struct keep_alive *k, tick_t heard_at, tick_t now)
{
    return keep_alive_open(k, heard_at) && now - k->asked_at >= KEEP_ALIVE_ANSWER;
}
