/* Addresses of this machine. One that is gone takes its connections with it, and nothing says so:
 * TCP goes on trying for a minute.
 */
#ifndef VNCHL_OWN_ADDRESS_H
#define VNCHL_OWN_ADDRESS_H

#include <stdbool.h>
#include <sys/socket.h>

#include "rfb/net/address/address.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The one that this connection has here. False: it is none of the internet. */
bool own_address_of(int fd, struct sockaddr_storage *out);

/* The one from which packets go to this host now. Nothing is sent. False: there is no way there. */
bool own_address_towards(const struct sockaddr_storage *host, struct sockaddr_storage *out);

#define OWN_ADDRESS_TEXT 64 /* bytes, with the NUL */

/* Those of this family that others may enter, as numbers: none of this machine or of one link
 * alone. First those of IPv4. Returns how many, at most `size`. */
int own_address_list(enum address_family family, char (*out)[OWN_ADDRESS_TEXT], int size);

/* Addresses that are named to people. Chosen: one that the other side reaches is among them. */
#define OWN_ADDRESS_NAMED 4
#define OWN_ADDRESS_NAMES (OWN_ADDRESS_NAMED * (OWN_ADDRESS_TEXT + 4)) /* bytes, with the NUL */

/* Whether `a`, on which something listens, is every address of this machine. Then `out` is what
 * others may enter for it: "ONE or ANOTHER", empty where none is known. Else it is empty, and the
 * system is not asked. */
bool own_address_names(const struct address *a, char out[OWN_ADDRESS_NAMES]);

/* Whether this machine still has it. True if that cannot be told. */
bool own_address_is_here(const struct sockaddr_storage *address);

#ifdef __cplusplus
}
#endif
#endif
