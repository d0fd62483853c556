/* Where a window is to be, as X programs say it: WIDTHxHEIGHT+X+Y. Pure. */
#ifndef VNCHL_WINDOW_PLACE_H
#define VNCHL_WINDOW_PLACE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Screen units, as SDL counts them. All zero: nothing is asked for. */
struct window_place {
    int width, height; /* of what is inside the window's frame; 0: as the picture needs it */
    bool placed;       /* x and y count */
    int x, y;          /* from the edges of the screen */
    bool from_right, from_bottom;
};

/* "800x600", "+0+0", "800x600-10+20". False: it is none of these. */
bool window_place_parse(struct window_place *place, const char *text);

/* The position of a side of `size` units on a screen that begins at `begin` and has `room`. */
int window_place_at(int offset, bool from_end, int size, int begin, int room);

#ifdef __cplusplus
}
#endif
#endif
