/* Apple's login, security type 30: user name and password, encrypted with a key that both sides
 * agree on (Diffie-Hellman). It encrypts nothing else, and it proves nothing about the server: who
 * only listens does not get the password, who stands in between does.
 *
 * The server says a generator, a prime p and its public key A. The client answers with both names
 * in AES-128 (ECB) under MD5(A^b mod p), and its public key g^b mod p. Source: the community's RFB
 * protocol specification, "Diffie-Hellman Authentication". All numbers are big-endian. Pure.
 */
#ifndef VNCHL_APPLE_LOGIN_H
#define VNCHL_APPLE_LOGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

#define APPLE_LOGIN_HEAD 4 /* bytes: the generator, and the prime's length in bytes */

/* Bytes of a prime. Below 1024 bits a listener can compute the key (Adrian and others, "Imperfect
 * Forward Secrecy", 2015). At most what TigerVNC's viewer takes, so that a server cannot keep the
 * processor busy; Macs have 128 to 512. */
#define APPLE_LOGIN_PRIME_MIN 128
#define APPLE_LOGIN_PRIME_MAX 1024

#define APPLE_LOGIN_TEXT_MAX 63  /* bytes of a name or a password; a NUL follows */
#define APPLE_LOGIN_TEXTS    128 /* bytes that both take, encrypted */

/* What the server says. Both numbers have `size` bytes. */
struct apple_login {
    unsigned generator;
    size_t size;
    uint8_t prime[APPLE_LOGIN_PRIME_MAX], key[APPLE_LOGIN_PRIME_MAX];
};

/* Takes the head. False, with a reason, where the prime's length is out of bounds. */
bool apple_login_begin(struct apple_login *a, const uint8_t head[APPLE_LOGIN_HEAD],
                       struct reason *why);

/* Whether the numbers that have come behind the head are fit for use. That p is a prime is not
 * tested: the server gets the password in any case. */
bool apple_login_check(const struct apple_login *a, struct reason *why);

/* Whether name and password have room in an answer. */
bool apple_login_fits(const char *name, const char *password, struct reason *why);

/* Bytes of random numbers that an answer needs, and of the answer. */
#define APPLE_LOGIN_BYTES(size) (APPLE_LOGIN_TEXTS + (size))
#define APPLE_LOGIN_BYTES_MAX   APPLE_LOGIN_BYTES(APPLE_LOGIN_PRIME_MAX)

/* The answer, of APPLE_LOGIN_BYTES(a->size) bytes, where both checks were passed. In place of
 * `random`, as many bytes that nobody else knows; they are overwritten. False: out of memory. */
bool apple_login_answer(const struct apple_login *a, const char *name, const char *password,
                        uint8_t *random, uint8_t *answer);

#ifdef __cplusplus
}
#endif
#endif
