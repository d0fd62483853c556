/* When the accelerator asks the server, and how far it may be ahead of the client: algorithm 1 of
 * Taylor and Pasquale, "Improving VNC Performance". One object for each connection. Pure: no
 * socket, no clock, time is an argument.
 *
 * The server is near, so it is asked as a near client would: one request, its whole answer, the
 * next request. The answers go to the client without waiting for its requests. How fast they may
 * follow each other:
 *
 *   ahead   The next update is asked for when it will have come just as the last byte of those
 *           before it leaves. The paper's ceil(server time / send time), in time instead of
 *           updates:   held bytes / rate <= server time (the best of its last answers)
 *   lead    A client asks once for each update that it has read. So the requests that come in count
 *           the updates that it has done with. No more than
 *               client's requests per second x (2 round trips + 200 ms), at least 4
 *           may be on their way: half of that if it keeps up. If it is slower than the path, or
 *           asks no more, it is waited for.
 *
 *   gateway Where a gateway (websockify, ssh) stands in between, the kernel's round trip ends
 *           there. The gateway keeps whatever the link does not take. A client with
 *           ContinuousUpdates is sent the next update when the link behind it will have carried
 *           those before (exchange/gateway_link.h). For one that asks, such a link is known by the
 *           shortest time that ever passed from an update's leaving to its request, of eight or
 *           more: it is longer than 2 round trips and 40 ms. Then no more than
 *               client's requests per second x that time x 1.25 + 1, at least 2
 *           may be on their way.
 *
 * A client that asks at a pace of its own (`own_pace`) cannot be counted so: vnchl does, and others
 * that ask once after several updates. It shows itself: by requests for which there is no update,
 * or because it has asked after it could see the newest update, and is silent while it seems to
 * lag. From then on it is only watched whether it still asks at all.
 *
 * Requests are repeated while the server has not answered, as long as the next update would not
 * come too early: each time that such a client asks; for the others every 10 ms while the picture
 * moves; and once whenever a client wants to see more than the server was asked for. This is
 * VNC-HL's pre-request, from nearby. A server that merges requests answers them all at once, and
 * some answer sooner because of them (TightVNC: twice as many pictures). A server that counts them
 * (neatvnc) would owe an update for each, on a path that may become slower. So after some repeated
 * requests it is asked for nothing for one and a half times the last gap between updates. Silence
 * shows that it owes nothing. One update may still come from a server that merges: for a request
 * that it got just after it had answered the others. A second one shows that it counts. What a key
 * or a button changes does not wait for this test: for 100 ms after one the server is asked as
 * ever. It is tested after that, and until then no request is repeated.
 *
 * A client with ContinuousUpdates makes no requests. What it has read is known from its answers to
 * fences instead (tools/accelerator/exchange/own_push.h).
 *
 * With `paper` all of that is off, and what is left is the paper's algorithm 1, to reproduce the
 * paper: the client's newest request is kept, and sent as it is whenever
 *
 *     the server has answered the last one, and received - sent < 1
 *
 * where received and sent count whole updates. A first request, which is not incremental, is sent
 * again so, too, until the client's next one has come. The paper's clients ask for their whole
 * screen. A request for all that is in a part of it, or that comes while the server has not
 * answered, is passed on once.
 */
#ifndef VNCHL_ACCELERATOR_RELAY_H
#define VNCHL_ACCELERATOR_RELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prerequest/tick.h"
#include "rfb/region.h"
#include "tools/accelerator/exchange/constants.h"
#include "tools/accelerator/exchange/gateway_link.h"

#ifdef __cplusplus
extern "C" {
#endif

/* More updates than this are never on their way to a client: the oldest are forgotten. */
#define RELAY_SENT_MAX 256

enum relay_action {
    RELAY_WAIT,
    RELAY_ASK, /* send a request for `relay.region`, incremental unless `relay.full` */
};

/* What the connection sees of its client's side. */
struct relay_view {
    size_t held;       /* bytes for the client that wait here */
    double rate;       /* bytes per second that leave while some wait; 0: not known */
    tick_t round_trip; /* the path's shortest; 0: not known */
};

struct relay {
    struct rect region;  /* what the client wants to see; empty: it has not asked yet */
    bool region_new;     /* it has asked for that since relay_asked(): what comes is added */
    int width, height;   /* of the screen */
    bool passes;         /* the client's own requests are passed on, and none is made here */
    bool paper;          /* the paper's algorithm alone: see above */
    bool full;           /* of that: the request that is kept is not incremental */
    bool pushes;         /* the client makes no requests: ContinuousUpdates (own_push.h) */
    bool owed;           /* one more request is to be made, though the client's are passed on */
    bool format_waits;   /* the pixel format is to change: nothing is asked for */
    bool unanswered;     /* the server has a request that no update has answered */
    struct rect asked;   /* what that covers, and those that were made meanwhile */
    unsigned unasked;    /* updates that have begun without one, since the last request */
    bool receiving;      /* between the beginning and the end of an update */
    bool full_meanwhile; /* a non-incremental request went out while an update came */
    unsigned waiting;    /* updates that have come whole and have not left whole */
    tick_t asked_at;     /* when the unanswered request left, */
    tick_t last_asked;   /* and when it was last made again */
    tick_t server_time;  /* from a request to the end of its update, the best of the last
                            RELAY_ANSWERS; 0: not known */
    tick_t answers[RELAY_ANSWERS];
    unsigned answered;   /* since the beginning: the last ones are in `answers` */
    tick_t trip;         /* from an update's leaving to its request, the shortest; 0: not known */
    unsigned trips;      /* so many were measured */
    tick_t last_request; /* the client's; TICK_NEVER: none yet */
    double client_rate;  /* its requests per second, the best lately; 0: not known */
    tick_t window_since; /* they are counted in windows of time: since when, */
    unsigned in_window;  /* how many, */
    bool idle_window;    /* and whether it had nothing to do in between */
    bool asked_early;    /* after the update that is leaving now */
    bool repeat_due;     /* it has asked since the server was asked */
    unsigned repeats;    /* requests made again that the server may still answer, if it counts */
    bool testing;        /* it is to be asked for nothing, to see whether it does */
    tick_t input_at;     /* the client's last key or button; TICK_NEVER: none */
    unsigned repeats_most;
    tick_t gap;                /* between the beginnings of the last two updates */
    tick_t begun_at, ended_at; /* the last update */
    unsigned surplus;          /* requests of the client for which there was no update */
    bool own_pace;             /* the client has one */
    tick_t unasked_since; /* when the first update left after its last request; TICK_NEVER: none */
    struct gateway_link gateway_link; /* the link behind a gateway, if there is one */
    uint64_t left;                    /* where the last update that has left ended */
    unsigned first, sent;             /* ring of updates that have left and have no request yet, */
    size_t sent_bytes;                /* and of all of them */
    struct {
        tick_t at;
        size_t bytes;
    } ring[RELAY_SENT_MAX];
};

void relay_init(struct relay *r, int width, int height);

/* The client has asked. Returns whether the request is to be passed on now, as it is. */
bool relay_client_asks(struct relay *r, bool incremental, struct rect rect, tick_t now);

/* The client has pressed a key, or has pressed or released a button. */
void relay_client_presses(struct relay *r, tick_t now);

/* The client wants updates of this region by themselves from now on; or no longer, and then it has
 * asked for nothing. */
void relay_push(struct relay *r, bool pushes, struct rect rect);

/* It has read all updates that have left but `unread` of them. Only while it is pushed to. */
void relay_client_has_read(struct relay *r, unsigned unread, tick_t now);

/* The client's own requests are passed on from now on, or no longer. */
void relay_pass(struct relay *r, bool passes);

/* From now on the server is asked as the paper has it, and no further. */
void relay_follow_paper(struct relay *r);

/* The client wants another pixel format, which has to wait. Nothing is asked for until
 * relay_format_changed(). */
void relay_format_waits(struct relay *r);
void relay_format_changed(struct relay *r);

/* Whether an update may come that has been asked for, since `last_asked` at the latest. */
bool relay_expects(const struct relay *r);

/* Whether the client may have asked for an update that will not come if nothing is asked for here
 * any more. While an update comes it may have asked for the next one already. */
bool relay_owes(const struct relay *r);

/* The client's own requests are passed on from now on, and what is owed to it becomes `owed`. */
void relay_stop_asking(struct relay *r);

/* The head of an update has come from the server; its last byte has. */
void relay_update_begins(struct relay *r, tick_t now);
void relay_update_ends(struct relay *r, tick_t now);

/* The screen has this size now. */
void relay_resized(struct relay *r, int width, int height);

/* The last byte of the oldest waiting update has left for the client. It is byte `end` of all that
 * the client was sent. */
void relay_update_left(struct relay *r, uint64_t end, tick_t now);

/* What to do now. When the owner has asked, it tells so by relay_asked(). */
enum relay_action relay_next(struct relay *r, const struct relay_view *v, tick_t now);
void relay_asked(struct relay *r, tick_t now);

/* When to look again though nothing has happened; TICK_NEVER: not at all. */
tick_t relay_look_again(const struct relay *r, const struct relay_view *v, tick_t now);

/* How many updates have left that the client has not asked after. */
unsigned relay_lead(const struct relay *r);

#ifdef __cplusplus
}
#endif
#endif
