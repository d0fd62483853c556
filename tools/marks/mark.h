/* Machine-readable marks in a picture: which frame this is, and when it was drawn.
 *
 * The lab's content draws them on the server's screen; whoever looks at a viewer's screen, or at
 * the picture inside the viewer, reads them back. A mark is a grid of 10 x 9 black and white cells
 * of 8 x 8 pixels; it survives JPEG of quality 4 and more at any place, but no scaling. The first
 * row says that this is a mark. The other 80 cells, most significant bit first, white is 1, are
 *
 *   4 bits kind, 28 bits number, 32 bits time, 16 bits CRC (CRC-16/CCITT-FALSE of the 8 bytes)
 *
 * A mark that is half old and half new does not pass the CRC: it reads as no mark.
 *
 * Pure: no clock, no allocation, nothing but arithmetic, so that it also builds without a libc.
 */
#ifndef VNCHL_MARK_H
#define VNCHL_MARK_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MARK_CELL       8
#define MARK_COLUMNS    10
#define MARK_ROWS       9
#define MARK_WIDTH      (MARK_CELL * MARK_COLUMNS) /* pixels */
#define MARK_HEIGHT     (MARK_CELL * MARK_ROWS)
#define MARK_NUMBER_MAX 0xfffffffu

enum mark_kind {
    MARK_FRAME = 1, /* of the content: in its top left corner */
    MARK_FRAME_END, /* the same number again in its bottom right corner, when there is room: a
                       picture that shows two numbers is torn */
    MARK_INPUT,     /* how many presses of keys and buttons the content has got so far */
};

struct mark {
    enum mark_kind kind;
    uint32_t number; /* modulo 2^28 */
    uint32_t time;   /* mark_time() of the moment it was drawn; 0: not known */
};

/* Where a picture is: native 32-bit 0x??RRGGBB, `stride` pixels from one row to the next. */
struct mark_picture {
    uint32_t *pixels;
    int width, height, stride;
};

/* Units of 10 us of the monotonic clock, modulo 2^32 (12 hours), never 0. Both ends of the link are
 * on one machine: they have one clock. */
uint32_t mark_time(tick_t now);

/* How long ago a mark was drawn, ns. Only for a time that is not 0. */
tick_t mark_age(const struct mark *m, tick_t now);

/* Draws a mark with its top left corner at (x, y); it must lie inside the picture. */
void mark_draw(const struct mark_picture *p, int x, int y, const struct mark *m);

/* Reads the mark at (x, y). False when there is none, or not a whole one. */
bool mark_read(const struct mark_picture *p, int x, int y, struct mark *m);

/* From a place where a mark reads to the mark's own, up to three pixels away. The picture may
 * change meanwhile. False when no mark reads there: then the place stays. */
bool mark_settle(const struct mark_picture *p, int *x, int *y, struct mark *m);

/* Looks everywhere for a mark of this kind. Takes up to some milliseconds: remember the place. */
bool mark_find(const struct mark_picture *p, enum mark_kind kind, int *x, int *y, struct mark *m);

#ifdef __cplusplus
}
#endif
#endif
