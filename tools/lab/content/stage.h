/* The window that shows a scene: all that knows X.
 *
 * It is override-redirect and lies where the scene says. A second window without a picture covers
 * the whole screen, has the focus, takes all presses wherever the pointer is, and gives the pointer
 * an empty shape so that it never lies over a mark. A part of the picture goes out as one request,
 * through shared memory where the server has it. Errors of X end the program with one line. */
#ifndef VNCHL_LAB_STAGE_H
#define VNCHL_LAB_STAGE_H

#include <stdbool.h>

#include "prerequest/tick.h"
#include "tools/lab/content/scene.h"

struct stage;

/* NULL after an error, which has been reported. From now on the scene's picture lives in memory
 * shared with the X server; it must not outlive the stage. Without `sync` nothing waits for a
 * server that does not share it. */
struct stage *stage_open(struct scene *s, bool sync);
void stage_close(struct stage *stage);

/* Sends all of the change; returns at once. */
void stage_send(struct stage *stage, const struct scene_change *change);

/* Waits until the server has drawn everything, unless the stage was opened without that. */
void stage_finish(struct stage *stage);

/* Waits for presses until `when`, or a signal, or some moment before. Returns how many there were.
 */
int stage_presses(struct stage *stage, tick_t when);

#endif
