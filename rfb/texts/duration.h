/* A time as a user writes it: 90s, 30m, 12h, 2d; off is 0. Programs say seconds to each other, and
 * no unit. Pure. */
#ifndef VNCHL_DURATION_H
#define VNCHL_DURATION_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Seconds: the longest, 30 days. */
#define DURATION_MOST (30u * 86400)
/* What is taken, for messages. */
#define DURATION_FORM "a time such as 90s, 30m, 12h or 2d, at most 30d, or off"

/* False: it is none. */
bool duration_parse(const char *text, unsigned *seconds);

/* Whether such a text names its unit, or needs none: off, 0. */
bool duration_has_unit(const char *text);

#ifdef __cplusplus
}
#endif
#endif
