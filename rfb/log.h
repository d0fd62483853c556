/* Lines for the person at the terminal, on standard error, each starting with "vnchl: ".
 *
 * Any thread. What a server wrote passes through sanitise() before it is shown.
 */
#ifndef VNCHL_LOG_H
#define VNCHL_LOG_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Shows log_debug() lines too. */
void log_set_verbose(bool verbose);

void log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif
#endif
