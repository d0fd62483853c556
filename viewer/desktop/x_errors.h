/* Errors that the X server reports late, about something that was asked long before.
 *
 * Xlib's own way is to print them and to end the program with status 1. A viewer must not end so:
 * such an error means that one request was not done. For example, SDL sends its window a message
 * whenever an event comes. If the window is closed by that event, the message may come after it.
 *
 * Before SDL opens the display. One handler for the whole process.
 */
#ifndef VNCHL_X_ERRORS_H
#define VNCHL_X_ERRORS_H

#ifdef __cplusplus
extern "C" {
#endif

/* From now on such an error is a line with --verbose, and nothing else. */
void x_errors_survive(void);

#ifdef __cplusplus
}
#endif
#endif
