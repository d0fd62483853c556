/* What --verbose says of a session while it runs: encodings, quality, round trip. Pure. */
#ifndef VNCHL_STATUS_LINE_H
#define VNCHL_STATUS_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "rfb/session/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the line for `now`: "round trip 12 ms; tight, copyrect; JPEG level 6, compression 2".
 * Returns false when nothing worth a line has changed since `said`, the figures of the line before
 * (zeroed: there was none), or when there is nothing to say yet. */
bool status_line(const struct session_stats *said, const struct session_stats *now, char *out,
                 size_t size);

#ifdef __cplusplus
}
#endif
#endif
