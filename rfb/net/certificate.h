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

#include "rfb/reason.h"

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

#ifdef __cplusplus
}
#endif
#endif
