/* The servers whose picture a person wants as large as other programs on this display
 * (SCALE_SYSTEM), kept for later runs.
 *
 * UI thread.
 */
#ifndef VNCHL_SYSTEM_SCALE_H
#define VNCHL_SYSTEM_SCALE_H

#include <stdbool.h>

#include "rfb/net/address.h"
#include "rfb/net/route.h"

#ifdef __cplusplus
extern "C" {
#endif

bool system_scale_recall(const struct address *a, const struct route *route);

/* From now on, or with `on` false not any more. What fails is said by a line. Nothing is kept where
 * no server is named: of one that comes to us, and of a recording. */
void system_scale_note(const struct address *a, const struct route *route, bool on);

#ifdef __cplusplus
}
#endif
#endif
