/* The cipher of RSA-AES as a transport that lies on another one (rfb/net/transport.h): messages of
 * rfb/net/crypto/eax_cipher.h in both directions, with keys that a handshake has agreed on.
 *
 * One thread may read while another writes.
 */
#ifndef VNCHL_EAX_LAYER_H
#define VNCHL_EAX_LAYER_H

#include "rfb/net/crypto/eax_cipher.h"
#include "rfb/net/transport.h"
#include "rfb/texts/fingerprint.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

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
