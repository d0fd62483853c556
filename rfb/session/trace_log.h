/* Writes a trace (prerequest/trace.h) of one session to a file.
 *
 * The file is compressed with gzip, whose checksum shows damage. Both threads of a session add
 * records. That goes to memory, so they never wait for the disk. The owner of the session opens the
 * log before the session begins, writes out now and then what was added, and closes the log after
 * the session has ended.
 */
#ifndef VNCHL_TRACE_LOG_H
#define VNCHL_TRACE_LOG_H

#include "prerequest/trace.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

struct trace_log;

/* Opens the file for writing; NULL with a reason. */
struct trace_log *trace_log_open(const char *path, struct reason *why);

/* A log without a file: what is added is taken by trace_log_take(). NULL when out of memory. */
struct trace_log *trace_log_relay(void);

/* What was added to a log without a file since the last call. Valid until the next one. `end`: the
 * trace ends here. Returns the bytes. */
size_t trace_log_take(struct trace_log *log, bool end, const void **bytes);

/* Adds a piece of a trace that trace_log_take() has given out, perhaps in another process. `end`:
 * it is the last one. Without that the trace is not whole. */
void trace_log_put(struct trace_log *log, const void *bytes, size_t size, bool end);

/* Adds the head: the scheduler begins with these options. */
void trace_log_begin(struct trace_log *log, const struct scheduler_options *options);

/* Adds a record; any thread. If nobody flushes for long, the buffer is full at last. Then the trace
 * ends here, and says so. */
void trace_log_add(struct trace_log *log, const struct trace_record *record);

/* The owner: writes out what was added. May wait for the disk. Call it once a second or so. Safe on
 * NULL. */
void trace_log_flush(struct trace_log *log);

/* Ends the trace and frees the log. False, with a reason, when the file is not whole. Safe on NULL.
 */
bool trace_log_close(struct trace_log *log, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
