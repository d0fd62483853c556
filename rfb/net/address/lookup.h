/* Name lookup that can be given up.
 *
 * getaddrinfo() has no deadline and cannot be interrupted, so it runs in a thread of its own that
 * is left behind when nobody waits for it any more.
 */
#ifndef VNCHL_LOOKUP_H
#define VNCHL_LOOKUP_H

#include <netdb.h>
#include <stdbool.h>

#include "prerequest/tick.h"
#include "rfb/net/address/address.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Stream addresses of `a`, to be freed with freeaddrinfo(). False after `deadline`, when
 * `cancel_fd` becomes readable, or when there is no such host. */
bool lookup(const struct address *a, tick_t deadline, int cancel_fd, struct addrinfo **result,
            struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
