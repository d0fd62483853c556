#include "rfb/datagrams/sealed.h"

#include <gnutls/crypto.h>
#include <stdlib.h>
#include <string.h>

#define SEALED_KEY   16
#define SEALED_NONCE 12
#define SEALED_ID    8

/* What is made of the secret for a kind. */
struct sealed_keys {
    uint8_t key[SEALED_KEY], nonce[SEALED_NONCE], id[SEALED_ID];
};

static bool sealed_make(const uint8_t secret[SEALED_SECRET], enum sealed_kind kind,
                        struct sealed_keys *out)
{
    static const char *const names[SEALED_KINDS] = {"vnchl hello", "vnchl to far end",
                                                    "vnchl to viewer"};
    gnutls_datum_t from = {(void *)(uintptr_t)secret, SEALED_SECRET};
    gnutls_datum_t name = {(void *)(uintptr_t)names[kind], (unsigned)strlen(names[kind])};

    return gnutls_hkdf_expand(GNUTLS_MAC_SHA256, &from, &name, out, sizeof *out) == 0;
}

static gnutls_aead_cipher_hd_t sealed_cipher(const struct sealed_keys *k)
{
    gnutls_datum_t key = {(void *)(uintptr_t)k->key, SEALED_KEY};
    gnutls_aead_cipher_hd_t cipher = NULL;

    return gnutls_aead_cipher_init(&cipher, GNUTLS_CIPHER_AES_128_GCM, &key) == 0 ? cipher : NULL;
}

static void sealed_nonce(const struct sealed_keys *k, const uint8_t *number, uint8_t *out)
{
    memcpy(out, k->nonce, SEALED_NONCE);
    for (int i = 0; i < 8; i++)
        out[SEALED_NONCE - 8 + i] ^= number[i];
}

struct sealer {
    struct sealed_keys keys;
    gnutls_aead_cipher_hd_t cipher;
    uint64_t next;
};

struct sealer *sealer_create(const uint8_t secret[SEALED_SECRET], enum sealed_kind kind)
{
    struct sealer *s = calloc(1, sizeof *s);

    if (s && sealed_make(secret, kind, &s->keys))
        s->cipher = sealed_cipher(&s->keys);
    if (s && s->cipher)
        return s;
    sealer_destroy(s);
    return NULL;
}

void sealer_destroy(struct sealer *s)
{
    if (!s)
        return;
    if (s->cipher)
        gnutls_aead_cipher_deinit(s->cipher);
    explicit_bzero(s, sizeof *s);
    free(s);
}

void sealer_begin_at(struct sealer *s, uint64_t number)
{
    s->next = number;
}

static uint64_t sealed_number(const uint8_t *p)
{
    uint64_t n = 0;

    for (int i = 0; i < 8; i++)
        n = n << 8 | p[i];
    return n;
}

size_t sealer_seal(struct sealer *s, const void *body, size_t size, uint8_t *out)
{
    size_t sealed = SEALED_MAX - SEALED_HEAD;
    uint8_t nonce[SEALED_NONCE];

    if (size > SEALED_BODY_MAX || s->next == UINT64_MAX)
        return 0;
    memcpy(out, s->keys.id, SEALED_ID);
    for (int i = 0; i < 8; i++)
        out[SEALED_ID + i] = (uint8_t)(s->next >> (56 - 8 * i));
    s->next++;
    sealed_nonce(&s->keys, out + SEALED_ID, nonce);
    if (gnutls_aead_cipher_encrypt(s->cipher, nonce, sizeof nonce, out, SEALED_HEAD, SEALED_TAG,
                                   body, size, out + SEALED_HEAD, &sealed) != 0)
        return 0;
    return SEALED_HEAD + sealed;
}

struct opener {
    struct sealed_keys keys;
    gnutls_aead_cipher_hd_t cipher;
    bool any;
    uint64_t newest;
    uint64_t seen[SEALED_WINDOW / 64];
};

struct opener *opener_create(const uint8_t secret[SEALED_SECRET], enum sealed_kind kind)
{
    struct opener *o = calloc(1, sizeof *o);

    if (o && sealed_make(secret, kind, &o->keys))
        o->cipher = sealed_cipher(&o->keys);
    if (o && o->cipher)
        return o;
    opener_destroy(o);
    return NULL;
}

void opener_destroy(struct opener *o)
{
    if (!o)
        return;
    if (o->cipher)
        gnutls_aead_cipher_deinit(o->cipher);
    explicit_bzero(o, sizeof *o);
    free(o);
}

void opener_begin_at(struct opener *o, uint64_t number)
{
    if (number == 0)
        return;
    o->any = true;
    o->newest = number - 1;
    memset(o->seen, 0xff, sizeof o->seen);
}

static uint64_t *opener_word(struct opener *o, uint64_t n)
{
    return o->seen + n % SEALED_WINDOW / 64;
}

static bool opener_may_come(struct opener *o, uint64_t n)
{
    if (!o->any || n > o->newest)
        return true;
    return o->newest - n < SEALED_WINDOW && !(*opener_word(o, n) >> n % 64 & 1);
}

static void opener_note(struct opener *o, uint64_t n)
{
    if (!o->any)
        o->newest = n;
    if (n > o->newest && n - o->newest >= SEALED_WINDOW)
        memset(o->seen, 0, sizeof o->seen);
    else
        for (uint64_t i = o->newest + 1; i <= n; i++)
            *opener_word(o, i) &= ~((uint64_t)1 << i % 64);
    o->any = true;
    if (n > o->newest)
        o->newest = n;
    *opener_word(o, n) |= (uint64_t)1 << n % 64;
}

bool opener_open(struct opener *o, const uint8_t *packet, size_t packet_size, uint8_t *out,
                 size_t *size, bool *newest)
{
    uint8_t nonce[SEALED_NONCE];
    uint64_t number;

    if (packet_size < SEALED_HEAD + SEALED_TAG || packet_size > SEALED_MAX ||
        memcmp(packet, o->keys.id, SEALED_ID) != 0)
        return false;
    number = sealed_number(packet + SEALED_ID);
    if (!opener_may_come(o, number))
        return false;
    sealed_nonce(&o->keys, packet + SEALED_ID, nonce);
    *size = SEALED_BODY_MAX;
    if (gnutls_aead_cipher_decrypt(o->cipher, nonce, sizeof nonce, packet, SEALED_HEAD, SEALED_TAG,
                                   packet + SEALED_HEAD, packet_size - SEALED_HEAD, out, size) != 0)
        return false;
    *newest = !o->any || number > o->newest;
    opener_note(o, number);
    return true;
}
