/* A connected stream socket: name lookup, connect with a deadline, receive window, counters.
 *
 * The receiver thread connects; transport_info() and transport_unsent() are for any thread that
 * knows the socket to be open.
 */
#ifndef VNCHL_TRANSPORT_H
#define VNCHL_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prerequest/tick.h"
#include "rfb/net/address.h"
#include "rfb/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

struct transport_options {
    /* Receive buffer in bytes, set before connect because the window scale is agreed in the SYN
     * (thesis, section 4.2: 170 kB against 32 MB); 0 leaves it to the kernel's own tuning, at
     * first. */
    int64_t window_bytes;
};

struct transport_info {
    int64_t bytes_received; /* payload, as the kernel counts it; -1: not a TCP socket */
    int64_t bytes_sent;
    double rtt_ms;      /* smallest the kernel saw in the last minutes; 0: unknown */
    double smoothed_ms; /* its average, which a server that sits on its ACKs makes longer */
};

/* Connects before `deadline`. Returns a non-blocking socket with TCP_NODELAY set, or -1 with a
 * reason. `cancel_fd` becoming readable gives up. */
int transport_connect(const struct address *a, const struct transport_options *options,
                      tick_t deadline, int cancel_fd, struct reason *why);

void transport_info(int fd, struct transport_info *info);

/* The receive buffer the kernel granted, in bytes of payload it will advertise for. */
int64_t transport_window(int fd);

/* Sets the receive buffer of a connection and ends the kernel's own tuning of it. Returns what was
 * granted. */
int64_t transport_set_window(int fd, int64_t bytes);

/* What the kernel's own tuning may reach (INT64_MAX: cannot be told) and what may be set, in the
 * same bytes. New connections get a window scale that allows for both. */
void transport_window_limits(int64_t *tuned, int64_t *allowed);

/* Bytes written to the socket that the kernel has not sent yet. */
int transport_unsent(int fd);

#ifdef __cplusplus
}
#endif
#endif
