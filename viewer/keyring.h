/* Passwords in the desktop's keyring, by libsecret (--save-password on).
 *
 * Finding asks nobody and does not unlock a keyring, so that it returns soon. Saving may have to
 * wait until a person has unlocked it, and so it has a thread of its own; the keyring's owner, one
 * thread, goes on meanwhile. Built without libsecret there is no keyring.
 */
#ifndef VNCHL_KEYRING_H
#define VNCHL_KEYRING_H

#include <stdbool.h>

#include "rfb/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether this program has been built with a keyring. */
bool keyring_built(void);

/* Whose password it is. */
struct keyring_key {
    const char *host; /* server_key() */
    unsigned port;
    const char *user; /* NULL: to find, any; to save, none */
};

/* Looks a password up. malloc'ed strings, which become the caller's; *user is NULL where none was
 * saved. False: there is none. `why` is empty then, or says why the keyring cannot be read. */
bool keyring_find(const struct keyring_key *key, char **user, char **password, struct reason *why);

struct keyring_save;

/* Saves a password, in place of an older one of the same key, in a thread of its own. What fails
 * is said by a line. All is copied. NULL: out of memory or threads. */
struct keyring_save *keyring_save_start(const struct keyring_key *key, const char *password);

/* Waits for the end if it is near, else gives up, and frees. Safe on NULL. */
void keyring_save_end(struct keyring_save *save);

#ifdef __cplusplus
}
#endif
#endif
