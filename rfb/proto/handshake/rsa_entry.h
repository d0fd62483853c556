/* The part of a handshake that RSA-AES has (types 5, 6, 129, 130): the keys are exchanged, the
 * server proves that it has the one that it shows, and asks for a password. Receiver thread.
 *
 * The steps and their order are those of the community specification of RFB ("RSA-AES Security
 * Type"), but that the random numbers of the types with 256 bits have 32 bytes, as in TigerVNC 1.16
 * and neatvnc 0.9.
 */
#ifndef VNCHL_RSA_ENTRY_H
#define VNCHL_RSA_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

#include "rfb/net/crypto/eax_layer.h"
#include "rfb/net/crypto/key_doubt.h"
#include "rfb/proto/handshake/security.h"
#include "rfb/proto/handshake/talk.h"

#ifdef __cplusplus
extern "C" {
#endif

struct rsa_terms {
    const char *host;           /* the name by which the server is asked about */
    const uint8_t *fingerprint; /* FINGERPRINT_BYTES: only this key is accepted; NULL: any */
    key_trust *trust;           /* asked about any other; NULL is no */
    void *user;
};

struct rsa_entry {
    bool wants_user; /* the server wants a user name, too */
    struct eax_layer *layer;
};

/* After the type was said: as far as the server has said what it wants. What is read and written
 * from now on is encrypted. Nothing secret was sent. False, with a reason in the talk. */
bool rsa_entry_reach(struct rsa_entry *e, struct talk *t, const struct security *way,
                     const struct rsa_terms *terms);

/* Says name and password. Where only that is encrypted, the rest goes as it is from then on. `name`
 * is NULL where none is wanted. */
bool rsa_entry_prove(const struct rsa_entry *e, struct talk *t, enum security_channel channel,
                     const char *name, const char *password);

#ifdef __cplusplus
}
#endif
#endif
