/* What is to be drawn in the window now. Two draw it: screen_renderer.h, or screen_memory.h. */
#ifndef VNCHL_SCREEN_FRAME_H
#define VNCHL_SCREEN_FRAME_H

#include <stdbool.h>

#include "viewer/desktop/display/screen_map.h"
#include "viewer/ui/ui.h"

#ifdef __cplusplus
extern "C" {
#endif

struct screen_frame {
    const struct screen_map *map; /* where the picture is */
    bool dim;                     /* the picture is drawn dark */
    bool all;                     /* nothing of what is on the display counts any more */
    struct ui *above;             /* lies above the picture; NULL: nothing of it is to be seen */
    struct ui_view view;          /* how it sees the window */
};

#ifdef __cplusplus
}
#endif
#endif
