/* What a client says before the server has asked for it. A server that took the same the last time
 * is likely to take it again, and each answer that is not waited for saves a round trip.
 *
 * The handshake goes on as ever (rfb/proto/handshake/handshake.c). What it would write is compared
 * with what was said early: the same is not written again. Anything else shows that the server is
 * not as it was, and the connection has to be made anew. So nothing is ever taken for agreed that
 * was not.
 *
 * There are three moments to say something early: the connection is made; TLS stands; the server
 * has got a proof. Proofs themselves, passwords among them, are never said early.
 *
 * Pure. Receiver thread.
 */
#ifndef VNCHL_EARLY_H
#define VNCHL_EARLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/proto/handshake/security.h"

#ifdef __cplusplus
extern "C" {
#endif

#define EARLY_AHEAD_MAX 480  /* bytes of the messages behind ClientInit */
#define EARLY_HELLO_MAX 4096 /* bytes of TLS's ClientHello. Chosen: GnuTLS 3.7 has 400. */
#define EARLY_MAX       (32 + EARLY_HELLO_MAX + EARLY_AHEAD_MAX)

/* What the server took the last time. */
struct early_plan {
    int minor;                  /* RFB 3.minor: 3, 7 or 8; 0: nothing is said early */
    const struct security *way; /* in which the client got in */
    bool hello_waits;           /* TLS's ClientHello waits until the server is ready for it */
    bool shared;                /* for ClientInit */
    /* Messages for behind ClientInit. The plan points to them. */
    const uint8_t *ahead;
    size_t ahead_size; /* EARLY_AHEAD_MAX at most */
};

struct early {
    const struct early_plan *plan; /* the caller's */
    /* Bytes to be said early; of them, those that were written; of these, those that were due
     * since. */
    size_t size, written, said;
    uint8_t bytes[EARLY_MAX];
};

/* The connection is made: the version and the type are said, and where they need no proof and no
 * TLS, ClientInit and the messages. */
void early_begin(struct early *e, const struct early_plan *plan);

/* Whether the ClientHello is said with them, and its bytes, EARLY_HELLO_MAX at most. */
bool early_wants_hello(const struct early_plan *plan);
void early_add_hello(struct early *e, const void *hello, size_t size);

/* TLS stands: what is chosen inside is said, and where it needs no proof, ClientInit and the
 * messages. */
void early_encrypted(struct early *e);

/* The proof was written: ClientInit and the messages are said. */
void early_proved(struct early *e);

/* What is to be written now; the caller writes it. Returns how many bytes. */
size_t early_take(struct early *e, const uint8_t **bytes);

/* What the handshake is about to write. */
enum early_match {
    EARLY_NOT,  /* nothing is left of what was said early: it has to be written */
    EARLY_SAME, /* it was said already */
    EARLY_OTHER /* something else was */
};
enum early_match early_due(struct early *e, const void *bytes, size_t size);

/* Whether all was due but the messages behind ClientInit. */
bool early_is_ahead(const struct early *e);

#ifdef __cplusplus
}
#endif
#endif
