/* Whether the desktop is light or dark, as its settings portal says it on D-Bus, and when that
 * changes (org.freedesktop.portal.Settings, org.freedesktop.appearance color-scheme).
 *
 * A bus may take long to answer, and the portal may have to be started: so a thread of its own asks
 * and listens, and nobody waits for it. What comes is checked: at most SETTINGS_PORTAL_MOST bytes a
 * message, and a number where a number belongs. Built without libdbus there is no portal.
 *
 * The owner's thread.
 */
#ifndef VNCHL_SETTINGS_PORTAL_H
#define VNCHL_SETTINGS_PORTAL_H

#include <stdbool.h>

#include "viewer/ui/ui.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SETTINGS_PORTAL_MOST 65536 /* bytes. Chosen: an answer has some 100. */

struct settings_portal;

/* Begins to ask and to listen. `wake` is called by another thread when settings_portal_show() has
 * something to show. NULL: there is no bus, or no memory or thread for it. */
struct settings_portal *settings_portal_open(void (*wake)(void *user), void *user);

/* Gives the pages the colours that the desktop has said since the last call, if it has. Safe on
 * NULL. */
void settings_portal_show(struct settings_portal *p, struct ui *pages);

/* Does not wait; `wake` is not called afterwards. Safe on NULL. */
void settings_portal_close(struct settings_portal *p);

#ifdef __cplusplus
}
#endif
#endif
