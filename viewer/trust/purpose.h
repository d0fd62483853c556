/* What a secret was given for: how it was protected then, and what the server learned of it.
 *
 * A secret goes unasked only where both are at least as strong: the channel, and the proof. An RSA
 * key, or a certificate that was accepted by its key, counts for that key only. A certificate that
 * an authority has verified counts for any that an authority has verified, because the server's
 * name is in it. docs/security.md has the table. Pure.
 */
#ifndef VNCHL_PURPOSE_H
#define VNCHL_PURPOSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/proto/handshake/security.h"
#include "rfb/texts/fingerprint.h"

#ifdef __cplusplus
extern "C" {
#endif

enum purpose_state {
    PURPOSE_UNKNOWN, /* for something that nobody has noted */
    PURPOSE_NOBODY,  /* for no server in particular: to be asked before it goes to this one */
    PURPOSE_SERVER,  /* for this server, however it protects a secret at first */
    PURPOSE_GIVEN,   /* for what follows */
};

struct purpose {
    enum purpose_state state;
    enum security_channel channel;
    enum security_proof proof; /* not PROOF_NONE */
    bool keyed;                /* an RSA key; CERTIFICATE: accepted by its key, by no authority */
    uint8_t sha256[FINGERPRINT_BYTES]; /* keyed: of the certificate, of the key */
};

/* Whether a secret for `p` may go where `now`, a GIVEN, is wanted, as far as both are compared. */
bool purpose_allows(const struct purpose *p, const struct purpose *now);

/* Whether somebody else than the server may read the secret itself. Then it never goes unasked,
 * whatever it was given for. */
bool purpose_exposes(const struct purpose *now);

/* Bytes that hold every text of the next three functions, with the NUL. */
#define PURPOSE_TEXT_MAX 128

/* A GIVEN as one word for a file: "X509Vnc/0a1b...", "TLSPlain". */
void purpose_write(const struct purpose *p, char out[PURPOSE_TEXT_MAX]);

/* Of such a word; UNKNOWN where it is none, or NULL. */
struct purpose purpose_read(const char *text);

/* The same for a person: "X509Vnc (encrypted, the server has a certificate)". */
void purpose_words(const struct purpose *p, char out[PURPOSE_TEXT_MAX]);

/* The security type's name: "X509Vnc". */
const char *purpose_name(const struct purpose *p);

#ifdef __cplusplus
}
#endif
#endif
