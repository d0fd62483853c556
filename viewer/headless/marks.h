/* Reads the marks of the lab's content in the picture a session shows, and presses keys to see them
 * answered there: headless mode's part of what the lab measures (docs/benchmark.md).
 *
 * Main thread. */
#ifndef VNCHL_MARKS_H
#define VNCHL_MARKS_H

#include "rfb/session/session.h"
#include "tools/marks/sightings.h"

#ifdef __cplusplus
extern "C" {
#endif

struct marks;

/* `press_every_ms` 0: no presses. NULL when out of memory. */
struct marks *marks_create(double press_every_ms);
void marks_destroy(struct marks *m);

/* Reads the picture, whose lock the caller holds. */
void marks_look(struct marks *m, const struct framebuffer_view *view, tick_t now);

/* When the first whole picture was seen; TICK_NEVER: not known yet. */
tick_t marks_first(const struct marks *m, tick_t now);

/* Presses begin; they are measured from marks_begin() to marks_end(). */
void marks_start_presses(struct marks *m, tick_t now);
void marks_press_if_due(struct marks *m, struct session *s, tick_t now);
tick_t marks_next_press(const struct marks *m); /* TICK_NEVER: none */

/* False, with the reason, when presses are wanted and no mark counts them. */
bool marks_begin(struct marks *m, tick_t now, struct reason *why);
void marks_end(struct marks *m, tick_t now);

/* Some presses have not shown yet. */
bool marks_waiting(const struct marks *m);

/* What was seen becomes the caller's: to be deinitialised and freed. Only once. */
struct sightings *marks_take(struct marks *m);

#ifdef __cplusplus
}
#endif
#endif
