#include "rfb/proto/handshake/rsa_entry.h"

#include <nettle/memops.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>

#include "rfb/net/crypto/rsa_key.h"
#include "rfb/proto/bytes.h"
#include "rfb/system/log.h"

#define HASH_MOST SHA256_DIGEST_SIZE
#define TEXT_MOST 255 /* bytes of a name, of a password: one byte counts them */

enum rsa_subtype { WANTS_USER_PASSWORD = 1, WANTS_PASSWORD = 2 };

struct rsa_exchange {
    struct talk *talk;
    const struct rsa_terms *terms;
    const struct security *way;
    bool wide; /* 256 bits and SHA-256, not 128 and SHA-1 */
    struct rsa_shown theirs;
    struct rsa_own *own;
    /* The random numbers, of which each has as many bytes as a key of AES. */
    uint8_t from_server[RSA_SECRET_BYTES], from_client[RSA_SECRET_BYTES];
    struct eax_keys keys;
};

/* ---- the server's key ---- */

static bool rsa_fail(struct rsa_exchange *x, enum failure kind)
{
    x->talk->failure = kind;
    return false;
}

static bool rsa_get_key(struct rsa_exchange *x)
{
    struct rsa_shown *k = &x->theirs;
    struct talk *t = x->talk;

    return talk_get(t, k->bytes, RSA_KEY_HEAD) && rsa_shown_measure(k, t->why) &&
           talk_get(t, k->bytes + RSA_KEY_HEAD, k->size - RSA_KEY_HEAD) &&
           rsa_shown_check(k, t->why);
}

/* Exactly this key was asked for. */
static bool rsa_is_pinned(struct rsa_exchange *x, const uint8_t *sha256)
{
    char shown[FINGERPRINT_TEXT];

    if (memcmp(sha256, x->terms->fingerprint, FINGERPRINT_BYTES) == 0)
        return true;
    fingerprint_text(sha256, shown);
    return reason_set(x->talk->why,
                      "the server shows another key than the one that --fingerprint asks for; its "
                      "SHA-256 fingerprint is %s",
                      shown);
}

/* Whether the key is accepted: by its fingerprint, or by somebody who is asked. */
static bool rsa_accepts(struct rsa_exchange *x)
{
    struct key_doubt doubt = {.host = x->terms->host,
                              .acceptable = true,
                              .handshake_only = x->way->channel == CHANNEL_HANDSHAKE};
    bool ok;

    rsa_shown_fingerprints(&x->theirs, doubt.sha256, doubt.brief);
    memcpy(x->keys.sha256, doubt.sha256, sizeof x->keys.sha256);
    reason_set(&doubt.faults, "nobody vouches for it%s",
               doubt.handshake_only ? "; it encrypts the password only" : "");
    snprintf(doubt.facts.subject, sizeof doubt.facts.subject, "RSA key of %u bits", x->theirs.bits);
    reason_set(x->talk->why, "the server's key is not accepted: nobody vouches for it");
    if (x->terms->fingerprint)
        ok = rsa_is_pinned(x, doubt.sha256);
    else
        ok = x->terms->trust && x->terms->trust(x->terms->user, &doubt, x->talk->why);
    return ok || rsa_fail(x, FAILURE_TRUST);
}

/* ---- the keys of the connection ---- */

static size_t rsa_random_size(const struct rsa_exchange *x)
{
    return x->wide ? EAX_KEY_MOST : EAX_KEY_LEAST;
}

static bool rsa_put_own(struct rsa_exchange *x)
{
    const struct rsa_shown *own = rsa_own_shown(x->own);
    uint8_t message[2 + RSA_NUMBER_MOST];

    rsa_random(x->from_client, rsa_random_size(x));
    put16(message, (unsigned)x->theirs.number);
    if (!rsa_shown_encrypt(&x->theirs, x->from_client, rsa_random_size(x), message + 2))
        return reason_set(x->talk->why, "nothing can be encrypted for the server's RSA key");
    return talk_put(x->talk, own->bytes, own->size) &&
           talk_put(x->talk, message, 2 + x->theirs.number);
}

static bool rsa_get_random(struct rsa_exchange *x)
{
    uint8_t length[2], number[RSA_KEY_BITS_OWN / 8];
    struct talk *t = x->talk;

    if (!talk_get(t, length, sizeof length))
        return false;
    if (get16(length) != sizeof number)
        return reason_set(t->why, "the server says %u bytes for this client's RSA key of %zu",
                          get16(length), sizeof number);
    return talk_get(t, number, sizeof number) &&
           (rsa_own_decrypt(x->own, number, sizeof number, x->from_server, rsa_random_size(x)) ||
            reason_set(t->why, "what the server has encrypted for this client cannot be read"));
}

/* SHA-1 or SHA-256 of two pieces. Returns its bytes. */
static size_t rsa_hash(bool wide, const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                       uint8_t out[HASH_MOST])
{
    struct sha256_ctx wide_one;
    struct sha1_ctx narrow_one;

    if (wide) {
        sha256_init(&wide_one);
        sha256_update(&wide_one, a_size, a);
        sha256_update(&wide_one, b_size, b);
        sha256_digest(&wide_one, SHA256_DIGEST_SIZE, out);
        explicit_bzero(&wide_one, sizeof wide_one);
        return SHA256_DIGEST_SIZE;
    }
    sha1_init(&narrow_one);
    sha1_update(&narrow_one, a_size, a);
    sha1_update(&narrow_one, b_size, b);
    sha1_digest(&narrow_one, SHA1_DIGEST_SIZE, out);
    explicit_bzero(&narrow_one, sizeof narrow_one);
    return SHA1_DIGEST_SIZE;
}

/* Both random numbers are known: from now on all is encrypted. */
static bool rsa_encrypt_all(struct rsa_exchange *x)
{
    size_t n = rsa_random_size(x);

    x->keys.size = n;
    rsa_hash(x->wide, x->from_server, n, x->from_client, n, x->keys.to_server);
    rsa_hash(x->wide, x->from_client, n, x->from_server, n, x->keys.to_client);
    return stream_lay(x->talk->stream, eax_layer_begin, &x->keys, x->talk->why);
}

/* Each side says both keys, so that nobody can have put others in their place. */
static bool rsa_compare_keys(struct rsa_exchange *x)
{
    const struct rsa_shown *own = rsa_own_shown(x->own), *theirs = &x->theirs;
    uint8_t said[HASH_MOST], due[HASH_MOST], got[HASH_MOST];
    size_t size = rsa_hash(x->wide, own->bytes, own->size, theirs->bytes, theirs->size, said);

    rsa_hash(x->wide, theirs->bytes, theirs->size, own->bytes, own->size, due);
    if (!talk_put(x->talk, said, size) || !talk_get(x->talk, got, size))
        return false;
    return memeql_sec(got, due, size) ||
           reason_set(x->talk->why, "the server has not got the keys that were shown: somebody in "
                                    "between may have changed them") ||
           rsa_fail(x, FAILURE_TRUST);
}

static bool rsa_get_subtype(struct rsa_exchange *x, bool *wants_user)
{
    uint8_t subtype;

    if (!talk_get(x->talk, &subtype, 1))
        return false;
    *wants_user = subtype == WANTS_USER_PASSWORD;
    return subtype == WANTS_USER_PASSWORD || subtype == WANTS_PASSWORD ||
           reason_set(x->talk->why,
                      "the server wants a proof of kind %u inside %s, which this "
                      "client lacks",
                      subtype, x->way->name);
}

/* ---- the whole ---- */

bool rsa_entry_reach(struct rsa_entry *e, struct talk *t, const struct security *way,
                     const struct rsa_terms *terms)
{
    struct rsa_exchange x = {.talk = t,
                             .terms = terms,
                             .way = way,
                             .wide =
                                 way->type == SECURITY_RA2_256 || way->type == SECURITY_RA2_NE_256};
    bool ok;

    stream_read_singly(t->stream);
    /* while the server's key is on its way */
    x.own = rsa_own_create();
    ok = x.own || reason_set(t->why, "out of memory");
    ok = ok && rsa_get_key(&x) && rsa_accepts(&x) && rsa_put_own(&x) && rsa_get_random(&x) &&
         rsa_encrypt_all(&x) && rsa_compare_keys(&x) && rsa_get_subtype(&x, &e->wants_user);
    e->layer = x.keys.layer;
    if (ok)
        log_debug("encrypted%s: %s, AES with %zu bits",
                  way->channel == CHANNEL_KEY ? "" : " as far as the password", way->name,
                  8 * x.keys.size);
    rsa_own_destroy(x.own);
    explicit_bzero(&x, sizeof x);
    return ok;
}

bool rsa_entry_prove(const struct rsa_entry *e, struct talk *t, enum security_channel channel,
                     const char *name, const char *password)
{
    size_t name_size = name ? strlen(name) : 0, password_size = strlen(password);
    uint8_t message[2 + 2 * TEXT_MOST];
    bool ok;

    if (name_size > TEXT_MOST || password_size > TEXT_MOST) {
        t->failure = FAILURE_AUTHENTICATION;
        return reason_set(t->why,
                          "the %s has more than %d bytes, and this security type takes no "
                          "more",
                          name_size > TEXT_MOST ? "user name" : "password", TEXT_MOST);
    }
    message[0] = (uint8_t)name_size;
    if (name_size > 0)
        memcpy(message + 1, name, name_size);
    message[1 + name_size] = (uint8_t)password_size;
    memcpy(message + 2 + name_size, password, password_size);
    ok = talk_put(t, message, 2 + name_size + password_size);
    explicit_bzero(message, sizeof message);
    if (channel == CHANNEL_HANDSHAKE)
        eax_layer_end(e->layer);
    return ok;
}
