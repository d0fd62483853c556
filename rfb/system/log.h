/* Lines for the person at the terminal, on standard error, each starting with "vnchl: ". A process
 * that has no terminal of its own hands them to somebody who has (log_to()).
 *
 * Any thread. What a server wrote passes through sanitise() before it is shown.
 */
#ifndef VNCHL_LOG_H
#define VNCHL_LOG_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LOG_LINE_MAX 600 /* bytes with the NUL; a longer line is cut */

/* What is opened later would take the place of a standard descriptor that is closed, and lines
 * would go into it. So /dev/null takes that place. The first thing that a program does. */
void log_guard_descriptors(void);

/* Shows log_debug() lines too. */
void log_set_verbose(bool verbose);

bool log_is_verbose(void);

/* From now on `take` gets each line, and whether it is for log_debug(); nothing is written any
 * more. Once, before any thread starts. Any thread calls `take`. */
void log_to(void (*take)(bool debug, const char *line));

void log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif
#endif
