/* The code of a key: where it is on the keyboard, whatever it types. A server that takes such codes
 * (QEMU's extended key events) can leave the rest to the layout at its end.
 *
 * Pure function, any thread. */
#ifndef VNCHL_KEY_CODE_H
#define VNCHL_KEY_CODE_H

#include <stdint.h>

#include <SDL_scancode.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The XT scan code ("set 1") that the key sends when it is pressed. Of a code with 0xe0 in front,
 * the second byte, with its highest bit set: 0xcd for e0 4d. Print has 0x54 and Pause 0xc6, as the
 * protocol wants. 0: the key has no code, or none that is known. */
uint8_t key_code(SDL_Scancode scancode);

#ifdef __cplusplus
}
#endif
#endif
