/* Panning: where a picture is larger than the window, it moves while the pointer is at an edge of
 * the window that it reaches over. And the user can take hold of it and drag it.
 *
 * Pure value type, UI thread. Positions are in window units, steps in output pixels.
 */
#ifndef VNCHL_PAN_H
#define VNCHL_PAN_H

#include <stdbool.h>

#include <SDL_events.h>

#include "prerequest/tick.h"
#include "viewer/desktop/display/screen_map.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PAN_EDGE   8              /* window units: how wide an edge is. Chosen. */
#define PAN_PERIOD (16 * TICK_MS) /* ns between two steps */
#define PAN_STEP   16             /* output pixels: 1000 in a second. Chosen. */

struct pan {
    int x, y;           /* what is left out of the picture at its beginning (screen_map_zoom()) */
    int dx, dy;         /* -1, 0 or 1: where it moves */
    tick_t due;         /* when it moves next; TICK_NEVER: it does not */
    bool held;          /* it is dragged: */
    int held_x, held_y; /* where the pointer took hold of it, plus what was left out then */
};

void pan_init(struct pan *p);

/* The pointer is there. */
void pan_pointer(struct pan *p, const struct screen_map *map, int x, int y, tick_t now);

/* The pointer takes hold of the picture. False: all of it is to be seen. */
bool pan_hold(struct pan *p, const struct screen_map *map, int x, int y);

/* The pointer is there: what it holds follows. True when it has moved, as after pan_move(). */
bool pan_drag(struct pan *p, const struct screen_map *map, int x, int y);

void pan_let_go(struct pan *p);

/* The same from events: the left button, with `keys` held down. True when the event is a part of
 * that. *moved: the picture has moved. */
bool pan_event(struct pan *p, const struct screen_map *map, const SDL_Event *event, bool keys,
               bool *moved);

/* The pointer is outside of the window, or there is another picture: nothing moves. */
void pan_stop(struct pan *p);

/* Moves if that is due; true then. The map says how far it can, and is to be made anew then. */
bool pan_move(struct pan *p, const struct screen_map *map, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
