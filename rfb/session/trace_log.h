/* Writes a trace (prerequest/trace.h) of one session to a file.
 *
 * The file is compressed with gzip, so damage shows by its checksum. Both threads of a session add
 * records, which takes memory only. The owner of the session opens the log before the session
 * begins, writes out what has been added now and then, and closes the log after the session has
 * ended.
 */
#ifndef VNCHL_TRACE_LOG_H
#define VNCHL_TRACE_LOG_H

#include "prerequest/trace.h"
#include "rfb/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

struct trace_log;

/* Opens the file for writing; NULL with a reason. */
struct trace_log *trace_log_open(const char *path, struct reason *why);

/* The scheduler begins with these options. */
void trace_log_begin(struct trace_log *log, const struct scheduler_options *options);

/* Any thread. When nobody writes for long, memory runs out at last: then the trace ends here, and
 * says so. */
void trace_log_add(struct trace_log *log, const struct trace_record *record);

/* The owner: writes out what has been added. May wait for the disk. Call once a second or so. Safe
 * on NULL. */
void trace_log_flush(struct trace_log *log);

/* Ends the trace and frees the log. False, with a reason, when the file lacks something. Safe on
 * NULL. */
bool trace_log_close(struct trace_log *log, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
