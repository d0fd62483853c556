/* The screen: QEMU's standard VGA through its Bochs registers, 32 bits per pixel.
 *
 * Three pages, flipped by moving the y offset. QEMU reads the page that is shown when its display
 * timer fires, while the guest runs on; with three pages the guest never draws on the page that is
 * being read or on the one before it, so a picture is never half old and half new.
 */
#ifndef VNCHL_GUEST_SCREEN_H
#define VNCHL_GUEST_SCREEN_H

#include "tools/marks/mark.h"

#define SCREEN_PAGES 3

/* Sets the mode and fills all pages with one colour. Dies when there is no such screen. */
void screen_init(int width, int height, uint32_t colour);

/* The page with this index as a picture. */
struct mark_picture screen_page(int index);

/* Which page is shown; the one to draw the next frame on is the next, modulo SCREEN_PAGES. */
int screen_shown(void);
void screen_show(int index);

#endif
