/* The inside of the scheduler: what a policy is, and what policies share.
 *
 * A policy is a table of rules and a few functions. Each rule says at which time it wants a request
 * to leave. The earliest time wins. When two rules name the same time, the rule that stands first
 * in the table wins. No other rule decides when and why a request leaves.
 *
 * The functions are called when something has happened. They change what the rules look at.
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
    bool pushed; /* the rule also counts at a server that sends updates by itself */
    /* When a request is to leave. TICK_NEVER: this rule wants none. 0, or any time that has passed:
     * at once. */
    tick_t (*at)(const struct scheduler *s);
};

/* An update has been received and decoded. */
struct finished {
    bool pixels;    /* it is a frame */
    bool live;      /* it is a frame, and shows more than a refresh has asked for */
    uint64_t bytes; /* 0: not known */
};

struct policy {
    const struct rule *rules;
    size_t rule_count;
    /* What is due leaves even while our own socket holds unsent bytes: the kernel queues it. */
    bool unguarded;
    /* The time between two pre-requests now, ns; 0: there are none. */
    tick_t (*period)(const struct scheduler *s);
    /* The header of an update has been read. */
    void (*update_begun)(struct scheduler *s, tick_t now);
    /* In the middle of an update the path has become much slower. */
    void (*path_slower)(struct scheduler *s, tick_t now);
    void (*update_finished)(struct scheduler *s, const struct finished *u, tick_t now);
    /* All that has arrived is read. */
    void (*ran_dry)(struct scheduler *s, tick_t now);
    void (*input_sent)(struct scheduler *s, bool acts, tick_t now);
    /* A request has left. */
    void (*request_sent)(struct scheduler *s, enum request_cause cause, tick_t now);
    /* A pre-request was due while our own socket was full. It is dropped. */
    void (*timer_skipped)(struct scheduler *s, tick_t now);
};

extern const struct policy policy_off, policy_fixed, policy_auto, policy_thesis;
/* In the place of each of them while nobody can see the picture. */
extern const struct policy policy_hidden;

/* Rules that all policies have: the request for a new picture, and the one that an update has
 * caused. */
tick_t rule_first(const struct scheduler *s);
tick_t rule_reactive(const struct scheduler *s);

/* In the place of a function of a policy that has nothing to do then. */
void policy_nothing(struct scheduler *s, tick_t now);

#endif
