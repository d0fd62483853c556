/* The icon of the window, as pixels.
 *
 * It is the picture icons/hicolor/64x64/apps/vnchl.png. embed_icon.py makes an array of it when the
 * program is built. Constant: any thread may read it.
 */
#ifndef VNCHL_ICON_H
#define VNCHL_ICON_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Pixels in a row, and rows. */
#define ICON_SIDE 64

/* Row by row from the top, without gaps. Each pixel is 4 bytes: red, green, blue, and opacity (0 is
 * transparent; the colours are not multiplied with it). For SDL this is SDL_PIXELFORMAT_RGBA32. */
extern const uint8_t icon_rgba[ICON_SIDE * ICON_SIDE * 4];

#ifdef __cplusplus
}
#endif
#endif
