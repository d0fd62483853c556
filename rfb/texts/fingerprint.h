/* The SHA-256 fingerprint of a certificate or a key: 32 bytes, and the text that people compare.
 *
 * Pure.
 */
#ifndef VNCHL_FINGERPRINT_H
#define VNCHL_FINGERPRINT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FINGERPRINT_BYTES 32
#define FINGERPRINT_TEXT  (3 * FINGERPRINT_BYTES) /* bytes of the text with its NUL */

/* "AB:12:...", as openssl prints it. */
void fingerprint_text(const uint8_t fingerprint[FINGERPRINT_BYTES], char out[FINGERPRINT_TEXT]);

/* The same in four rows of eight bytes, with '\n' between the rows. */
#define FINGERPRINT_ROW 8
void fingerprint_rows(const uint8_t fingerprint[FINGERPRINT_BYTES], char out[FINGERPRINT_TEXT]);

/* The same in two rows of 16 bytes. */
void fingerprint_halves(const uint8_t fingerprint[FINGERPRINT_BYTES], char out[FINGERPRINT_TEXT]);

/* "ab-12-...": the first eight bytes of an RSA key's SHA-1, as other viewers show them. Bytes of
 * the text with its NUL. */
#define FINGERPRINT_BRIEF (3 * FINGERPRINT_ROW)
void fingerprint_brief(const uint8_t sha1[FINGERPRINT_ROW], char out[FINGERPRINT_BRIEF]);

/* Reads 64 hexadecimal digits of any case. A colon may stand between two bytes. False: the text is
 * something else, or something follows. */
bool fingerprint_parse(const char *text, uint8_t out[FINGERPRINT_BYTES]);

#ifdef __cplusplus
}
#endif
#endif
