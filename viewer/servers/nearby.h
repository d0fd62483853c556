/* Servers and accelerators that announce themselves in this network by DNS-SD
 * (rfb/net/address/dns_sd.h), as Avahi's daemon has heard of them.
 *
 * Anybody in the network can announce anything, under any name: a name is what its owner says it
 * is, and only the address says where a connection goes.
 *
 * A thread of its own asks the daemon, which may be slow, absent, or be started again: without
 * it nothing is found. The list only grows: what a person is about to click on does not move away.
 */
#ifndef VNCHL_NEARBY_H
#define VNCHL_NEARBY_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Chosen: more than a person reads; others are not looked at. */
#define NEARBY_MAX         16
#define NEARBY_NAME_MAX    256 /* bytes with the NUL */
#define NEARBY_ADDRESS_MAX 300

struct nearby_server {
    char name[NEARBY_NAME_MAX];       /* made fit to be shown */
    char address[NEARBY_ADDRESS_MAX]; /* in numbers, as address_parse() takes it */
    bool accelerated;                 /* it says that it is a vnchl-accel */
};

struct nearby;

/* Looks from now on. Another thread calls `wake` when there is more. NULL: this program is built
 * without Avahi, or out of memory or threads. */
struct nearby *nearby_start(void (*wake)(void *user), void *user);

/* Those that were found so far, the first one first. Returns how many. */
int nearby_list(struct nearby *n, struct nearby_server out[NEARBY_MAX]);

/* Looks no more; `wake` is not called any more. Does not wait for the daemon. Safe on NULL. */
void nearby_end(struct nearby *n);

#ifdef __cplusplus
}
#endif
#endif
