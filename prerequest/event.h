/* What the scheduler is told, and what it decides.
 *
 * All that the scheduler knows comes to it as one of these events, with the time. So a list of
 * events, and the options, are enough to repeat a connection without a network: trace.h keeps such
 * a list, the simulation makes one.
 *
 * Plain values: they hold no pointer.
 */
#ifndef VNCHL_EVENT_H
#define VNCHL_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/rules.h"
#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

/* When requests leave (scheduler.h). */
enum prp_policy { PRP_OFF, PRP_FIXED, PRP_AUTO };

/* What the user asked for. */
struct scheduler_options {
    enum prp_policy policy;
    tick_t fixed_prp;      /* PRP_FIXED: the period, ns */
    double max_fps;        /* PRP_AUTO: no more updates per second than this; 0: no limit */
    double max_rate;       /* PRP_AUTO: no more bytes per second than this; 0: no limit */
    bool lossless_refresh; /* PRP_AUTO: ask again, without loss, for what is still */
    bool quality_pinned;   /* the user has chosen quality and compression level */
    rule_set without;      /* PRP_AUTO: rules that are switched off, to measure them; else 0 */
};

/* Why a request is sent. */
enum request_cause {
    REQUEST_FIRST,    /* non-incremental, of a new picture */
    REQUEST_REACTIVE, /* an update has arrived and is rendered */
    REQUEST_TIMER,    /* a pre-request: the PRP ran out */
    REQUEST_INPUT,    /* input was sent and no pre-request was about to leave */
    REQUEST_REFRESH,  /* non-incremental, of something still that was sent with loss */
    REQUEST_CAUSES
};

enum scheduler_event_type {
    EVENT_ROUND_TRIP,      /* round_trip: the kernel has measured one */
    EVENT_NEW_PICTURE,     /* the connection is there, or the screen has a new size */
    EVENT_UPDATE_BEGUN,    /* the header of an update has been read */
    EVENT_ARRIVED,         /* arrived: told while an update comes */
    EVENT_UPDATE_FINISHED, /* update: it has been received and rendered */
    EVENT_RAN_DRY,         /* a message has ended, and nothing has arrived after it */
    EVENT_LOSS,            /* loss: told after each update */
    EVENT_INPUT_SENT,      /* acts: keys or the pointer have been sent */
    EVENT_REQUEST_SENT,    /* cause: the request that was due has been sent */
    EVENT_REQUEST_SKIPPED, /* cause: our own socket is full, so the request has not been sent */
    EVENT_REFRESH_SENT, /* pixels: how many the refresh that was due asks for; 0: none was left */
    EVENT_PUSH,         /* pushed: whether the server sends updates by itself from now on */
    EVENT_TIME,         /* nothing has happened, but time has passed */
    EVENT_SERVER_KIND,  /* counts: the server has shown what it does with requests */
    EVENT_ROOM,         /* our own socket has room again */
    EVENT_TYPES
};

/* An update that has been received and rendered. */
struct scheduler_update {
    bool pixels;    /* false: pseudo-rectangles only. It used up a request, but it is no frame. */
    bool more;      /* bytes of the next update have arrived already */
    bool news;      /* it shows something that no refresh had asked for */
    uint64_t bytes; /* its length; 0: not known */
};

/* What of the picture came with loss. */
struct scheduler_loss {
    uint64_t pixels; /* so many are lossy, and have not been asked for again */
    bool asked;      /* others have been, and have not come yet */
    bool again;      /* the newest update was to be without loss, and came with it */
};

struct scheduler_event {
    enum scheduler_event_type type;
    union {
        tick_t round_trip; /* ns */
        uint64_t arrived;  /* bytes since the connection began */
        struct scheduler_update update;
        struct scheduler_loss loss;
        bool acts; /* more than motion of the pointer */
        enum request_cause cause;
        uint64_t pixels;
        bool pushed;
        bool counts; /* an update for each request; false: several may share one */
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
