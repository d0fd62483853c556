#include "rfb/proto/handshake/apple_login.h"

#include <gmp.h>
#include <nettle/aes.h>
#include <nettle/md5.h>
#include <stdlib.h>
#include <string.h>

#include "rfb/proto/bytes.h"

/* Numbers are arrays of limbs, the lowest first. GMP's functions for secret numbers (mpn_sec_) take
 * the same time for all values, and all memory that they use is ours, so that it can be
 * overwritten. */
#define LIMB_BYTES sizeof(mp_limb_t)
#define LIMBS_MAX  ((APPLE_LOGIN_PRIME_MAX + LIMB_BYTES - 1) / LIMB_BYTES)
#define TEXT_ROOM  (APPLE_LOGIN_TEXTS / 2)

static size_t apple_login_limbs(size_t bytes)
{
    return (bytes + LIMB_BYTES - 1) / LIMB_BYTES;
}

/* The limbs of a number of `size` bytes; those above it are 0. */
static void apple_login_read(mp_limb_t limbs[LIMBS_MAX], const uint8_t *bytes, size_t size)
{
    memset(limbs, 0, LIMBS_MAX * sizeof *limbs);
    for (size_t i = 0; i < size; i++)
        limbs[i / LIMB_BYTES] |= (mp_limb_t)bytes[size - 1 - i] << 8 * (i % LIMB_BYTES);
}

static void apple_login_write(const mp_limb_t *limbs, uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        bytes[size - 1 - i] = (uint8_t)(limbs[i / LIMB_BYTES] >> 8 * (i % LIMB_BYTES));
}

bool apple_login_begin(struct apple_login *a, const uint8_t head[APPLE_LOGIN_HEAD],
                       struct reason *why)
{
    size_t size = get16(head + 2);

    if (size < APPLE_LOGIN_PRIME_MIN || size > APPLE_LOGIN_PRIME_MAX)
        return reason_set(why,
                          "the server's key for the password has %zu bits: this viewer takes %d to "
                          "%d",
                          8 * size, 8 * APPLE_LOGIN_PRIME_MIN, 8 * APPLE_LOGIN_PRIME_MAX);
    a->generator = get16(head);
    a->size = size;
    return true;
}

bool apple_login_check(const struct apple_login *a, struct reason *why)
{
    mp_limb_t prime[LIMBS_MAX], key[LIMBS_MAX];
    size_t zeros = 0;

    while (zeros < a->size && a->prime[zeros] == 0)
        zeros++;
    /* also no modulus of 0 and no even one, for which mpn_sec_powm() is not made */
    if (a->size - zeros < APPLE_LOGIN_PRIME_MIN || !(a->prime[a->size - 1] & 1))
        return reason_set(why,
                          "the server's key for the password is not safe: no prime of %d bits "
                          "or more",
                          8 * APPLE_LOGIN_PRIME_MIN);
    apple_login_read(prime, a->prime, a->size);
    apple_login_read(key, a->key, a->size);
    prime[0]--; /* p - 1 */
    /* 0, 1 and p - 1 give the same key for every b, or one of two */
    if (a->generator < 2 || mpn_cmp(key, prime, LIMBS_MAX) >= 0 ||
        (key[0] < 2 && mpn_zero_p(key + 1, LIMBS_MAX - 1)))
        return reason_set(why, "the server's key for the password is not safe: its public part is "
                               "out of range");
    return true;
}

static bool apple_login_text_fits(const char *what, const char *text, struct reason *why)
{
    size_t length = strlen(text);

    return length <= APPLE_LOGIN_TEXT_MAX ||
           reason_set(why, "%s has %zu bytes, and Apple's login (DH) has room for %d", what, length,
                      APPLE_LOGIN_TEXT_MAX);
}

bool apple_login_fits(const char *name, const char *password, struct reason *why)
{
    return apple_login_text_fits("the user name", name, why) &&
           apple_login_text_fits("the password", password, why);
}

/* What is computed with the secret number b. */
struct apple_login_sum {
    mp_limb_t prime[LIMBS_MAX], base[LIMBS_MAX], secret[LIMBS_MAX], power[LIMBS_MAX];
    uint8_t shared[APPLE_LOGIN_PRIME_MAX];
    mp_size_t count; /* limbs of the prime, of which the highest is not 0 */
    mp_bitcnt_t bits;
    mp_limb_t *scratch;
    size_t scratch_bytes;
};

static void apple_login_forget(struct apple_login_sum *s)
{
    if (s->scratch)
        explicit_bzero(s->scratch, s->scratch_bytes);
    free(s->scratch);
    explicit_bzero(s, sizeof *s);
    free(s);
}

/* NULL: out of memory. */
static struct apple_login_sum *apple_login_prepare(const struct apple_login *a,
                                                   const uint8_t *secret)
{
    struct apple_login_sum *s = calloc(1, sizeof *s);

    if (!s)
        return NULL;
    apple_login_read(s->prime, a->prime, a->size);
    apple_login_read(s->secret, secret, a->size);
    s->count = (mp_size_t)apple_login_limbs(a->size);
    while (s->prime[s->count - 1] == 0)
        s->count--;
    s->bits = 8 * a->size;
    s->scratch_bytes = (size_t)mpn_sec_powm_itch(s->count, s->bits, s->count) * sizeof *s->scratch;
    s->scratch = malloc(s->scratch_bytes);
    if (s->scratch)
        return s;
    apple_login_forget(s);
    return NULL;
}

/* base^b mod p, of `size` bytes. */
static void apple_login_power(struct apple_login_sum *s, uint8_t *out, size_t size)
{
    memset(s->power, 0, sizeof s->power);
    mpn_sec_powm(s->power, s->base, s->count, s->secret, s->bits, s->prime, s->count, s->scratch);
    apple_login_write(s->power, out, size);
}

/* Encrypts both names, in place, with the key that both sides have. */
static void apple_login_encrypt(uint8_t texts[APPLE_LOGIN_TEXTS], const uint8_t *shared,
                                size_t size)
{
    uint8_t key[MD5_DIGEST_SIZE];
    struct aes128_ctx aes;
    struct md5_ctx md5;

    md5_init(&md5);
    md5_update(&md5, size, shared);
    md5_digest(&md5, sizeof key, key);
    aes128_set_encrypt_key(&aes, key);
    aes128_encrypt(&aes, APPLE_LOGIN_TEXTS, texts, texts);
    explicit_bzero(key, sizeof key);
    explicit_bzero(&aes, sizeof aes);
    explicit_bzero(&md5, sizeof md5);
}

bool apple_login_answer(const struct apple_login *a, const char *name, const char *password,
                        uint8_t *random, uint8_t *answer)
{
    struct apple_login_sum *s = apple_login_prepare(a, random + APPLE_LOGIN_TEXTS);

    if (s) {
        apple_login_read(s->base, a->key, a->size);
        apple_login_power(s, s->shared, a->size);
        memset(s->base, 0, sizeof s->base);
        s->base[0] = a->generator;
        apple_login_power(s, answer + APPLE_LOGIN_TEXTS, a->size);

        memcpy(answer, random, APPLE_LOGIN_TEXTS);
        strcpy((char *)answer, name);
        strcpy((char *)answer + TEXT_ROOM, password);
        apple_login_encrypt(answer, s->shared, a->size);
        apple_login_forget(s);
    }
    explicit_bzero(random, APPLE_LOGIN_BYTES(a->size));
    return s;
}
