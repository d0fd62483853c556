/* What came in each encoding: rectangles, and their bytes.
 *
 * Any thread; it has a lock of its own.
 */
#ifndef VNCHL_WEIGHTS_H
#define VNCHL_WEIGHTS_H

#include <stdint.h>

#include "rfb/session/session_stats.h"

#ifdef __cplusplus
extern "C" {
#endif

struct weights;

/* NULL when out of memory. */
struct weights *weights_create(void);
void weights_destroy(struct weights *w); /* safe on NULL */

/* A rectangle of this encoding had so many bytes, without its head. One that is no pixel encoding
 * of ours does not count. */
void weights_add(struct weights *w, int32_t encoding, uint64_t bytes);

void weights_stats(struct weights *w, struct session_stats *out);

#ifdef __cplusplus
}
#endif
#endif
