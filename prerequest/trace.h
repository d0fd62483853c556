/* The form of a trace: every event that the scheduler was told, and what it decided then.
 *
 * A trace is a head, then records, then an end. docs/trace.md describes their bytes. A record tells
 * only what has changed since the record before, so writer and reader keep the newest values
 * (struct trace). Neither pixels nor keys nor names are in it.
 *
 * Pure: memory and file are the caller's. What is read may come from anybody, so it is checked.
 */
#ifndef VNCHL_TRACE_H
#define VNCHL_TRACE_H

#include <stddef.h>

#include "prerequest/event.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TRACE_HEAD_MAX   64 /* bytes: no head is longer */
#define TRACE_RECORD_MAX 64 /* nor a record, nor the end */
#define TRACE_STEPS      16 /* steps of quality are less than this */

/* One event, and all that the scheduler had decided after it. */
struct trace_record {
    tick_t at;
    struct scheduler_event event;
    struct scheduler_decision decision;
};

/* The newest values. The next record tells what differs from them. */
struct trace {
    tick_t at;
    tick_t round_trip;
    uint64_t arrived;
    struct scheduler_decision decision;
    uint64_t records;
};

/* Writes a head to `out` and begins a trace. Returns the number of bytes. */
size_t trace_write_head(struct trace *t, const struct scheduler_options *options, uint8_t *out);

/* Writes a record to `out`. Returns the number of bytes. */
size_t trace_write(struct trace *t, const struct trace_record *r, uint8_t *out);

/* Writes the end. `lost`: more records followed, which were not kept. Returns the number of bytes.
 */
size_t trace_write_end(const struct trace *t, bool lost, uint8_t *out);

enum trace_result {
    TRACE_RECORD, /* a head or a record has been read */
    TRACE_END,    /* the end has been read, and the number of records is right */
    TRACE_CUT,    /* the bytes stop in the middle: more are needed */
    TRACE_BAD     /* this is no trace, or a damaged one, or one of another version */
};

/* Reads the head from `size` bytes at `in`; `used` is how many it took. */
enum trace_result trace_read_head(struct trace *t, struct scheduler_options *options,
                                  const uint8_t *in, size_t size, size_t *used);

/* Reads a record, or the end. `lost` is set at the end only, as trace_write_end() was told. */
enum trace_result trace_read(struct trace *t, struct trace_record *r, bool *lost, const uint8_t *in,
                             size_t size, size_t *used);

/* Whether two decisions are the same for the server: when the next request is due and why, and how
 * good the pictures are to be. When none is due, the cause does not count. */
bool trace_same(const struct scheduler_decision *a, const struct scheduler_decision *b);

/* "update finished" */
const char *trace_event_name(enum scheduler_event_type type);

/* "timer" */
const char *request_cause_name(enum request_cause cause);

#ifdef __cplusplus
}
#endif
#endif
