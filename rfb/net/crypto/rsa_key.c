#include "rfb/net/crypto/rsa_key.h"

#include <arpa/inet.h>
#include <errno.h>
#include <nettle/bignum.h>
#include <nettle/rsa.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define EXPONENT 65537

struct rsa_own {
    struct rsa_public_key open;
    struct rsa_private_key secret;
    struct rsa_shown shown;
};

void rsa_random(uint8_t *out, size_t size)
{
    while (size > 0) {
        ssize_t n = getrandom(out, size, 0);

        if (n < 0 && errno != EINTR)
            abort(); /* no key can be made, and the library takes no refusal */
        out += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
}

static void rsa_random_for(void *user, size_t size, uint8_t *out)
{
    rsa_random(out, size);
}

/* ---- a key that is shown ---- */

bool rsa_shown_measure(struct rsa_shown *k, struct reason *why)
{
    uint32_t bits;

    memcpy(&bits, k->bytes, sizeof bits);
    k->bits = ntohl(bits);
    if (k->bits < RSA_KEY_BITS_LEAST || k->bits > RSA_KEY_BITS_MOST)
        return reason_set(why, "the server's RSA key has %u bits: it can have %d to %d", k->bits,
                          RSA_KEY_BITS_LEAST, RSA_KEY_BITS_MOST);
    k->number = (k->bits + 7) / 8;
    k->size = RSA_KEY_HEAD + 2 * k->number;
    return true;
}

static void rsa_shown_numbers(const struct rsa_shown *k, struct rsa_public_key *out)
{
    rsa_public_key_init(out);
    nettle_mpz_set_str_256_u(out->n, k->number, k->bytes + RSA_KEY_HEAD);
    nettle_mpz_set_str_256_u(out->e, k->number, k->bytes + RSA_KEY_HEAD + k->number);
}

bool rsa_shown_check(const struct rsa_shown *k, struct reason *why)
{
    struct rsa_public_key key;
    bool ok;

    rsa_shown_numbers(k, &key);
    /* An even modulus has no two odd primes. The library encrypts to as many bytes as it has. */
    ok = mpz_odd_p(key.n) && mpz_sizeinbase(key.n, 2) >= RSA_KEY_BITS_LEAST &&
         nettle_mpz_sizeinbase_256_u(key.n) == k->number && mpz_odd_p(key.e) &&
         mpz_cmp_ui(key.e, 3) >= 0 && mpz_cmp(key.e, key.n) < 0 && rsa_public_key_prepare(&key);
    rsa_public_key_clear(&key);
    return ok || reason_set(why, "what the server shows is no RSA key");
}

void rsa_shown_fingerprints(const struct rsa_shown *k, uint8_t sha256[FINGERPRINT_BYTES],
                            char brief[FINGERPRINT_BRIEF])
{
    uint8_t sha1[FINGERPRINT_ROW];
    struct sha256_ctx long_one;
    struct sha1_ctx short_one;

    sha256_init(&long_one);
    sha256_update(&long_one, k->size, k->bytes);
    sha256_digest(&long_one, FINGERPRINT_BYTES, sha256);
    sha1_init(&short_one);
    sha1_update(&short_one, k->size, k->bytes);
    sha1_digest(&short_one, sizeof sha1, sha1);
    fingerprint_brief(sha1, brief);
}

bool rsa_shown_encrypt(const struct rsa_shown *k, const uint8_t *secret, size_t size, uint8_t *out)
{
    struct rsa_public_key key;
    mpz_t number;
    bool ok;

    rsa_shown_numbers(k, &key);
    mpz_init(number);
    ok = rsa_public_key_prepare(&key) &&
         rsa_encrypt(&key, NULL, rsa_random_for, size, secret, number);
    if (ok)
        nettle_mpz_get_str_256(k->number, out, number);
    mpz_clear(number);
    rsa_public_key_clear(&key);
    return ok;
}

/* ---- the client's own ---- */

static void rsa_own_show(struct rsa_own *own)
{
    struct rsa_shown *k = &own->shown;
    uint32_t bits = htonl(RSA_KEY_BITS_OWN);

    k->bits = RSA_KEY_BITS_OWN;
    k->number = RSA_KEY_BITS_OWN / 8;
    k->size = RSA_KEY_HEAD + 2 * k->number;
    memcpy(k->bytes, &bits, sizeof bits);
    nettle_mpz_get_str_256(k->number, k->bytes + RSA_KEY_HEAD, own->open.n);
    nettle_mpz_get_str_256(k->number, k->bytes + RSA_KEY_HEAD + k->number, own->open.e);
}

struct rsa_own *rsa_own_create(void)
{
    struct rsa_own *own = calloc(1, sizeof *own);

    if (!own)
        return NULL;
    rsa_public_key_init(&own->open);
    rsa_private_key_init(&own->secret);
    mpz_set_ui(own->open.e, EXPONENT);
    if (rsa_generate_keypair(&own->open, &own->secret, NULL, rsa_random_for, NULL, NULL,
                             RSA_KEY_BITS_OWN, 0)) {
        rsa_own_show(own);
        return own;
    }
    rsa_own_destroy(own);
    return NULL;
}

static void rsa_own_wipe(mpz_t number)
{
    size_t limbs = mpz_size(number);

    if (limbs > 0)
        explicit_bzero(mpz_limbs_modify(number, (mp_size_t)limbs), limbs * sizeof(mp_limb_t));
}

void rsa_own_destroy(struct rsa_own *own)
{
    if (!own)
        return;
    rsa_own_wipe(own->secret.d);
    rsa_own_wipe(own->secret.p);
    rsa_own_wipe(own->secret.q);
    rsa_own_wipe(own->secret.a);
    rsa_own_wipe(own->secret.b);
    rsa_own_wipe(own->secret.c);
    rsa_private_key_clear(&own->secret);
    rsa_public_key_clear(&own->open);
    free(own);
}

const struct rsa_shown *rsa_own_shown(const struct rsa_own *own)
{
    return &own->shown;
}

bool rsa_own_decrypt(const struct rsa_own *own, const uint8_t *number, size_t length,
                     uint8_t *secret, size_t size)
{
    mpz_t encrypted;
    bool ok;

    if (length != own->shown.number)
        return false;
    nettle_mpz_init_set_str_256_u(encrypted, length, number);
    ok = mpz_cmp(encrypted, own->open.n) < 0 &&
         rsa_sec_decrypt(&own->open, &own->secret, NULL, rsa_random_for, size, secret, encrypted);
    mpz_clear(encrypted);
    return ok;
}
