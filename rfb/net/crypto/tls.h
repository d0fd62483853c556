/* TLS as a transport that lies on another one (rfb/net/transport.h), by GnuTLS.
 *
 * One thread may read while another writes: the session has a lock of its own around each call of
 * the library.
 */
#ifndef VNCHL_TLS_H
#define VNCHL_TLS_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/tick.h"
#include "rfb/net/crypto/key_doubt.h"
#include "rfb/net/transport.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tls_options {
    bool certificate; /* the server proves who it is; false: anonymous */
    const char *host; /* the name that the certificate has to be for */
    /* What these lead to outlives TLS. */
    const char *ca_file;   /* PEM file of those who may sign it; NULL: the system's */
    const char *also_file; /* PEM file of those who must have signed it as well; NULL: anybody */
    const char *crl_file;  /* PEM file of certificates that were revoked; NULL: none */
    /* FINGERPRINT_BYTES: exactly this certificate is accepted, whoever has signed it; NULL: any */
    const uint8_t *fingerprint;
    /* Asked inside tls_begin() about a certificate that the system's authorities do not vouch for;
     * never where a file names others, or where one certificate is asked for. NULL is no. */
    key_trust *trust;
    void *user;
};

/* Keeps the list of the system's authorities (kept_file.h), for a process that may open no file
 * later. Files that options name are kept under their names. */
void tls_keep_authorities(void);

struct tls;

/* TLS that lies on nothing yet. NULL, with a reason and its kind. */
struct tls *tls_create(const struct tls_options *options, struct reason *why);

/* Frees one that lies on nothing. Safe on NULL. */
void tls_destroy(struct tls *t);

#define TLS_HELLO_MAX 4096 /* bytes */

/* The ClientHello, with which TLS begins: at most TLS_HELLO_MAX bytes, which stay TLS's own. The
 * caller writes them, and may do so before the server is ready for them. */
size_t tls_hello(const struct tls *t, const uint8_t **bytes);

/* tls_begin() gives up if nothing has come from the server at the time `until`. */
void tls_answer_until(struct tls *t, tick_t until);

/* Goes on where the ClientHello has been written, and waits until the handshake is over; a
 * certificate is verified before anything secret is sent. `tls` is a struct tls, which belongs to
 * the transport from then on; as stream_layer of rfb/net/stream.h. NULL: it is the caller's again,
 * to be destroyed. */
struct transport *tls_begin(struct transport *below, void *tls, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
