/* TLS on one socket of a connection, which never waits: towards a viewer as its server, towards a
 * server as its client. By GnuTLS. Only the loop's thread.
 *
 * Memory is bounded: 128 KiB of what a peer says to TLS itself, and one record in each direction. A
 * peer that asks for another handshake later is refused.
 */
#ifndef VNCHL_ACCELERATOR_CIPHER_H
#define VNCHL_ACCELERATOR_CIPHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "rfb/bytes_held.h"
#include "rfb/fingerprint.h"
#include "rfb/reason.h"
#include "tools/accelerator/transport/identity.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cipher;

/* As the server of a viewer, with the identity's certificate or anonymous. `early`: bytes of the
 * viewer that have been read from the socket already; they are taken out of it. The socket stays
 * the caller's, as the identity does. NULL with a reason. */
struct cipher *cipher_serve(const struct identity *i, int fd, bool certificate,
                            struct bytes_held *early, struct reason *why);

/* As the client of a server. `pinned`: FINGERPRINT_BYTES of the only certificate that is accepted;
 * NULL: whichever it shows. */
struct cipher *cipher_join(const struct identity *i, int fd, bool certificate,
                           const uint8_t *pinned, struct bytes_held *early, struct reason *why);

void cipher_destroy(struct cipher *c);

enum cipher_state {
    CIPHER_READS,  /* the handshake goes on when the socket can be read; */
    CIPHER_WRITES, /* when it can be written */
    CIPHER_STANDS, /* it is over */
    CIPHER_FAILED, /* with a reason */
};
enum cipher_state cipher_shake(struct cipher *c, struct reason *why);

/* Bytes read; 0: none are there now, or `ended` has become true. */
size_t cipher_read(struct cipher *c, void *out, size_t size, bool *ended);

/* Whether there is something to read of which the socket does not tell: bytes that were decrypted,
 * or the end. */
bool cipher_pending(const struct cipher *c);

/* Bytes taken; 0: none now, -1: the socket takes nothing any more. What was not taken has to be
 * offered again, in its order: some of it may be encrypted already. */
ssize_t cipher_write(struct cipher *c, const struct iovec *pieces, int count);

/* Says to the peer that nothing more comes. */
void cipher_bye(struct cipher *c);

/* What is wrong with what the peer has sent; NULL: nothing. */
const char *cipher_fault(const struct cipher *c);

/* "TLS1.3" */
const char *cipher_name(const struct cipher *c);

#ifdef __cplusplus
}
#endif
#endif
