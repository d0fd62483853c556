/* Figures of a run: a CSV row a second, a JSON summary, a table for people.
 *
 * docs/benchmark.md defines each figure. Used by one thread, the one that owns the session.
 */
#ifndef VNCHL_REPORT_H
#define VNCHL_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "rfb/session/session.h"
#include "tools/marks/sightings.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The figures of one whole run. */
struct summary {
    char prp[24]; /* "auto", "off" or the fixed period in ms */
    struct session_stats stats;
    char layers[128];   /* that confine the session's process (session_confined_by()) */
    double cpu_s;       /* user + system time, with the session's process, since report_begin() */
    double cpu_percent; /* the same / wall time */
    struct sightings *marks; /* what was seen in the picture, the summary's own; NULL: not asked */
};

/* Frees what the summary owns. Safe on a zeroed one. */
void summary_deinit(struct summary *s);

/* Follows one session from its start. */
struct report {
    FILE *log;            /* NULL: no rows */
    const char *log_name; /* as the user calls it */
    bool owns_log, log_failed;
    struct session_stats last; /* at the previous row */
    struct session_stats said; /* when --verbose said something last */
    double last_cpu_s;
    tick_t start;
    double start_cpu_s;
    bool counted;              /* the summary counts from `base`, not from the beginning */
    struct session_stats base; /* when the warm-up was over */
    double gap_max;            /* ms, in the rows since then */
};

/* Opens the log, if one is named ("-": standard output), and writes its header. A log that cannot
 * be written later is said then, once, and ends; everything else goes on. */
bool report_open(struct report *r, const char *log, struct reason *why);

/* False when not all of the log was written. */
bool report_close(struct report *r);

/* A session begins: CPU and rows count from now. */
void report_begin(struct report *r);

/* One row, about a second after the one before; `stats` gets what it was made from. False: the
 * figures are those of before (session_stats()). */
bool report_row(struct report *r, const char *prp, struct session *s, struct session_stats *stats);

/* The warm-up is over: the summary counts from now. Closes the row, as report_row(). False: the
 * session's process is too busy to say where it stands; again a little later. */
bool report_count(struct report *r, const char *prp, struct session *s);

/* What the session did up to now. */
void report_summary(struct report *r, const char *prp, struct session *s, struct summary *out);

/* Writes the summary of one run, or of two compared ones, to a file or "-". */
bool report_json(const char *file, const struct summary *run, struct reason *why);
bool report_json_compare(const char *file, const struct summary *plain,
                         const struct summary *prerequest, struct reason *why);

/* Whether `file` can be written, without changing what is in it. */
bool report_writable(const char *file, struct reason *why);

/* The same for people; `plain` may be NULL. */
void report_table(FILE *out, const struct summary *plain, const struct summary *run);

/* How many times more frames per second; 0 when plain VNC showed none. */
double report_speedup(const struct summary *plain, const struct summary *prerequest);

#ifdef __cplusplus
}
#endif
#endif
