/* The serial line to the host (COM1), by polling: the guest speaks, the host answers.
 *
 * guest -> host, lines:
 *   time N T B     question number N; T is the time the guest believes it is (ns of the host's
 *                  monotonic clock, 0: no idea), B how wrong it may be (ns); decimal
 *   ready WxH      the first picture is there
 *   state F L P    so far: frames drawn, frames that were late by more than a frame, presses
 *   error TEXT     and it stops
 * host -> guest:
 *   N T            the host's monotonic clock, ns, answers question N
 */
#ifndef VNCHL_GUEST_SERIAL_H
#define VNCHL_GUEST_SERIAL_H

#include <stdbool.h>
#include <stdint.h>

void serial_init(void);

void serial_text(const char *text);
void serial_number(uint64_t value);

/* Throws away what has come and not been read. */
void serial_flush(void);

/* One byte, or -1 when there is none yet. */
int serial_byte(void);

/* Says why on the serial line and stops the guest. */
void die(const char *why) __attribute__((noreturn));

#endif
