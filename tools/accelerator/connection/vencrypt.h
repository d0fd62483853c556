/* VeNCrypt ended here: what is said with the client and with the server from the client's choice of
 * VeNCrypt up to the proof (a password), which is passed on again. One object for each connection.
 * No socket, no TLS: it moves bytes of down and up, and says when TLS is to begin on which side.
 *
 * Towards the client it offers what the server itself has inside VeNCrypt, in the server's order;
 * if that is wanted, behind it the same with a certificate: TLSVnc becomes TLSVnc, X509Vnc. So
 * nothing weaker than the server offers there. Before a server without VeNCrypt that is all: what
 * stands beside it, with a certificate.
 *
 * What the server has is known only when VeNCrypt was chosen there, and then there is no way back
 * to a type beside it. So the first session with a server has TLS on both sides. What was learnt is
 * kept (`known`), and later ones take a type without TLS, if the server has one with that proof: it
 * is on this machine. One elsewhere has to have TLS with the certificate that is known of it
 * (`pinned`).
 */
#ifndef VNCHL_ACCELERATOR_VENCRYPT_H
#define VNCHL_ACCELERATOR_VENCRYPT_H

#include "rfb/framing/handshake_framing.h"
#include "rfb/proto/handshake/security.h"
#include "rfb/texts/reason.h"
#include "tools/accelerator/exchange/down.h"
#include "tools/accelerator/exchange/up.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of what a server offers, so much is looked at; and each may be offered with a certificate, too.
 */
#define VENCRYPT_HAS_MAX     HANDSHAKE_TYPES_MAX
#define VENCRYPT_OFFERED_MAX (2 * VENCRYPT_HAS_MAX)

/* Subtypes of one server. */
struct vencrypt_known {
    uint32_t subtypes[VENCRYPT_HAS_MAX];
    uint8_t count; /* 0: nothing is known */
};

/* How VeNCrypt is to be ended. */
struct vencrypt_plan {
    bool pinned;      /* the server has to prove that it has the certificate that is known of it */
    bool certificate; /* each way is offered with a certificate, too */
    struct vencrypt_known *known; /* of the server; its owner's */
    bool passes; /* a choice with a certificate is passed on, and the server shows its own */
};

enum vencrypt_answer {
    VENCRYPT_WAITS,      /* for bytes */
    VENCRYPT_TLS_SERVER, /* TLS begins with the server when what waits for it has left; then */
    VENCRYPT_TLS_CLIENT, /* or with the client; vencrypt_tls_begun() */
    VENCRYPT_DONE,       /* the proof follows on both sides */
    VENCRYPT_PASSES,     /* TLS begins between client and server, and is passed on */
    VENCRYPT_FAILED,     /* the connection has to end: `why` */
};

struct vencrypt {
    struct vencrypt_plan plan;
    bool begun;
    bool alone; /* the server has no VeNCrypt */
    bool asks;  /* the server has been told that VeNCrypt is wanted */
    uint8_t step;
    const struct security *beside[2]; /* the server's types without TLS, beside VeNCrypt */
    uint8_t beside_count;
    uint8_t subtypes; /* that the server is about to name */
    uint32_t offered[VENCRYPT_OFFERED_MAX];
    uint8_t offered_count;
    const struct security *client; /* what the client has chosen; NULL: not yet */
    const struct security *server; /* what is taken at the server; NULL: not yet */
    struct reason why;
};

/* The server offers these types. Where VeNCrypt is not among them, it is spoken with the client
 * alone. */
void vencrypt_begin(struct vencrypt *v, const struct vencrypt_plan *plan, const uint8_t *types,
                    size_t count);

/* Goes on as far as bytes have come, in `in` of both. */
enum vencrypt_answer vencrypt_go_on(struct vencrypt *v, struct down *d, struct up *u, tick_t now);

/* TLS stands on the side where it was to begin. False: out of memory. */
bool vencrypt_tls_begun(struct vencrypt *v, struct down *d, tick_t now);

/* There will be no TLS with the server: the client is told that its choice cannot be had. False:
 * out of memory. */
bool vencrypt_tls_failed(struct vencrypt *v, struct down *d, tick_t now);

/* The proof that follows: SECURITY_NONE, SECURITY_VNC or VENCRYPT_PLAIN. */
uint32_t vencrypt_proof(const struct vencrypt *v);

#ifdef __cplusplus
}
#endif
#endif
