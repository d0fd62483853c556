/* Where the password comes from: a vncpasswd file, the environment, or a prompt.
 *
 * Called from a session's receiver thread; the caller keeps `struct credentials` alive meanwhile.
 */
#ifndef VNCHL_CREDENTIALS_H
#define VNCHL_CREDENTIALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/proto/vncauth.h"
#include "rfb/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

struct credentials {
    bool from_file;
    char file_password[VNCAUTH_PASSWORD + 1];
    char *typed_name, *typed_password; /* asked once, used for every connection of this run */
};

/* Reads the file, if one is named, so that a bad one is reported before anything else happens. */
bool credentials_init(struct credentials *c, const char *passwd_file, struct reason *why);
void credentials_deinit(struct credentials *c);

/* As struct session_callbacks wants it; `user` is the struct credentials. */
bool credentials_get(void *user, bool want_user, int cancel_fd, char **name, char **password,
                     struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
