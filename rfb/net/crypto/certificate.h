/* What is wrong with a server's certificate, in words, and files of certificates. By GnuTLS.
 *
 * Receiver thread; certificate_file_check() is for any thread. Texts that a server has chosen, such
 * as the names in its certificate, are sanitised and cut.
 */
#ifndef VNCHL_CERTIFICATE_H
#define VNCHL_CERTIFICATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gnutls/gnutls.h>

#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One certificate as the server sent it. */
struct certificate_der {
    const uint8_t *bytes;
    size_t size;
};

struct certificate_case {
    unsigned status;             /* what the library found: its GNUTLS_CERT_* bits, not 0 */
    struct certificate_der own;  /* the server's */
    struct certificate_der last; /* the last one of the chain that it sent; may be the same */
    const char *host;            /* the name that it has to be for */
    const char *ca_file;         /* those who may sign it; NULL: the system's */
};

/* Bytes of these texts with their NUL. */
#define CERTIFICATE_SUBJECT_MAX 256
#define CERTIFICATE_DATE_MAX    32

/* What a certificate says of itself, true or not. */
struct certificate_facts {
    char subject[CERTIFICATE_SUBJECT_MAX]; /* "CN=desk.example,O=Example", or the names it is for */
    char expires[CERTIFICATE_DATE_MAX];    /* "2026-11-22 14:05 UTC"; empty: it does not say */
};

void certificate_facts(const struct certificate_der *own, struct certificate_facts *facts);

/* Lists all that is wrong with the certificate, as "it expired on ...; it is for ...". */
void certificate_faults(const struct certificate_case *c, struct reason *faults);

/* Whether a person may trust a certificate with this status all the same. Not when it was revoked,
 * or when its signatures prove nothing. */
bool certificate_acceptable(unsigned status);

/* Reads a file in PEM, or takes it as it was kept (kept_file.h). The caller frees `bytes`. */
bool certificate_file_read(const char *file, unsigned char **bytes, size_t *size,
                           struct reason *why);

/* Whether the file can be read and holds certificates in PEM. False with a reason. */
bool certificate_file_check(const char *file, struct reason *why);

/* What is wrong with a chain, the server's own certificate first, before these authorities:
 * GNUTLS_CERT_* bits. `wanted` has two elements. */
unsigned certificate_verify(gnutls_certificate_credentials_t authorities,
                            const gnutls_datum_t *chain, unsigned count,
                            gnutls_typed_vdata_st *wanted);

/* Whether the file can be read and holds lists of revoked certificates in PEM, none of them out of
 * date. False with a reason. */
bool certificate_list_check(const char *file, struct reason *why);

/* Whether a list in the file is of the one who has signed the server's certificate, and was signed
 * by that one. A certificate that has signed itself needs none. False with a reason. */
bool certificate_list_covers(gnutls_certificate_credentials_t authorities, const char *file,
                             const gnutls_datum_t *chain, unsigned count, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
