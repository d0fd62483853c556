/* Another window: this program once more, for another connection. It outlives this one.
 *
 * UI thread.
 */
#ifndef VNCHL_ANOTHER_WINDOW_H
#define VNCHL_ANOTHER_WINDOW_H

#include <stdbool.h>

#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Starts it, without any argument: it opens the start window. It does not get the password that may
 * be in our environment. False, with a reason. */
bool another_window_open(struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
