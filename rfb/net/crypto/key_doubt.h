/* A key by which a server says who it is, and for which nothing vouches: a person is asked.
 *
 * Whatever proves the key (a certificate in TLS, a bare RSA key in RSA-AES) asks in this form. */
#ifndef VNCHL_KEY_DOUBT_H
#define VNCHL_KEY_DOUBT_H

#include <stdbool.h>
#include <stdint.h>

#include "rfb/net/crypto/certificate.h"
#include "rfb/texts/fingerprint.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

struct key_doubt {
    const char *host;     /* the name that it has to be for */
    struct reason faults; /* all that is wrong with it */
    struct certificate_facts facts;
    /* A person may trust it all the same. Not when it was revoked, or when its signatures prove
     * nothing. */
    bool acceptable;
    uint8_t sha256[FINGERPRINT_BYTES]; /* of the certificate (DER), or of the key as it was sent */
    char brief[FINGERPRINT_BRIEF];     /* of a bare key, for comparing; empty: a certificate */
    bool handshake_only;               /* nothing is encrypted for this key behind the password */
};

/* Asks, and may wait. After a yes the connection goes on, and keeps this key to its end. After a no
 * it ends; `why` says so already, and may be replaced. */
typedef bool key_trust(void *user, const struct key_doubt *doubt, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
