/* The inside of the scheduler: what a policy is, and what policies share.
 *
 * A policy is a table of rules and a few functions. Each rule says when it wants a request to
 * leave, and what for. The request that is due first leaves; of two at the same time, that of the
 * rule which stands first in the table. Nothing else decides when and why a request leaves.
 *
 * Only the files of decide/ include this.
 */
#ifndef VNCHL_POLICY_H
#define VNCHL_POLICY_H

#include <stddef.h>

#include "prerequest/decide/scheduler.h"

struct rule {
    enum rule_id id;
    enum request_cause cause;
    bool pushed; /* it is also for a server that sends updates by itself */
    /* When a request is to leave; TICK_NEVER: this rule wants none. */
    tick_t (*at)(const struct scheduler *s);
};

/* An update has been received and rendered. */
struct finished {
    bool pixels;    /* it is a frame */
    bool live;      /* and shows something new */
    uint64_t bytes; /* 0: not known */
};

struct policy {
    const struct rule *rules;
    size_t rule_count;
    /* The period in force, ns; 0: none. */
    tick_t (*period)(const struct scheduler *s, tick_t now);
    /* The header of an update has been read. */
    void (*update_begun)(struct scheduler *s, tick_t now);
    /* In the middle of an update the path has become much slower. */
    void (*path_slower)(struct scheduler *s, tick_t now);
    void (*update_finished)(struct scheduler *s, const struct finished *u, tick_t now);
    void (*input_sent)(struct scheduler *s, bool acts, tick_t now);
    /* A request has left. */
    void (*request_sent)(struct scheduler *s, enum request_cause cause, tick_t now);
    /* A pre-request could not leave, and is dropped. */
    void (*timer_skipped)(struct scheduler *s, tick_t now);
};

extern const struct policy policy_off, policy_fixed, policy_auto;

/* Rules that policies share: a new picture is asked for, and what is owed because an update came.
 */
tick_t rule_first(const struct scheduler *s);
tick_t rule_reactive(const struct scheduler *s);

#endif
