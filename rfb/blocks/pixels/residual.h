/* Pixels as three bytes each that deflate well: what is left of a pixel when its neighbours have
 * foretold it. Its bytes are green, red less green, blue less green, modulo 256. Rows go from top
 * to bottom. What is outside of the block counts as 0.
 *
 * Any thread: functions without state.
 */
#ifndef VNCHL_RESIDUAL_H
#define VNCHL_RESIDUAL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RESIDUAL_PIXEL 3 /* bytes */

/* Which neighbour foretells a pixel. The numbers are the wire's. */
enum residual_filter {
    RESIDUAL_LEFT,
    RESIDUAL_UP,
    RESIDUAL_PAETH, /* left, up, or left of up: the one nearest to left + up - left of up */
    RESIDUAL_FILTERS
};

/* The three bytes of each of w * h pixels, without what foretells them. */
void residual_spread(uint8_t *out, const uint32_t *pixels, int stride, int w, int h);

/* The other way. Sets the pixels' top byte to 0. */
void residual_gather(uint32_t *pixels, int stride, const uint8_t *bytes, int w, int h);

/* What is left of them. */
void residual_take(uint8_t *out, const uint8_t *bytes, int w, int h, enum residual_filter filter);

/* The other way, in place. */
void residual_restore(uint8_t *bytes, int w, int h, enum residual_filter filter);

/* How large it is, taken as signed numbers: the less, the better deflate does. */
uint32_t residual_weight(const uint8_t *bytes, int w, int h);

#ifdef __cplusplus
}
#endif
#endif
