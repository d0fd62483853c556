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

/* Whether nobody reads standard error, and there is a display. It is read when it is a terminal, or
 * a pipe, which leads to another program. */
bool alert_is_needed(void);

#ifdef __cplusplus
}
#endif
#endif
