/* Which server a client gets, and the attempts to reach it: one address of the target after the
 * other. One object for each connection; only the loop's thread.
 */
#ifndef VNCHL_ACCELERATOR_DIAL_H
#define VNCHL_ACCELERATOR_DIAL_H

#include "rfb/bytes_held.h"
#include "tools/accelerator/connection/targets.h"

#ifdef __cplusplus
extern "C" {
#endif

struct dial {
    struct target *target;   /* NULL: not known yet */
    struct targets *by_name; /* of a repeater: among these it is */
    int next;                /* of the target's addresses: which one is tried next */
};

/* The server, or for a repeater those that the client may name. Holds them. */
void dial_init(struct dial *d, struct target *target, struct targets *by_name);
void dial_deinit(struct dial *d);

enum dial_name {
    DIAL_NAME_WAITS,   /* the client has not said it yet */
    DIAL_NAME_KNOWN,   /* there is a target */
    DIAL_NAME_UNKNOWN, /* there is no such server */
};

/* Takes from `in` the field in which a client names its server. */
enum dial_name dial_read_name(struct dial *d, struct bytes_held *in);

/* Begins to connect to the next address. The socket, and whether it is connected already. -1: none
 * can be tried any more, and `error` has the cause of the last one, if there was an attempt. */
int dial_next(struct dial *d, bool *connected, int *error);

/* Whether the address that was tried last is this machine's. */
bool dial_is_local(const struct dial *d);

#ifdef __cplusplus
}
#endif
#endif
