/* Who the accelerator is towards viewers: a key and a certificate that has signed itself, made once
 * and kept in a folder, or files that the administrator names. And what all TLS of this program
 * shares. Made at the start, before the process is confined; then only the loop's thread.
 *
 * The certificate never expires, and is never made again while its file is there: viewers remember
 * it.
 */
#ifndef VNCHL_ACCELERATOR_IDENTITY_H
#define VNCHL_ACCELERATOR_IDENTITY_H

#include <gnutls/gnutls.h>
#include <stdbool.h>
#include <stdint.h>

#include "rfb/fingerprint.h"
#include "rfb/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

struct identity {
    gnutls_certificate_credentials_t certificate; /* towards viewers; it may be empty */
    gnutls_anon_server_credentials_t anonymous;   /* towards viewers that want no certificate */
    gnutls_certificate_credentials_t as_client;   /* towards servers: nothing is shown */
    gnutls_anon_client_credentials_t anonymous_client;
    gnutls_priority_t priority, anonymous_priority;
    uint8_t sha256[FINGERPRINT_BYTES]; /* of the certificate (DER) */
    bool made;                         /* just now: there was none */
    bool anonymous_only;               /* there is no certificate to show */
};

/* From these files (PEM). NULL with a reason. */
struct identity *identity_read(const char *certificate, const char *key, struct reason *why);

/* From DIRECTORY/identity.pem, which is made with mode 0600 when it is not there, and so is the
 * folder; DIRECTORY/certificate.pem is then a copy of what viewers see. NULL with a reason. */
struct identity *identity_keep(const char *directory, struct reason *why);

/* Without a certificate: nothing is kept. NULL with a reason. */
struct identity *identity_anonymous(struct reason *why);

void identity_destroy(struct identity *i);

/* The folder for a service's state: systemd's, or the user's. False: there is none. */
bool identity_directory(char *out, size_t size);

#ifdef __cplusplus
}
#endif
#endif
