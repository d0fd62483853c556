/* Wakes who waits for an eventfd. */
#ifndef VNCHL_WAKE_H
#define VNCHL_WAKE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Makes the eventfd readable. `whom` is for the log. Callable from any thread. */
void eventfd_wake(int fd, const char *whom);

#ifdef __cplusplus
}
#endif
#endif
