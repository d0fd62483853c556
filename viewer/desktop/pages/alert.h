/* A window that says why the program does not start: for somebody who has started it from a menu or
 * a file manager, where nobody sees a line on standard error.
 *
 * UI thread, before or after app_run(), never inside. Initialises and quits SDL.
 */
#ifndef VNCHL_ALERT_H
#define VNCHL_ALERT_H

#include <stdbool.h>

#include "viewer/ui/theme.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Shows the text with a Close button and waits until the person has closed it. Does nothing where
 * no window can be opened. */
void alert_show(const char *text, enum ui_theme theme);

/* Whether a window is the place to say something: there is a display, and nobody reads standard
 * error. */
bool alert_is_needed(void);

/* Whether nobody reads what is written to `err`, given the three standard descriptors of a program.
 * Somebody does if one of them is a terminal, or if output or error is a pipe, or if error goes to
 * a file of its own. Desktops start programs with both in one file, in /dev/null, or in sockets of
 * the system's log. */
bool alert_is_unread(int in, int out, int err);

#ifdef __cplusplus
}
#endif
#endif
