/* What SDL does not tell of a Wayland compositor.
 *
 * Any thread. Asks over a connection of its own, and waits for the answer.
 */
#ifndef VNCHL_WAYLAND_H
#define VNCHL_WAYLAND_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a window may take the keys that the compositor keeps for itself, such as Alt+Tab. */
bool wayland_gives_keys(void);

#ifdef __cplusplus
}
#endif
#endif
