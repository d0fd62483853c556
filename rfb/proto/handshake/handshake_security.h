/* The part of a handshake that agrees on the security type, as far as TLS, or the keys of RSA-AES,
 * where these are a part of it. Receiver thread.
 */
#ifndef VNCHL_HANDSHAKE_SECURITY_H
#define VNCHL_HANDSHAKE_SECURITY_H

#include <stdbool.h>

#include "rfb/net/crypto/tls.h"
#include "rfb/proto/handshake/rsa_entry.h"
#include "rfb/proto/handshake/security.h"
#include "rfb/proto/handshake/talk.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SECURITY_TYPES_MAX 255 /* a byte counts them */

/* What the client goes into. */
struct security_terms {
    security_set allowed;
    /* `allowed` was cut down to ways with a certificate or a key because the server showed one
     * before. */
    bool certified_before;
    /* But `certificate`, which the security type decides. RSA-AES asks about its key in the same
     * way, and `fingerprint` counts for it. */
    struct tls_options tls;
    /* The server has shown a certificate now, or the key of an encrypted channel, and it was
     * accepted and proved; called with tls.user. NULL: nobody hears of it. */
    void (*certified)(void *user);
};

/* Comes to an agreement in a talk. Both are the caller's. */
struct agreement {
    struct talk *talk;
    const struct security_terms *terms;
    struct tls *tls;                     /* begun, and not on the stream yet; NULL: none */
    bool hello_early;                    /* its ClientHello was said early */
    struct rsa_entry rsa;                /* once RSA-AES was agreed on */
    uint32_t others[SECURITY_TYPES_MAX]; /* types that the server offers beside VeNCrypt */
    size_t others_count;
    /* It has failed because this one of them is better than what VeNCrypt holds: a new connection
     * may take it. NULL: not so. */
    const struct security *beside;
};

/* Adds TLS's ClientHello to what is said early, where the plan has it. */
bool agreement_prepare(struct agreement *a);

/* The way that both have. What is written from now on is encrypted where that is a part of it.
 * NULL with a reason. */
const struct security *agreement_reach(struct agreement *a);

/* Frees what has come to nothing. */
void agreement_deinit(struct agreement *a);

#ifdef __cplusplus
}
#endif
#endif
