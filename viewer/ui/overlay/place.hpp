/* Where a notice lies that nobody has to answer: beside the picture, if there is room. Else in the
 * corner of the window that is farthest from where the person works: from the pointer, and from
 * what has changed last.
 *
 * Pure. All lengths are in pixels of the window.
 */
#pragma once

#include "rfb/region.h"

namespace kit
{

struct Around {
    int width, height;   /* of the window */
    struct rect picture; /* in the window; empty: there is none */
    struct rect pointer; /* empty: it is elsewhere */
    struct rect change;  /* empty: nothing is known of one */
    struct rect taken;   /* something else is shown there; empty: nothing is */
};

/* For a notice of w x h that keeps `gap` from the edges. `before` is where it has been, and stays
 * unless pointer or change come near; empty: nowhere. */
struct rect notice_place(int w, int h, int gap, const struct Around &around,
                         const struct rect &before);

} // namespace kit
