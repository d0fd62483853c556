/* The servers to which clients can be sent: where each is, under which name it is known, and its
 * addresses, looked up once. Who uses a target holds it; the last one frees it. Only the loop's
 * thread, but that looking up waits.
 */
#ifndef VNCHL_ACCELERATOR_TARGETS_H
#define VNCHL_ACCELERATOR_TARGETS_H

#include <netdb.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "prerequest/tick.h"
#include "rfb/net/address/address.h"
#include "rfb/texts/fingerprint.h"
#include "rfb/texts/reason.h"
#include "tools/accelerator/connection/vencrypt.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TARGET_ADDRESSES 4

struct target {
    unsigned holders;
    char text[280]; /* as the administrator has named it */
    struct {
        struct sockaddr_storage address;
        socklen_t size;
    } at[TARGET_ADDRESSES];
    int count;
    int connection; /* one that was made already, for the first client; -1: none */
    bool proven;    /* and has taken a proof from us there (ssh/once.c) */
    bool has_key;   /* it has to show a certificate with this fingerprint */
    uint8_t key[FINGERPRINT_BYTES];
    struct vencrypt_known inside; /* what it has inside VeNCrypt */
    bool open_said;               /* that it asks for no password */
};

/* Looks the address up before `deadline`, and until `cancel_fd` becomes readable (-1: it has none).
 * NULL with a reason. */
struct target *target_create(const char *address, tick_t deadline, int cancel_fd,
                             struct reason *why);
/* One that is connected to already, at this address. It takes the socket. NULL: out of memory; the
 * socket is closed then. */
struct target *target_connected(int fd, const struct sockaddr *address, socklen_t size,
                                const char *name);
struct target *target_hold(struct target *t);
void target_release(struct target *t);

/* Servers by their number at a repeater. */
struct targets {
    unsigned holders;
    int count, capacity;
    struct named_target {
        uint64_t number;
        struct target *target;
    } * list;
};

struct targets *targets_create(void);
struct targets *targets_hold(struct targets *t);
void targets_release(struct targets *t);
/* Takes over the target. False: the number is there already, or out of memory. */
bool targets_add(struct targets *t, uint64_t number, struct target *target);
/* NULL: there is none. */
struct target *targets_find(const struct targets *t, uint64_t number);

#ifdef __cplusplus
}
#endif
#endif
