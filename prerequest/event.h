/* What the scheduler is told, and what it decides.
 *
 * All that the scheduler knows comes to it as one of these events, with the time. So the options
 * and a list of events are enough to repeat a connection without a network. trace.h keeps such a
 * list. The simulation (tests/sim) makes one.
 *
 * Plain values without pointers. Times are ns (tick.h).
 */
#ifndef VNCHL_EVENT_H
#define VNCHL_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/know/response_parts.h"
#include "prerequest/rules.h"
#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

/* When requests leave (scheduler.h). */
enum prp_policy { PRP_OFF, PRP_FIXED, PRP_AUTO, PRP_THESIS, PRP_POLICIES };

/* Whether the user has fixed the period. `policy`: enum prp_policy. */
static inline bool prp_is_fixed(unsigned policy)
{
    return policy == PRP_FIXED || policy == PRP_THESIS;
}

/* What the user asked for. */
struct scheduler_options {
    enum prp_policy policy;
    tick_t fixed_prp;      /* PRP_FIXED, PRP_THESIS: the period, ns */
    double max_fps;        /* PRP_AUTO: no more updates per second than this; 0: no limit */
    double max_rate;       /* PRP_AUTO: no more bytes per second than this; 0: no limit */
    bool lossless_refresh; /* PRP_AUTO: ask again, without loss, for what is still */
    bool quality_pinned;   /* the user has chosen quality and compression level */
    int first_quality;     /* PRP_AUTO: 1 + the step (quality.h) that fitted an earlier session with
                              this server; 0: not known */
};

/* Why a request is sent. */
enum request_cause {
    REQUEST_FIRST,    /* non-incremental: the whole of a new picture */
    REQUEST_REACTIVE, /* it is owed: for an update, the end of a refresh, a window that is seen
                         again or a changed option; or the window is hidden */
    REQUEST_TIMER,    /* a pre-request: a timer ran out */
    REQUEST_INPUT,    /* it goes with input */
    REQUEST_REFRESH,  /* non-incremental: a still part of the picture that came with loss */
    REQUEST_CAUSES
};

enum scheduler_event_type {
    EVENT_ROUND_TRIP,   /* round_trip: one was measured */
    EVENT_NEW_PICTURE,  /* the connection is there, the screen has a new size, or the user wants all
                         * of the picture again */
    EVENT_UPDATE_BEGUN, /* the header of an update has been read */
    EVENT_ARRIVED,      /* arrived: how many bytes; told now and then while an update comes */
    EVENT_UPDATE_FINISHED, /* update: it has been received and decoded */
    EVENT_RAN_DRY,         /* a message has ended, and no byte of another one is here */
    EVENT_LOSS,            /* loss: told after each update */
    EVENT_INPUT_SENT,      /* acts: keys, clicks, a text or motion of the pointer have been sent */
    EVENT_REQUEST_SENT,    /* cause: the request that was due has been sent */
    EVENT_REQUEST_SKIPPED, /* cause: our own socket is full, so the request has not been sent */
    EVENT_REFRESH_SENT, /* pixels: how many the refresh that was due asks for; 0: none was left */
    EVENT_PUSH,         /* pushed: whether the server sends updates by itself from now on */
    EVENT_TIME,         /* nothing has happened, but a time that scheduler_wait() named has come */
    EVENT_SERVER_KIND,  /* counts: the server has shown what it does with requests */
    EVENT_ROOM,         /* our own socket, which was full, has room again */
    EVENT_TUNED,        /* tuning: the user wants something else from now on */
    EVENT_HIDDEN,       /* hidden: whether from now on nobody can see the picture */
    EVENT_RESPONSE,     /* response: where the time of one went; for who reads a trace, it decides
                         * nothing
                         */
    EVENT_TYPES
};

/* An update that has been received and decoded. */
struct scheduler_update {
    bool pixels;    /* false: pseudo-rectangles only. It used up a request, but it is no frame. */
    bool more;      /* bytes of the next update have arrived already */
    bool news;      /* not all of it was asked for by a refresh */
    uint64_t bytes; /* its length; 0: not known (a Unix socket) */
};

/* What of the picture came with loss. */
struct scheduler_loss {
    uint64_t pixels; /* how many are lossy and have not been asked for again */
    bool asked;      /* others have been asked for again, and have not come yet */
    bool again;      /* the newest update was to come without loss, and came with it */
};

/* What of the options a user may change while the connection is up. */
struct scheduler_tuning {
    enum prp_policy policy;
    tick_t fixed_prp; /* PRP_FIXED, PRP_THESIS: the period, ns; else 0 */
    bool quality_pinned;
};

struct scheduler_event {
    enum scheduler_event_type type;
    union {
        tick_t round_trip; /* ns */
        uint64_t arrived;  /* bytes since the connection began */
        struct scheduler_update update;
        struct scheduler_loss loss;
        bool acts; /* true: more than motion of the pointer */
        enum request_cause cause;
        uint64_t pixels;
        bool pushed;
        bool counts; /* an update for each request; false: several may share one */
        struct scheduler_tuning tuning;
        bool hidden;
        struct response_parts response;
    };
};

/* When the next request is due, and why. */
struct scheduler_next {
    tick_t at; /* TICK_NEVER: not before something happens. May lie in the past: now */
    enum request_cause cause;
    enum rule_id rule; /* the rule that wants it */
};

/* All that the scheduler has decided, at one moment. */
struct scheduler_decision {
    struct scheduler_next next;
    int quality;   /* the step (quality.h) */
    bool lossless; /* the server is to send without loss */
};

#ifdef __cplusplus
}
#endif
#endif
