/* How long until a picture that stands still is on the screen as it was drawn, pixel for pixel.
 *
 * A scene is a pure function of its frame number, so the eye draws the frame that it sees itself
 * and compares. It does so for contents that rest between motions (scene.h): once the number of a
 * frame has been there for STILL_AFTER, until the picture is exact or the next motion comes. */
#ifndef VNCHL_LAB_STILL_H
#define VNCHL_LAB_STILL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "prerequest/tick.h"
#include "tools/lab/content/scene.h"
#include "tools/marks/mark.h"

#define STILL_AFTER  (200 * TICK_MS)
#define STILL_WITHIN (2 * TICK_S) /* a shorter rest that did not become exact says nothing */
#define STILL_RESTS  1024

struct still {
    struct scene *scene; /* NULL: nothing is compared */
    bool known;
    uint32_t frame; /* on the screen, and since when */
    tick_t since;
    enum { STILL_MOVES, STILL_COMPARED, STILL_EXACT } state;
    double exact_ms[STILL_RESTS]; /* from drawing the frame until it was exact */
    size_t exact;
    unsigned never; /* rests that ended before it was */
};

/* False when memory is short. `kind` NULL, or one that never rests: nothing is compared. */
bool still_open(struct still *s, const struct scene_kind *kind, int width, int height,
                uint32_t seed);
void still_close(struct still *s);

/* The frame mark at (x, y) of the screen was read at `now`. Not `counts`: outside of what is
 * measured. */
void still_look(struct still *s, const struct mark_picture *screen, int x, int y,
                const struct mark *m, bool counts, tick_t now);

/* One JSON object in one line, without a newline. */
void still_write(const struct still *s, FILE *to);

#endif
