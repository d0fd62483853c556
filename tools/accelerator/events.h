/* Lines for the administrator, on standard error: "vnchl-accel: event=NAME key=value ...". A text
 * is given as key="...". Only the loop's thread.
 *
 * Whoever can reach a port can cause lines. EVENT_LIMITED ones are at most EVENTS_PER_SECOND; how
 * many were left out is said in the next second.
 *
 * Who reads standard error may stall, and a write there waits then. So a thread of its own writes,
 * between events_begin() and events_end(). EVENTS_WAIT_MOST bytes wait for it at most; lines beyond
 * are left out and counted, too.
 */
#ifndef VNCHL_ACCELERATOR_EVENTS_H
#define VNCHL_ACCELERATOR_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

#define EVENTS_PER_SECOND 20
#define EVENTS_WAIT_MOST  (64 << 10)

enum event_weight { EVENT_ALWAYS, EVENT_LIMITED };

/* From now on nothing is said. */
void events_keep_quiet(void);

/* Starts the thread. False with a reason. */
bool events_begin(struct reason *why);

/* Waits until all is written, two seconds at most. */
void events_end(void);

void event_log(enum event_weight weight, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Makes a text fit between the quotes of key="...", in place. */
const char *event_text(char *text);

#ifdef __cplusplus
}
#endif
#endif
