/* The user's hand: presses a key or a button on an X display through XTEST, as a person in front of
 * it would. */
#ifndef VNCHL_LAB_HAND_H
#define VNCHL_LAB_HAND_H

#include <stdbool.h>

enum hand_press { HAND_KEY, HAND_CLICK };

struct hand;

/* NULL when the display cannot be used; has said why on standard error. When the display goes away
 * later, the program ends with a line that says so. */
struct hand *hand_open(const char *display);
void hand_close(struct hand *h);

/* Moves the pointer there and gives the focus to the top-level window under it: without a window
 * manager nobody else would. */
void hand_place(struct hand *h, int x, int y);

/* The key "a" or button 1, down and up at once. */
void hand_press(struct hand *h, enum hand_press press);

#endif
