#include "rfb/net/crypto/eax_layer.h"

#include <assert.h>
#include <errno.h>
#include <nettle/memops.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rfb/net/transport.h"

/* ---- the cipher, in one direction ---- */

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

/* So many bytes are written as one message. As TigerVNC has it. */
#define WRITTEN_MOST 8192

/* One direction of the connection each. */
struct eax_reader {
    struct eax_cipher cipher;
    size_t got;  /* bytes of the message that have come, with its head */
    size_t next; /* of its content, the first byte that was not read yet */
    size_t left; /* so many of them are there */
    bool broken; /* a tag was wrong: nothing is read any more */
    uint8_t message[EAX_HEAD + EAX_MESSAGE_MOST + EAX_TAG];
};

struct eax_writer {
    struct eax_cipher cipher;
    size_t content; /* bytes that the message holds; the caller gives them again until it is sent */
    size_t size, sent; /* of the message; the same: there is none */
    uint8_t message[EAX_HEAD + WRITTEN_MOST + EAX_TAG];
};

struct eax_layer {
    struct layer layer;
    bool ended; /* both directions are passed on */
    uint8_t sha256[FINGERPRINT_BYTES];
    struct eax_reader in;
    struct eax_writer out;
};

static struct eax_layer *eax_of(struct transport *t)
{
    return (struct eax_layer *)t; /* the layer is its first member */
}

static ssize_t eax_below_read(struct eax_layer *l, void *out, size_t size)
{
    return l->layer.below->ops->read(l->layer.below, out, size);
}

/* ---- reading ---- */

/* Bytes of the message, as far as its head tells. */
static size_t eax_message_size(const struct eax_reader *in)
{
    if (in->got < EAX_HEAD)
        return EAX_HEAD;
    return EAX_HEAD + ((size_t)in->message[0] << 8 | in->message[1]) + EAX_TAG;
}

/* Reads as much of the message as has come, and no byte behind it: what follows may be no message.
 * As read(); 1 when it is whole. */
static ssize_t eax_fill(struct eax_layer *l)
{
    struct eax_reader *in = &l->in;

    while (in->got < EAX_HEAD || in->got < eax_message_size(in)) {
        ssize_t n = eax_below_read(l, in->message + in->got, eax_message_size(in) - in->got);

        if (n <= 0)
            return n;
        in->got += (size_t)n;
    }
    return 1;
}

/* Reads and decrypts one message. As read(); 1 when it is there. */
static ssize_t eax_receive(struct eax_layer *l)
{
    struct eax_reader *in = &l->in;
    ssize_t n = eax_fill(l);
    size_t size;

    if (n <= 0)
        return n;
    size = in->got - EAX_HEAD - EAX_TAG;
    in->broken = !eax_cipher_open(&in->cipher, in->message + EAX_HEAD, size);
    if (in->broken) {
        errno = EPROTO;
        return -1;
    }
    in->got = 0;
    in->next = EAX_HEAD;
    in->left = size;
    return 1;
}

static ssize_t eax_read(struct transport *t, void *out, size_t size)
{
    struct eax_layer *l = eax_of(t);
    struct eax_reader *in = &l->in;
    ssize_t n;

    if (in->broken) {
        errno = EPROTO;
        return -1;
    }
    if (in->left == 0 && l->ended)
        return eax_below_read(l, out, size);
    if (in->left == 0 && (n = eax_receive(l)) <= 0)
        return n;
    if (in->left == 0) { /* a message may be empty */
        errno = EAGAIN;
        return -1;
    }
    if (size > in->left)
        size = in->left;
    memcpy(out, in->message + in->next, size);
    in->next += size;
    in->left -= size;
    return (ssize_t)size;
}

/* ---- writing ---- */

/* Writes what is left of the message. False, with errno. */
static bool eax_flush(struct eax_layer *l)
{
    struct eax_writer *out = &l->out;

    while (out->sent < out->size) {
        const struct iovec part = {out->message + out->sent, out->size - out->sent};
        ssize_t n = l->layer.below->ops->write(l->layer.below, &part, 1);

        if (n < 0)
            return false;
        out->sent += (size_t)n;
    }
    return true;
}

/* After EAGAIN it takes the same bytes only, which is what a stream writes then. */
static ssize_t eax_write(struct transport *t, const struct iovec *parts, int count)
{
    struct eax_layer *l = eax_of(t);
    struct eax_writer *out = &l->out;

    if (l->ended)
        return l->layer.below->ops->write(l->layer.below, parts, count);
    if (count < 1 || parts->iov_len == 0)
        return 0;
    if (out->sent == out->size) {
        out->content = parts->iov_len < WRITTEN_MOST ? parts->iov_len : WRITTEN_MOST;
        out->size = EAX_HEAD + out->content + EAX_TAG;
        out->sent = 0;
        eax_cipher_seal(&out->cipher, parts->iov_base, out->content, out->message);
    }
    return eax_flush(l) ? (ssize_t)out->content : -1;
}

/* ---- the other operations ---- */

static enum transport_wake eax_wait(struct transport *t, short events, int wake_fd, tick_t until)
{
    if (events == POLLIN && (eax_of(t)->in.left > 0 || eax_of(t)->in.broken))
        return TRANSPORT_READY;
    return layer_wait(t, events, wake_fd, until);
}

static int eax_waiting(struct transport *t)
{
    return (int)eax_of(t)->in.left + layer_waiting(t);
}

static bool eax_explain(struct transport *t, struct reason *why)
{
    if (!eax_of(t)->in.broken)
        return layer_explain(t, why);
    reason_set(why, "the connection broke: what came was not encrypted by the server");
    return true;
}

static bool eax_key(const struct transport *t, uint8_t sha256[FINGERPRINT_BYTES])
{
    const struct eax_layer *l = (const struct eax_layer *)t;

    memcpy(sha256, l->sha256, FINGERPRINT_BYTES);
    return !l->ended;
}

static void eax_destroy(struct transport *t)
{
    struct transport *below = layer_below(t);

    explicit_bzero(t, sizeof(struct eax_layer));
    free(t);
    below->ops->destroy(below);
}

struct transport *eax_layer_begin(struct transport *below, void *with, struct reason *why)
{
    static const struct transport_ops ops = {
        .read = eax_read,
        .write = eax_write,
        .wait = eax_wait,
        .waiting = eax_waiting,
        .unsent = layer_unsent,
        .info = layer_info,
        .window = layer_window,
        .set_window = layer_set_window,
        .explain = eax_explain,
        .key = eax_key,
        .cut = layer_cut,
        .destroy = eax_destroy,
    };
    struct eax_keys *keys = with;
    struct eax_layer *l = calloc(1, sizeof *l);

    if (!l) {
        reason_set(why, "out of memory");
        return NULL;
    }
    l->layer.transport.ops = &ops;
    l->layer.below = below;
    memcpy(l->sha256, keys->sha256, sizeof l->sha256);
    eax_cipher_begin(&l->in.cipher, keys->to_client, keys->size);
    eax_cipher_begin(&l->out.cipher, keys->to_server, keys->size);
    keys->layer = l;
    return &l->layer.transport;
}

void eax_layer_end(struct eax_layer *l)
{
    explicit_bzero(&l->in.cipher, sizeof l->in.cipher);
    explicit_bzero(&l->out.cipher, sizeof l->out.cipher);
    l->ended = true;
}
