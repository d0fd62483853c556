/* VNC authentication's use of DES: the answer to a challenge, and the vncpasswd file. Pure. */
#ifndef VNCHL_VNCAUTH_H
#define VNCHL_VNCAUTH_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define VNCAUTH_PASSWORD  8 /* bytes of a password that count */
#define VNCAUTH_CHALLENGE 16

/* Encrypts the challenge, in place, with the password (RFB 3.8, section 7.2.2). */
void vncauth_answer(uint8_t challenge[VNCAUTH_CHALLENGE], const char *password);

/* The password in a vncpasswd block. It is obfuscated with a key everybody knows, not protected. */
void vncauth_reveal(const uint8_t block[VNCAUTH_PASSWORD], char password[VNCAUTH_PASSWORD + 1]);

#ifdef __cplusplus
}
#endif
#endif
