/* Numbers with units, as people write them for links, and the program's error line.
 *
 * A parser that fails prints one line on stderr that names the option, what it got and how to write
 * it. Only decimal numbers are taken.
 */
#ifndef VNCHL_LINKEM_UNITS_H
#define VNCHL_LINKEM_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/tick.h"

/* Prints "vnchl-linkem: message" and a newline on stderr. */
void linkem_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A time with its unit: us, ms, s or min. A bare 0 is taken too. Not longer than `max`. */
bool units_time(const char *option, const char *text, tick_t max, tick_t *out);

/* Bits per second: a number, an optional decimal k, M or G, an optional bit, bps or bit/s. 0 is
 * unlimited. */
bool units_rate(const char *option, const char *text, uint64_t max, uint64_t *out);

/* Bytes: a whole number and an optional binary k, M or G (KiB, ...). */
bool units_bytes(const char *option, const char *text, uint64_t max, uint64_t *out);

/* A probability in percent, with its sign: "1.5%" gives 0.015. A bare 0 is taken too. */
bool units_percent(const char *option, const char *text, double *out);

/* A whole number in min..max. */
bool units_integer(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *out);

#endif
