/* The host's CLOCK_MONOTONIC, in the guest.
 *
 * QEMU derives the HPET's counter from that very clock (10 ns steps, no rounding that adds up), so
 * the rate is right and only a constant offset is missing. The guest asks the host for it over the
 * serial line: the host's answer lies between the guest's times of question and answer, so each
 * exchange bounds the offset from both sides; the bounds of many exchanges are intersected. Asked
 * again now and then, in case QEMU was stopped for a while.
 *
 * The time-stamp counter would be cheaper to read but has the host's TSC rate, which is neither
 * known in the guest nor slewed as the monotonic clock is.
 */
#ifndef VNCHL_GUEST_CLOCK_H
#define VNCHL_GUEST_CLOCK_H

#include <stdbool.h>

#include "prerequest/tick.h"

void guest_clock_init(void);

/* Asks the host once. False when no answer came within 20 ms. */
bool guest_clock_ask(void);

/* By how much the clock may be wrong; TICK_NEVER before the first answer. */
tick_t guest_clock_bound(void);

/* Runs from the start, is the host's from the first answer on: tick_now(). */

#endif
