/* Where the picture lies in the window, and back: the arithmetic of scaling and letterboxing.
 *
 * Pure value type, any thread. Window units are what SDL reports pointer positions in; output
 * pixels are what the renderer draws in. They differ on high-density displays only.
 */
#ifndef VNCHL_SCREEN_MAP_H
#define VNCHL_SCREEN_MAP_H

#include <stdbool.h>

#include "rfb/region.h"
#include "viewer/options/window_options.h"

#ifdef __cplusplus
extern "C" {
#endif

struct screen_map {
    int picture_w, picture_h; /* the server's pixels; 0 before the first picture */
    int window_w, window_h;   /* window units */
    int output_w, output_h;   /* output pixels */
    /* The picture in output pixels, centred where there is room for it. It may reach over the
     * edges: then it is moved (screen_map_zoom()). */
    struct rect target;
};

/* The picture is as large as fits. Sizes below 1 count as 1, except that a picture without pixels
 * keeps an empty target. */
struct screen_map screen_map_make(int picture_w, int picture_h, int window_w, int window_h,
                                  int output_w, int output_h);

/* Draws the picture as `scale` says. Of one that is larger than the output, the first *pan_x
 * columns and *pan_y rows of pixels are left out; both are put inside their limits. */
void screen_map_zoom(struct screen_map *m, const struct scale *scale, int *pan_x, int *pan_y);

/* How many output pixels a pixel of the picture is wide and high, if it is a whole number that is
 * the same for both and for all of them; else 0. */
int screen_map_whole(const struct screen_map *m);

/* True when the picture is drawn smaller than it is. */
bool screen_map_shrinks(const struct screen_map *m);

/* True when it is drawn smaller than it is, and larger than three quarters of that: so little
 * smaller that its letters lose more than the user wins. */
bool screen_map_nearly_fits(const struct screen_map *m);

/* True when every pixel of the picture is exactly one output pixel. */
bool screen_map_is_exact(const struct screen_map *m);

/* The picture pixel under a window position, clamped to the picture. False (and 0, 0) when there
 * is no picture. */
bool screen_map_to_picture(const struct screen_map *m, int window_x, int window_y, int *x, int *y);

/* Where a part of the picture is, in output pixels; it may be one too large. Empty when there is no
 * picture. */
struct rect screen_map_part(const struct screen_map *m, struct rect part);

/* The window position in the middle of a picture pixel; 0, 0 when there is no picture. */
void screen_map_to_window(const struct screen_map *m, int x, int y, int *window_x, int *window_y);

/* Window units per picture pixel; 1 when there is no picture. */
double screen_map_scale(const struct screen_map *m);

/* The largest size with the aspect of w x h that is neither larger than that nor than the limits;
 * at least 1 x 1. */
void screen_map_fit(int w, int h, int max_w, int max_h, int *fit_w, int *fit_h);

#ifdef __cplusplus
}
#endif
#endif
