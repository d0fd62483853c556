/* How good the pictures were that a viewer showed: takes some of them and compares each with the
 * frame that was drawn, which the eye can draw itself (scene.h).
 *
 * Pictures are taken at moments fixed in advance, COMPARE_EVERY apart, so what stood on the screen
 * for longer counts for more. A viewer may be drawing just then: a picture is taken only when the
 * marks of the frame have been whole, with one number, for COMPARE_AFTER, and is used only when
 * they still are after it was copied. Else the next whole frame is taken instead. What one frame
 * has of another between its marks (a server that read its screen while it changed) is the
 * viewer's picture, and counts.
 *
 * The thread that looks copies the picture and goes on; a thread of its own draws and compares, one
 * picture at a time. While it is busy none is taken. The two share one slot and no lock.
 */
#ifndef VNCHL_LAB_COMPARE_H
#define VNCHL_LAB_COMPARE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "prerequest/tick.h"
#include "tools/lab/content/scene.h"
#include "tools/marks/lookout.h"
#include "tools/marks/mark.h"
#include "tools/marks/sightings.h"

#ifdef __cplusplus
extern "C" {
#endif

#define COMPARE_EVERY (250 * TICK_MS)
#define COMPARE_AFTER (5 * TICK_MS)

struct compare;

/* NULL when memory is short or no thread can be had. */
struct compare *compare_open(const struct scene_kind *kind, int width, int height, uint32_t seed);
void compare_close(struct compare *c);

/* A pointer that the viewer shows is no part of the content: this place is left out from now on. */
void compare_pointer(struct compare *c, int x, int y);

/* What was read of the screen at `now`, which lies in the measured part. */
void compare_look(struct compare *c, const struct mark_picture *screen, const struct lookout *l,
                  const struct sighting *what, tick_t now);

/* Waits for the last comparison. No look may follow. */
void compare_finish(struct compare *c);

/* One JSON object in one line, without a newline (docs/benchmark.md). After compare_finish(). */
void compare_write(const struct compare *c, FILE *to);

#ifdef __cplusplus
}
#endif

#endif
