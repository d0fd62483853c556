/* Lines for the administrator, on standard error: "vnchl-accel: event=NAME key=value ...". A text
 * is given as key="...". Only the loop's thread.
 *
 * Whoever can reach a port can cause lines. EVENT_LIMITED ones are at most EVENTS_PER_SECOND; how
 * many were left out is said in the next second.
 */
#ifndef VNCHL_ACCELERATOR_EVENTS_H
#define VNCHL_ACCELERATOR_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EVENTS_PER_SECOND 20

enum event_weight { EVENT_ALWAYS, EVENT_LIMITED };

void event_log(enum event_weight weight, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Makes a text fit between the quotes of key="...", in place. */
const char *event_text(char *text);

#ifdef __cplusplus
}
#endif
#endif
