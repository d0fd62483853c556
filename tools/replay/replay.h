/* Runs a trace through the scheduler, in virtual time, and compares what it decides. */
#ifndef VNCHL_REPLAY_H
#define VNCHL_REPLAY_H

#include <stdio.h>

#include "prerequest/decide/scheduler.h"
#include "prerequest/trace.h"

struct replay {
    struct scheduler_options options;
    tick_t first, last; /* the times of the first and the newest record */
    uint64_t records;
    uint64_t events[EVENT_TYPES];
    uint64_t requests[REQUEST_CAUSES];
    uint64_t decisions;         /* records after which the decision was another one than before */
    bool lost;                  /* the trace says that it lacks its end */
    bool differs;               /* a decision was not the recorded one: */
    struct trace_record record; /* where */
    struct scheduler_decision decided;
};

enum replay_result { REPLAY_EQUAL, REPLAY_DIFFERS, REPLAY_REFUSED };

/* Reads the trace at `path`, up to the first decision that differs. Every record is listed on
 * `list`, unless that is NULL. `why` (256 bytes) tells why a file is refused. */
enum replay_result replay_file(struct replay *r, const char *path, FILE *list, char *why);

#endif
