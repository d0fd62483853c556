/* The messages of QEMU's audio extension, as bytes (the community specification: "QEMU Audio Client
 * Message", "QEMU Audio Server Message"). A server that has listed PSEUDO_QEMU_AUDIO takes and
 * sends them. Pure.
 *
 * The samples come in the order of bytes that QEMU has: little-endian, whatever the machine. The
 * specification does not say so; QEMU's own server does.
 */
#ifndef VNCHL_QEMU_AUDIO_H
#define VNCHL_QEMU_AUDIO_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The second byte of CLIENT_QEMU and SERVER_QEMU. */
#define QEMU_AUDIO 1

/* Bytes of a server's message with its type, in front of the samples' length; and of that. */
#define QEMU_AUDIO_HEAD   4
#define QEMU_AUDIO_LENGTH 4

/* What a server says. */
enum qemu_audio_server { QEMU_AUDIO_ENDS, QEMU_AUDIO_BEGINS, QEMU_AUDIO_DATA };

/* What a client says. */
enum qemu_audio_client { QEMU_AUDIO_ENABLE, QEMU_AUDIO_DISABLE, QEMU_AUDIO_SET_FORMAT };
/* Bytes of its message; and of the one with a format. */
#define QEMU_AUDIO_BYTES        4
#define QEMU_AUDIO_FORMAT_BYTES 10

/* The format that is asked for, QEMU's own: signed samples of 16 bits, two channels. */
#define SOUND_RATE     44100 /* frames a second */
#define SOUND_CHANNELS 2
#define SOUND_FRAME    4                          /* bytes: a sample of each channel */
#define SOUND_SECOND   (SOUND_RATE * SOUND_FRAME) /* bytes: 1.4 Mbit */

/* Bytes that are passed on at once. Chosen: 23 ms. */
#define SOUND_PIECE_MAX 4096

/* Both return the bytes, QEMU_AUDIO_WRITE_MAX at most. From now on the server is to send sound, in
 * our format; or not any more. What is on its way still comes. */
#define QEMU_AUDIO_WRITE_MAX (QEMU_AUDIO_FORMAT_BYTES + QEMU_AUDIO_BYTES)
size_t qemu_audio_write_enable(uint8_t *out);
size_t qemu_audio_write_disable(uint8_t *out);

/* The operation of a message, from its head: enum qemu_audio_server or qemu_audio_client, or
 * another number. */
unsigned qemu_audio_operation(const uint8_t *head);

#ifdef __cplusplus
}
#endif
#endif
