/* TLS as a transport that lies on another one (rfb/net/layer.h), by GnuTLS.
 *
 * One thread may read while another writes: the session has a lock of its own around each call of
 * the library.
 */
#ifndef VNCHL_TLS_H
#define VNCHL_TLS_H

#include <stdbool.h>
#include <stdint.h>

#include "rfb/net/key_doubt.h"
#include "rfb/net/transport.h"
#include "rfb/reason.h"

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

/* Begins TLS, and waits until the handshake is over; a certificate is verified before anything
 * secret is sent. `options` is a struct tls_options; as stream_layer() of rfb/net/stream.h. */
struct transport *tls_begin(struct transport *below, const void *options, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
