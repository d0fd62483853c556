/* What is told of the policy by which blocks leave: the same figures for ours and for Octopus's
 * rules, so that they can be compared.
 *
 * Pure.
 */
#ifndef VNCHL_PUSH_REPORT_H
#define VNCHL_PUSH_REPORT_H

#include "prerequest/know/response_parts.h"
#include "prerequest/push/constants.h"
#include "prerequest/push/datagrams.h"

#ifdef __cplusplus
extern "C" {
#endif

struct push_report {
    uint64_t sent; /* bytes, of all blocks up to then */
    tick_t at;     /* 0: never */
};

struct push_report_figures {
    const char *policy; /* "auto" or "octopus" */
    double rate;        /* bytes per second that the path is known to deliver; 0: not known */
    double sent;        /* bytes per second that were sent since the report before */
    double fps;         /* of the content, or the one that is chosen; 0: not known */
    int jpeg;           /* quality of what moves, 1..100; 0: exact */
    int film_qp;        /* quantiser of the film (H.264's QP), 1..51; 0: none goes */
};

/* Fills in what the path itself adds to a response: the wait in its queue, and the share that it
 * loses; no share where blocks do not leave as datagrams, or too few did. */
void push_report_path(const struct push_datagrams *d, const struct push_plan *p,
                      struct response_far *out, tick_t now);

/* False: none is due, for that is too soon, or nothing was sent. */
bool push_report_make(struct push_report *r, const struct push_datagrams *d,
                      const struct push_plan *p, struct push_report_figures *out, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
