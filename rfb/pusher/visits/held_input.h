/* What a viewer holds down at its server: keys, and buttons of the pointer. When it goes away
 * without a word, they are released for it. Pure; value type, all zero at first.
 */
#ifndef VNCHL_HELD_INPUT_H
#define VNCHL_HELD_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/proto/client_messages.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Keys that are known at a time. No hand holds more; what a viewer presses beyond is not released.
 */
#define HELD_KEYS_MAX 64

struct held_input {
    struct held_key {
        uint32_t keysym, code;
        bool coded; /* it was pressed with its code (CLIENT_QEMU) */
    } key[HELD_KEYS_MAX];
    unsigned keys;
    unsigned buttons; /* a bit for each */
    int x, y;         /* of the pointer */
};

/* A message that has left for the server: of a key or of the pointer. */
void held_input_note(struct held_input *h, const struct client_message *m);

/* Writes the releases, HELD_INPUT_WRITE_MAX bytes at most; `extended`: the server takes more
 * buttons; `steps`: it takes steps of the pointer. Nothing is held then. Returns the bytes. */
#define HELD_INPUT_WRITE_MAX ((HELD_KEYS_MAX + 1) * CLIENT_WRITE_MAX)
size_t held_input_release(struct held_input *h, uint8_t *out, bool extended, bool steps);

#ifdef __cplusplus
}
#endif
#endif
