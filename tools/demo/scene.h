/* The picture of the demo server.
 *
 * Four parts: a film that changes everywhere in each frame, a test card that stays still, text
 * that types itself, and a panel that shows what the keyboard typed. Clicks are marked for a
 * while wherever they fall. One thread calls all of it; time is an argument.
 *
 * The picture the server sends is written only here and only inside the rectangles that are
 * reported to `damaged`, once they are complete.
 */
#ifndef VNCHL_DEMO_SCENE_H
#define VNCHL_DEMO_SCENE_H

#include <stdint.h>

#include "prerequest/tick.h"
#include "tools/demo/canvas.h"

#define SCENE_WIDTH_MIN  320
#define SCENE_HEIGHT_MIN 240
#define SCENE_WIDTH_MAX  7680
#define SCENE_HEIGHT_MAX 4320

/* How long the spot of a click stays marked. */
#define SCENE_MARK_TIME (10 * TICK_S)

typedef void (*scene_damaged_fn)(void *user, struct rect r);

struct scene;

/* Draws the first picture. NULL when memory is short. `fps` is shown only. */
struct scene *scene_create(int width, int height, double fps, scene_damaged_fn damaged, void *user);
void scene_destroy(struct scene *s);

/* The picture: width * height pixels 0x00RRGGBB. It stays where it is. */
uint32_t *scene_pixels(struct scene *s);

/* Draws film frame `frame` (any number; 0 first) and types on. `measured_fps` is shown. */
void scene_frame(struct scene *s, uint64_t frame, double measured_fps, tick_t now);

/* A key went down: printable ones appear, Return breaks the line, BackSpace takes one back. */
void scene_key(struct scene *s, uint32_t keysym);

/* Button 1..8 went down at x, y (anything; clamped into the picture). */
void scene_click(struct scene *s, int x, int y, int button, tick_t now);

#endif
