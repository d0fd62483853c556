/* Packets of the datagram path, sealed under a key that came through the reliable connection.
 *
 * A packet is an id (8 bytes), a sequence number (8 bytes, big endian), the ciphertext, and a tag
 * of 16 bytes. The AEAD is AES-128-GCM; the id and the number are its associated data, and the
 * nonce is made of the number. Each direction has a key, a first nonce and an id of its own, made
 * from the secret by HKDF-Expand with SHA-256 (RFC 5869). Numbers are never used twice.
 *
 * One thread at a time for each object. Sealing and opening take no memory.
 */
#ifndef VNCHL_SEALED_H
#define VNCHL_SEALED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SEALED_SECRET 32 /* bytes */
/* Bytes of a packet that passes everywhere, and of one at most
 * (prerequest/push/packets/packet_size.h). The viewer's have no more than the first. */
#define SEALED_ANYWHERE 1200
#define SEALED_MAX      1452
#define SEALED_HEAD     16
#define SEALED_TAG      16
/* Bytes that a packet carries at most. */
#define SEALED_BODY_MAX (SEALED_MAX - SEALED_HEAD - SEALED_TAG)

/* What packets are for. */
enum sealed_kind {
    SEALED_HELLO,      /* of the viewer: here I am */
    SEALED_TO_FAR_END, /* of the viewer */
    SEALED_TO_VIEWER,
    SEALED_KINDS
};

/* Seals packets of one kind. NULL: out of memory, or the library fails. */
struct sealer;
struct sealer *sealer_create(const uint8_t secret[SEALED_SECRET], enum sealed_kind kind);
void sealer_destroy(struct sealer *s);
/* Its next packet has this number. For one of several that seal under the same secret, each in a
 * range of its own. */
void sealer_begin_at(struct sealer *s, uint64_t number);
/* `out` has SEALED_MAX bytes. Returns the packet's; 0: the library fails, or no number is left. */
size_t sealer_seal(struct sealer *s, const void *body, size_t size, uint8_t *out);

/* Opens them. */
struct opener;
struct opener *opener_create(const uint8_t secret[SEALED_SECRET], enum sealed_kind kind);
void opener_destroy(struct opener *o);
/* Packets with lower numbers than this are refused. Before the first one. */
void opener_begin_at(struct opener *o, uint64_t number);

/* Numbers so much older than the newest are refused. */
#define SEALED_WINDOW 1024

/* `out` has SEALED_BODY_MAX bytes. True: the packet is authentic, of this kind and secret, and has
 * not come before. *size: bytes of its body. *newest: no packet with a higher number came before.
 * False costs no memory and says nothing. */
bool opener_open(struct opener *o, const uint8_t *packet, size_t packet_size, uint8_t *out,
                 size_t *size, bool *newest);

#ifdef __cplusplus
}
#endif
#endif
