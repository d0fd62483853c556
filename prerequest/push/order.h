/* Which cells go next.
 *
 *   1. what the user waits for (URGENT), the row nearest to the pointer first
 *   2. what changed, the oldest change first. So a pass over a frame ends before the next one
 *      begins, and each part of a film has its turn when the path does not carry all of it.
 *   3. what was sent with loss and is still: exact, what has been still for longest first
 *
 * A strip begins at such a cell and goes on to the right as long as the cells need the same. It may
 * take cells along that changed later: wide strips are cheaper. 40 cells of a photograph in one
 * JPEG strip take less than 40 strips of a cell, for each strip codes its first colours whole.
 *
 * Pure.
 */
#ifndef VNCHL_PUSH_ORDER_H
#define VNCHL_PUSH_ORDER_H

#include "prerequest/push/cells.h"
#include "prerequest/push/constants.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Each returns false when there is nothing of its kind. `pointer_y`: pixels. */
bool push_order_urgent(const struct push_cells *c, int pointer_y, struct push_run *out);
bool push_order_changed(const struct push_cells *c, struct push_run *out);
bool push_order_still(struct push_cells *c, tick_t now, struct push_run *out);

/* How many rows from this one on have changed in all of these columns, as long ago as it: 1 to
 * `most`. */
int push_order_below(const struct push_cells *c, const struct push_run *r, int most);

/* The turn of the oldest change. Only when something has changed. */
uint32_t push_order_oldest(const struct push_cells *c);

/* When push_order_still() may find something; TICK_NEVER: nothing is lossy. */
tick_t push_order_still_at(const struct push_cells *c, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
