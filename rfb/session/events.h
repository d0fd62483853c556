/* The events that the owner of the session has not taken yet, and the wake-up for the owner.
 *
 * Session threads add, the owner takes. The queue has a lock of its own. Of each type only the
 * newest event waits, of notices the newest 32: so a server cannot fill the memory of an owner that
 * is slow to take them.
 */
#ifndef VNCHL_EVENTS_H
#define VNCHL_EVENTS_H

#include <stdbool.h>

#include "rfb/session/session.h"

#ifdef __cplusplus
extern "C" {
#endif

struct events;

struct events *events_create(const struct session_callbacks *callbacks);
void events_destroy(struct events *q);

/* Adds the event at the end, and owns it from then on. One of the same type that still waits is
 * dropped; a notice only when there are too many. Wakes the owner if the queue was empty. Not for
 * SESSION_CLOSED. */
void events_add(struct events *q, struct session_event *event);

/* Tells the user, in one line, of something that was not done as asked; any thread. */
void events_notice(struct events *q, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds SESSION_CLOSED; call it once. `why` NULL: without a reason. Its memory was allocated at the
 * start, so the last event comes even when memory has run out. */
void events_close(struct events *q, enum failure failure, const char *why);

/* Wakes the owner without an event: the picture has changed. */
void events_wake(struct events *q);

/* No wake-up comes from now on: the owner is gone. */
void events_silence(struct events *q);

/* Takes the oldest; the caller frees it. NULL when there is none. */
struct session_event *events_take(struct events *q);

#ifdef __cplusplus
}
#endif
#endif
