/* Where the password comes from: a vncpasswd file, the environment, or a prompt.
 *
 * Called from a session's receiver thread; the caller keeps `struct credentials` alive meanwhile.
 */
#ifndef VNCHL_CREDENTIALS_H
#define VNCHL_CREDENTIALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A vncpasswd file holds one block of 8 bytes. */
#define PASSWD_BYTES 8

struct credentials {
    bool from_file;
    char file_password[PASSWD_BYTES + 1];
    char *typed_name, *typed_password; /* asked once, used for every connection of this run */
};

/* Reads the file, if one is named, so that a bad one is reported before anything else happens. */
bool credentials_init(struct credentials *c, const char *passwd_file, struct reason *why);
void credentials_deinit(struct credentials *c);

/* As struct session_callbacks wants it; `user` is the struct credentials. */
bool credentials_get(void *user, bool want_user, int cancel_fd, char **name, char **password,
                     struct reason *why);

/* The password in a vncpasswd block. It is obfuscated with a key everybody knows, not protected. */
void passwd_reveal(const uint8_t block[PASSWD_BYTES], char password[PASSWD_BYTES + 1]);

#ifdef __cplusplus
}
#endif
#endif
