/* The cipher of RSA-AES as a transport that lies on another one (rfb/net/transport.h): messages of
 * struct eax_cipher in both directions, with keys that a handshake has agreed on.
 *
 * One thread may read while another writes.
 */
#ifndef VNCHL_EAX_LAYER_H
#define VNCHL_EAX_LAYER_H

#include <nettle/eax.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/net/transport.h"
#include "rfb/texts/fingerprint.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* AES in EAX mode as RSA-AES uses it, in one direction: message after message, each with a tag.
 *
 * A message is U16 length, so many encrypted bytes, and the tag, which covers the length, too. Its
 * nonce is the number of messages before it, 16 bytes, little-endian (community specification of
 * RFB, "RSA-AES Security Type"). By nettle. Pure.
 */

#define EAX_KEY_LEAST    16 /* bytes: AES with 128 bits */
#define EAX_KEY_MOST     32 /* AES with 256 bits */
#define EAX_HEAD         2
#define EAX_TAG          EAX_DIGEST_SIZE
#define EAX_MESSAGE_MOST 65535

struct eax_cipher {
    union {
        struct aes128_ctx narrow;
        struct aes256_ctx wide;
    } aes;
    nettle_cipher_func *encrypt; /* of `aes` */
    struct eax_key key;
    uint8_t count[EAX_IV_SIZE]; /* of messages, as the next nonce */
};

/* `size` is EAX_KEY_LEAST or EAX_KEY_MOST. */
void eax_cipher_begin(struct eax_cipher *c, const uint8_t *key, size_t size);

/* Makes a message of `size` bytes, EAX_MESSAGE_MOST at most: EAX_HEAD + size + EAX_TAG bytes. */
void eax_cipher_seal(struct eax_cipher *c, const uint8_t *bytes, size_t size, uint8_t *message);

/* Decrypts the next message in place: `size` bytes and the tag behind its head. False: the tag is
 * wrong, and the bytes are not to be used. */
bool eax_cipher_open(struct eax_cipher *c, uint8_t *body, size_t size);

struct eax_layer;

struct eax_keys {
    size_t size; /* of each, bytes */
    uint8_t to_server[EAX_KEY_MOST], to_client[EAX_KEY_MOST];
    uint8_t sha256[FINGERPRINT_BYTES]; /* of the key that the server has shown */
    struct eax_layer *layer;           /* what has begun; belongs to the transport */
};

/* Lays the cipher; `keys` is a struct eax_keys, which may be overwritten then. Waits for nothing.
 * As stream_layer of rfb/net/stream.h. */
struct transport *eax_layer_begin(struct transport *below, void *keys, struct reason *why);

/* From the next byte on, both directions are passed on as they are. Nobody reads or writes
 * meanwhile. */
void eax_layer_end(struct eax_layer *l);

#ifdef __cplusplus
}
#endif
#endif
