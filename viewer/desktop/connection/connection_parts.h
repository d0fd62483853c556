/* What a connection has, for the files that it consists of: connection.c, and connection_play.c for
 * recordings. */
#ifndef VNCHL_CONNECTION_PARTS_H
#define VNCHL_CONNECTION_PARTS_H

#include "viewer/desktop/connection/connection.h"
#include "viewer/desktop/connection/picture_keeper.h"
#include "viewer/desktop/connection/reconnect.h"

struct connection {
    struct connection_callbacks callbacks;
    struct session_options options;
    struct session_hooks hooks;
    bool reconnects; /* by itself */
    struct picture_keeper keeper;
    bool traced; /* a session has the trace, or had it */

    struct session *session; /* connects or is up; NULL: none */
    bool established;        /* that session is */
    bool played_out;         /* its recording has come to its end */
    tick_t seek_look;        /* when to look whether that has come to its place; TICK_NEVER */
    tick_t replay_at;        /* when another session is to play up to what is wished; TICK_NEVER */
    uint32_t play_length;    /* of the recording, as the sessions before knew it; 0: not known */
    bool play_on;            /* it is paused, but plays up to its first picture */
    tick_t preview_at;       /* when to look for its preview; TICK_NEVER: it has no ticket */
    bool previewed;          /* its preview is what is shown */
    bool another;            /* UP: it is to another server than the one that was lost */
    struct session *past;    /* it was lost, its picture is shown; NULL: none */
    enum connection_state state;
    enum failure failure;
    struct reason why;
    struct reason lost; /* why what was up was lost; empty: it was not, or is up again */
    bool again;
    unsigned attempt;
    unsigned crashes; /* sessions in a row whose process has failed */
    tick_t begun_at;  /* when the newest attempt began */
    struct reconnect reconnect;
    tick_t retry_at;

    struct slow slow;
    enum slow_cause slow_cause;
    bool rests;       /* UP: nothing comes, and nobody acts */
    bool silent;      /* UP: the link may be dead, as the newest look found */
    tick_t looked_at; /* UP: when it was measured how fast the session is */
    /* then */
    uint64_t updates;
    double decode_s, draw_s;
};

/* ---- connection.c ---- */

/* A new session begins. False: it cannot, and the state says why. */
bool connection_attempt(struct connection *c);
/* Leaves a session, which is NULL then; `last`: it is the last one that is reported on. */
void connection_leave(struct connection *c, struct session **s, bool last);
/* The session is shown from now on. */
void connection_become_up(struct connection *c);

/* ---- connection_play.c ---- */

/* What is shown is a recording. */
bool connection_plays(const struct connection *c);
/* The same, and it can be paused and moved in. */
bool connection_takes_wishes(const struct connection *c);
/* Whether the new session has what is to be shown. */
bool connection_is_ready(struct connection *c);
/* A recording has been played to its end: its last picture stays. */
void connection_played(struct connection *c, const struct session_event *e);
/* The place in the recording, and whether it is paused. */
struct play_state connection_play_state(const struct connection *c);
/* Nobody sees a session that plays up to an earlier place before it is there: until then what it
 * tells of sizes is the size of the picture that is shown. Then the window hears of its own. */
void connection_play_veil(const struct connection *c, struct session_event *e);
void connection_play_unveil(struct connection *c);
/* As connection_time() and connection_wait(). */
void connection_play_time(struct connection *c, tick_t now);
tick_t connection_play_wait(const struct connection *c);

#endif
