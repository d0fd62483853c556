/* What the session has to tell, with one pending wake-up.
 *
 * Session threads add, the owner of the session takes. Has its own lock. Of each type only the
 * newest waits, so a server cannot fill the memory of an owner that is slow to take them.
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

/* Takes the event over. It replaces one of the same type that still waits, and goes to the end. Not
 * for SESSION_CLOSED. */
void events_add(struct events *q, struct session_event *event);

/* Adds SESSION_CLOSED, once; NULL: without a reason. Its memory has been there from the start, so
 * the last event always comes. */
void events_close(struct events *q, const char *why);

/* The picture is damaged: a wake-up without an event. */
void events_wake(struct events *q);

/* No wake-up comes from now on: whoever took them is gone. */
void events_silence(struct events *q);

/* The oldest, for free(); NULL when there is none. */
struct session_event *events_take(struct events *q);

#ifdef __cplusplus
}
#endif
#endif
