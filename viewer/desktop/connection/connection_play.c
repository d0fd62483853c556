#include "viewer/desktop/connection/connection_parts.h"

#include "rfb/system/clock.h"
#include "rfb/system/log.h"

/* ns: keys that follow each other faster are one move. Chosen: longer than the time between two
 * repeats of a key that is held down. */
#define PLAY_GATHER (150 * TICK_MS)

bool connection_plays(const struct connection *c)
{
    return c->options.route.play[0] != '\0';
}

/* Another session plays up to an earlier place, out of sight. */
static bool connection_is_replayed(const struct connection *c)
{
    return connection_plays(c) && c->state == CONNECTION_CONNECTING && c->past;
}

bool connection_takes_wishes(const struct connection *c)
{
    return (connection_plays(c) && c->state == CONNECTION_UP) || connection_is_replayed(c);
}

/* A recording that is paused before its first picture has nothing to show: it goes on up to that.
 */
static bool connection_play_begins(struct connection *c, const struct session_stats *stats)
{
    const bool waits = stats->meter.updates == 0 && !c->played_out;

    if (waits == c->play_on)
        return !waits;
    c->play_on = waits;
    session_play(c->session, waits ? &(struct play_wish){.paused = false} : &c->options.route.wish);
    return !waits;
}

/* Whether the new session has what is to be shown. */
bool connection_is_ready(struct connection *c)
{
    struct session_stats stats;

    session_stats(c->session, false, &stats);
    if (connection_plays(c) && stats.play.seeking)
        return false;
    if (connection_plays(c) && c->options.route.wish.paused)
        return connection_play_begins(c, &stats);
    return stats.meter.updates > 0;
}

/* A recording has been played to its end: its last picture stays. */
void connection_played(struct connection *c, const struct session_event *e)
{
    const char *why = session_event_text(e);

    c->played_out = true;
    if (c->replay_at != TICK_NEVER) /* it goes on elsewhere */
        return;
    reason_set(&c->why, "%s", why ? why : "the recording has ended");
    log_line("%s. Space plays it again", c->why.text);
    if (c->state == CONNECTION_CONNECTING)
        connection_become_up(c);
}

/* Of a recording. What the session tells may be older than the newest wish. Another session has
 * nothing to say before it has come to its place. */
struct play_state connection_play_state(const struct connection *c)
{
    const struct play_wish *wish = &c->options.route.wish;
    const bool up = c->state == CONNECTION_UP;
    struct session_stats stats;
    struct play_state *play = &stats.play;

    session_stats(up ? c->session : c->past, false, &stats);
    play->paused = wish->paused;
    play->seeking = !up || c->replay_at != TICK_NEVER ||
                    (!c->played_out && (play->seeking || play->place < wish->place));
    if (play->seeking)
        play->place = wish->place;
    if (play->length == 0)
        play->length = c->play_length;
    return *play;
}

/* ---- wishes ---- */

/* What is earlier is found from the beginning on. */
static void connection_replay(struct connection *c)
{
    c->play_length = connection_play_state(c).length;
    log_debug("another session plays the recording up to %u ms", c->options.route.wish.place);
    session_stop(c->session);
    if (c->state == CONNECTION_UP) {
        c->past = c->session;
        c->session = NULL;
    }
    connection_leave(c, &c->session, false);
    connection_attempt(c);
}

/* Whether the session itself comes to what is wished, which goes on from this place. */
static bool connection_comes_to(const struct connection *c, const struct play_wish *wish,
                                uint32_t place)
{
    return c->replay_at == TICK_NEVER && (c->state == CONNECTION_UP || c->established) &&
           !c->played_out && (!wish->seeks || wish->place >= place);
}

void connection_play(struct connection *c, const struct play_wish *wish)
{
    uint32_t place;

    if (!connection_takes_wishes(c))
        return;
    place = connection_play_state(c).place;
    c->options.route.wish =
        (struct play_wish){wish->paused, true, wish->seeks ? wish->place : place};
    if (connection_comes_to(c, wish, place)) {
        session_play(c->session, wish);
        c->play_on = false;
        return;
    }
    c->replay_at = tick_now() + PLAY_GATHER;
}

void connection_play_time(struct connection *c, tick_t now)
{
    if (now >= connection_play_wait(c))
        connection_replay(c);
}

tick_t connection_play_wait(const struct connection *c)
{
    return connection_takes_wishes(c) ? c->replay_at : TICK_NEVER;
}

/* ---- sizes ---- */

void connection_play_veil(const struct connection *c, struct session_event *e)
{
    struct session_stats shown;

    if (!connection_is_replayed(c) || (e->type != SESSION_CONNECTED && e->type != SESSION_RESIZED))
        return;
    session_stats(c->past, false, &shown);
    if (shown.width == 0 || shown.height == 0)
        return;
    e->width = shown.width;
    e->height = shown.height;
}

void connection_play_unveil(struct connection *c)
{
    struct session_event resized = {.type = SESSION_RESIZED};
    struct session_stats now;

    if (!connection_plays(c) || !c->past)
        return;
    session_stats(c->session, false, &now);
    resized.width = now.width;
    resized.height = now.height;
    if (now.width > 0 && now.height > 0)
        c->callbacks.event(c->callbacks.user, c->session, &resized);
}
