/* The scenes there are; only scene.c needs to know. What each shows is said in its own file. */
#ifndef VNCHL_LAB_SCENE_KINDS_H
#define VNCHL_LAB_SCENE_KINDS_H

#include "tools/lab/content/scene.h"

extern const struct scene_kind scene_video, scene_starts, scene_inactive, scene_typing,
    scene_scrolling, scene_drag, scene_pages;
extern const struct scene_kind scene_letter, scene_scroll, scene_fill, scene_bitmap, scene_image;
extern const struct scene_kind scene_writing, scene_terminal, scene_browsing, scene_windows;
extern const struct scene_kind scene_presses, scene_captions, scene_menu;

#endif
