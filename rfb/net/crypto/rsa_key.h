/* RSA keys as the security types RSA-AES use them: the one that a server shows, and the client's
 * own, which lives for one connection. By nettle and GMP.
 *
 * A key goes over the wire as U32 bits, modulus, exponent: both numbers big-endian, and both as
 * long as the modulus. The encryption is PKCS #1 v1.5 (community specification of RFB, "RSA-AES
 * Security Type"). Pure but for the system's random numbers.
 */
#ifndef VNCHL_RSA_KEY_H
#define VNCHL_RSA_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/texts/fingerprint.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bits of a key. The most is that of TigerVNC 1.16: the work for one connection has a bound. */
#define RSA_KEY_BITS_LEAST 1024
#define RSA_KEY_BITS_MOST  8192
#define RSA_KEY_BITS_OWN   2048

#define RSA_KEY_HEAD     4 /* bytes of U32 bits */
#define RSA_NUMBER_MOST  (RSA_KEY_BITS_MOST / 8)
#define RSA_KEY_SHOWN    (RSA_KEY_HEAD + 2 * RSA_NUMBER_MOST)
#define RSA_SECRET_BYTES 32 /* the most that is encrypted */

/* A public key. */
struct rsa_shown {
    uint32_t bits;
    size_t number;                /* bytes of the modulus, and of the exponent */
    size_t size;                  /* bytes of the whole: so many of `bytes` */
    uint8_t bytes[RSA_KEY_SHOWN]; /* as it goes over the wire */
};

/* Takes the first RSA_KEY_HEAD of `bytes`, and says how many come in all. False, with a reason: a
 * key of this size is not taken. */
bool rsa_shown_measure(struct rsa_shown *k, struct reason *why);

/* Whether all of `bytes` is a key that can be used. False with a reason. */
bool rsa_shown_check(const struct rsa_shown *k, struct reason *why);

/* SHA-256 of `bytes`; and the first 8 bytes of their SHA-1, which other viewers show. */
void rsa_shown_fingerprints(const struct rsa_shown *k, uint8_t sha256[FINGERPRINT_BYTES],
                            char brief[FINGERPRINT_BRIEF]);

/* Encrypts `size` bytes, RSA_SECRET_BYTES at most, for the owner of a key that was checked: `out`
 * gets k->number bytes. */
bool rsa_shown_encrypt(const struct rsa_shown *k, const uint8_t *secret, size_t size, uint8_t *out);

struct rsa_own;

/* Makes a key of RSA_KEY_BITS_OWN, which takes a part of a second. NULL: out of memory. */
struct rsa_own *rsa_own_create(void);

/* Overwrites it. Safe on NULL. */
void rsa_own_destroy(struct rsa_own *own);

const struct rsa_shown *rsa_own_shown(const struct rsa_own *own);

/* Decrypts the number of `length` bytes, as long as the modulus, into exactly `size` bytes. False:
 * it is something else. */
bool rsa_own_decrypt(const struct rsa_own *own, const uint8_t *number, size_t length,
                     uint8_t *secret, size_t size);

/* Random bytes of the system. Ends the process where there are none. */
void rsa_random(uint8_t *out, size_t size);

#ifdef __cplusplus
}
#endif
#endif
