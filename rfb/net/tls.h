/* TLS on a transport, by GnuTLS.
 *
 * One thread may read while another writes: the session has a lock of its own around each call of
 * the library. Nothing here waits, but for the question whether to trust. tls_read() and
 * tls_write() return -1 with errno EAGAIN when the transport has nothing, or no room.
 */
#ifndef VNCHL_TLS_H
#define VNCHL_TLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "rfb/fingerprint.h"
#include "rfb/net/certificate.h"
#include "rfb/net/transport.h"
#include "rfb/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tls;

/* A server's certificate that could not be verified. */
struct tls_doubt {
    const char *host;     /* the name that it has to be for */
    struct reason faults; /* all that is wrong with it */
    struct certificate_facts facts;
    /* A person may trust it all the same. Not when it was revoked, or when its signatures prove
     * nothing. */
    bool acceptable;
    uint8_t sha256[FINGERPRINT_BYTES]; /* of the certificate (DER) */
};

struct tls_options {
    bool certificate; /* the server proves who it is; false: anonymous */
    const char *host; /* the name that the certificate has to be for */
    /* What these lead to outlives TLS. */
    const char *ca_file;   /* PEM file of those who may sign it; NULL: the system's */
    const char *also_file; /* PEM file of those who must have signed it as well; NULL: anybody */
    const char *crl_file;  /* PEM file of certificates that were revoked; NULL: none */
    /* FINGERPRINT_BYTES: exactly this certificate is accepted, whoever has signed it; NULL: any */
    const uint8_t *fingerprint;
    /* Asked about a certificate that the system's authorities do not vouch for; never where a file
     * names others, or where one certificate is asked for. NULL is no. Called inside
     * tls_handshake(), and may wait. After a yes the connection goes on, and keeps this certificate
     * to its end. After a no it ends; `why` says so already, and may be replaced. */
    bool (*trust)(void *user, const struct tls_doubt *doubt, struct reason *why);
    void *user;
};

/* Keeps the list of the system's authorities (kept_file.h), for a process that may open no file
 * later. Files that options name are kept under their names. */
void tls_keep_authorities(void);

/* The transport stays the caller's and outlives the session. NULL with a reason. */
struct tls *tls_create(struct transport *below, const struct tls_options *options,
                       struct reason *why);

/* Safe on NULL. */
void tls_destroy(struct tls *t);

enum tls_state { TLS_READY, TLS_WAITS, TLS_FAILED };

/* Goes on with the handshake as far as it can without waiting. TLS_WAITS: wait for `events`
 * (POLLIN or POLLOUT) and call again. A certificate is verified before anything secret is sent. */
enum tls_state tls_handshake(struct tls *t, short *events, struct reason *why);

/* What kind of failure has ended the handshake. */
enum failure tls_failure(const struct tls *t);

/* What has broken the connection, after an errno other than EAGAIN. */
const char *tls_fault(const struct tls *t);

/* Bytes read; 0: the server has closed; -1 with errno. `events` gets what to wait for after
 * EAGAIN. */
ssize_t tls_read(struct tls *t, void *out, size_t size, short *events);

/* Bytes written; -1 with errno. After EAGAIN call again with the same bytes. */
ssize_t tls_write(struct tls *t, const void *bytes, size_t size);

/* Bytes that were decrypted and not read. */
size_t tls_pending(struct tls *t);

/* SHA-256 of the server's certificate (DER). False: it has shown none. */
bool tls_fingerprint(const struct tls *t, uint8_t sha256[FINGERPRINT_BYTES]);

/* "TLS1.3, AES-256-GCM" for the log. */
void tls_describe(struct tls *t, char *out, size_t size);

#ifdef __cplusplus
}
#endif
#endif
