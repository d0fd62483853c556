/* How long until what changes beside a film is on the screen as it was drawn, pixel for pixel.
 *
 * A scene may have a strip below its content that changes with every so many frames (scene.h). The
 * eye draws the next one itself, and looks for it. When it was drawn is known of the film's marks:
 * of the frame that it came with, or of a later one and the time between two frames. */
#ifndef VNCHL_LAB_BESIDE_H
#define VNCHL_LAB_BESIDE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "prerequest/tick.h"
#include "tools/lab/content/scene.h"
#include "tools/marks/mark.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BESIDE_MOST 1024

struct beside {
    struct scene *scene; /* with the strip that is awaited; NULL: there is none */
    bool begun;
    uint32_t number;              /* of the strip that is awaited */
    tick_t exact_at;              /* when it was exact; TICK_NEVER: not yet */
    uint32_t first;               /* a frame, and when it was drawn: */
    tick_t first_drawn;           /* others are counted from it */
    double exact_ms[BESIDE_MOST]; /* from drawing until it was exact */
    size_t exact;
    unsigned never; /* strips that gave way to others before they were exact */
};

/* False when memory is short. `kind` NULL, or one without such a strip: nothing is looked for. */
bool beside_open(struct beside *b, const struct scene_kind *kind, int width, int height,
                 uint32_t seed);
void beside_close(struct beside *b);

/* The frame mark at (x, y) of the screen was read at `now`. Not `counts`: outside of what is
 * measured. */
void beside_look(struct beside *b, const struct mark_picture *screen, int x, int y,
                 const struct mark *m, bool counts, tick_t now);

/* One JSON object in one line, without a newline. */
void beside_write(const struct beside *b, FILE *to);

#ifdef __cplusplus
}
#endif
#endif
