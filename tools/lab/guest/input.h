/* Presses of keys and mouse buttons, from the PS/2 controller's interrupts. Each is counted, and
 * MARK_INPUT drawn on every page of the screen, within the interrupt: no frame delays it.
 */
#ifndef VNCHL_GUEST_INPUT_H
#define VNCHL_GUEST_INPUT_H

#include <stdint.h>

/* Draws the mark for no presses at (x, y), and switches keyboard and mouse on. */
void input_init(int x, int y);

uint32_t input_presses(void);

#endif
