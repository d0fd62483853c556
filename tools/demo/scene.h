/* The picture of the demo server.
 *
 * Four parts: a film that changes everywhere in each frame, a test card that stays still, text
 * that types itself, and a panel that shows what the keyboard typed. Clicks leave a spot for a
 * while wherever they fall. One thread calls all of it; time is an argument.
 *
 * The picture the server sends is written only here and only inside the rectangles that are
 * reported to `damaged`, once they are complete.
 */
#ifndef VNCHL_DEMO_SCENE_H
#define VNCHL_DEMO_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/tick.h"
#include "tools/demo/canvas.h"

#define SCENE_WIDTH_MIN  320
#define SCENE_HEIGHT_MIN 240
#define SCENE_WIDTH_MAX  7680
#define SCENE_HEIGHT_MAX 4320

/* How long the spot of a click is shown. */
#define SCENE_SPOT_TIME (10 * TICK_S)

typedef void (*scene_damaged_fn)(void *user, struct rect r);

struct scene;

struct scene_settings {
    int width, height;
    double fps; /* is shown only */
    bool marks; /* tools/marks/mark.h's: frame marks in the film, the input mark beside it */
};

/* Draws the first picture. NULL when memory is short. */
struct scene *scene_create(const struct scene_settings *set, scene_damaged_fn damaged, void *user);
void scene_destroy(struct scene *s);

/* The picture: width * height pixels 0x00RRGGBB. It stays where it is. */
uint32_t *scene_pixels(struct scene *s);

/* Draws film frame `frame` (any number; 0 first) aside. `measured_fps` is shown. */
void scene_frame(struct scene *s, uint64_t frame, double measured_fps);

/* Brings it to the picture, and types on. `now` is when it is shown, for the marks, which number
 * the frames shown. */
void scene_show(struct scene *s, tick_t now);

/* A key or a button went down: only for the input mark, which counts them. */
void scene_press(struct scene *s, tick_t now);

/* A key went down: printable ones appear, Return breaks the line, BackSpace takes one back. */
void scene_key(struct scene *s, uint32_t keysym);

/* Button 1..8 went down at x, y (anything; clamped into the picture). Shows nothing where there are
 * marks. */
void scene_click(struct scene *s, int x, int y, int button, tick_t now);

#endif
