/* A picture of the server's screen, as it is, in a PNG file of the user's pictures folder.
 *
 * Any thread. Pure where nothing else is said.
 */
#ifndef VNCHL_SCREENSHOT_H
#define VNCHL_SCREENSHOT_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "rfb/decode/framebuffer_reader.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SCREENSHOT_NAME_MAX 128 /* bytes, with the NUL */

/* "vnchl-NAME-2026-11-22-051700.png" of the desktop's name, which may hold anything, and the local
 * time. It has no character that means something in a path or to a shell, and does not begin with a
 * dot. */
void screenshot_name(const char *desktop, const struct tm *when, char out[SCREENSHOT_NAME_MAX]);

/* The folder that the text of user-dirs.dirs names for XDG_PICTURES_DIR. False: none. */
bool screenshot_user_dir(const char *text, const char *home, char out[PATH_MAX]);

/* Where pictures go: XDG_PICTURES_DIR in the environment or in the user's user-dirs.dirs, if it is
 * there, else the home folder. Reads files. */
bool screenshot_folder(char out[PATH_MAX], struct reason *why);

/* Writes the pixels (0x00RRGGBB) to a new file, which only the user can read, and `out` gets its
 * path. If there is a file of this name, a number is added. Writes files. */
bool screenshot_save(const char *folder, const char *name, const uint32_t *pixels, int width,
                     int height, char out[PATH_MAX], struct reason *why);

/* Looks at the picture, and saves it like that, named after the desktop and the time. `picture`
 * NULL: there is none. The thread that draws it. */
bool screenshot_take(struct framebuffer_reader *picture, const char *desktop, char out[PATH_MAX],
                     struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
