#include "viewer/desktop/connection_parts.h"

#include <stdlib.h>
#include <string.h>

bool connection_plays(const struct connection *c)
{
    return c->options.route.play[0] != '\0';
}

/* Whether the new session has what is to be shown. */
bool connection_is_ready(struct connection *c)
{
    struct session_stats stats;

    session_stats(c->session, false, &stats);
    if (connection_plays(c) && (stats.play.seeking || c->options.route.wish.paused))
        return !stats.play.seeking;
    return stats.meter.updates > 0;
}

/* A recording has been played to its end: its last picture stays. */
void connection_played(struct connection *c, const struct session_event *e)
{
    const char *why = session_event_text(e);
    struct session_event head = {.type = SESSION_NOTICE}, *notice;
    struct reason text;

    c->played_out = true;
    if (c->state == CONNECTION_CONNECTING)
        connection_become_up(c);
    reason_set(&text, "%s. Space plays it again", why ? why : "the recording has ended");
    notice = session_event_create(&head, text.text, strlen(text.text) + 1);
    if (!notice)
        return;
    c->callbacks.event(c->callbacks.user, c->session, notice);
    free(notice);
}

/* Of a recording. What the session tells may be older than the newest wish. Another session has
 * nothing to say before it has come to its place. */
struct play_state connection_play_state(const struct connection *c)
{
    const struct play_wish *wish = &c->options.route.wish;
    const bool up = c->state == CONNECTION_UP;
    struct session_stats stats;

    session_stats(up ? c->session : c->past, false, &stats);
    stats.play.paused = wish->paused;
    stats.play.seeking = !up || (stats.play.seeking && !c->played_out);
    if (!up || stats.play.place < wish->place)
        stats.play.place = wish->place;
    return stats.play;
}

void connection_play(struct connection *c, const struct play_wish *wish)
{
    const bool up = c->state == CONNECTION_UP;
    struct play_state now;

    if (!connection_plays(c) || !(up || (c->state == CONNECTION_CONNECTING && c->past)))
        return;
    now = connection_play_state(c);
    c->options.route.wish =
        (struct play_wish){wish->paused, true, wish->seeks ? wish->place : now.place};
    if ((up || c->established) && !c->played_out && (!wish->seeks || wish->place >= now.place)) {
        session_play(c->session, wish);
        return;
    }
    session_stop(c->session);
    if (up) {
        c->past = c->session;
        c->session = NULL;
    }
    connection_leave(c, &c->session, false);
    connection_attempt(c);
}
