#include "rfb/net/crypto/eax_cipher.h"

#include <assert.h>
#include <nettle/memops.h>

void eax_cipher_begin(struct eax_cipher *c, const uint8_t *key, size_t size)
{
    assert(size == EAX_KEY_LEAST || size == EAX_KEY_MOST);
    *c = (struct eax_cipher){0};
    if (size == EAX_KEY_LEAST) {
        aes128_set_encrypt_key(&c->aes.narrow, key);
        c->encrypt = (nettle_cipher_func *)aes128_encrypt;
    } else {
        aes256_set_encrypt_key(&c->aes.wide, key);
        c->encrypt = (nettle_cipher_func *)aes256_encrypt;
    }
    eax_set_key(&c->key, &c->aes, c->encrypt);
}

/* The next message begins: its nonce, and its length, which is not encrypted. */
static void eax_cipher_next(struct eax_cipher *c, struct eax_ctx *eax, size_t size)
{
    const uint8_t head[EAX_HEAD] = {(uint8_t)(size >> 8), (uint8_t)size};

    eax_set_nonce(eax, &c->key, &c->aes, c->encrypt, sizeof c->count, c->count);
    eax_update(eax, &c->key, &c->aes, c->encrypt, sizeof head, head);
    for (size_t i = 0; i < sizeof c->count && ++c->count[i] == 0; i++)
        ;
}

void eax_cipher_seal(struct eax_cipher *c, const uint8_t *bytes, size_t size, uint8_t *message)
{
    struct eax_ctx eax;

    assert(size <= EAX_MESSAGE_MOST);
    eax_cipher_next(c, &eax, size);
    message[0] = (uint8_t)(size >> 8);
    message[1] = (uint8_t)size;
    eax_encrypt(&eax, &c->key, &c->aes, c->encrypt, size, message + EAX_HEAD, bytes);
    eax_digest(&eax, &c->key, &c->aes, c->encrypt, EAX_TAG, message + EAX_HEAD + size);
}

bool eax_cipher_open(struct eax_cipher *c, uint8_t *body, size_t size)
{
    struct eax_ctx eax;
    uint8_t tag[EAX_TAG];

    eax_cipher_next(c, &eax, size);
    eax_decrypt(&eax, &c->key, &c->aes, c->encrypt, size, body, body);
    eax_digest(&eax, &c->key, &c->aes, c->encrypt, sizeof tag, tag);
    return memeql_sec(tag, body + size, sizeof tag);
}
