/* Passwords in the desktop's keyring, by libsecret (--save-password on).
 *
 * Whatever answers may take long: a keyring that hangs, or one that waits until a person has
 * unlocked it. So each look-up and each saving has a thread of its own, and the keyring's owner,
 * one thread, goes on meanwhile. Finding asks nobody and does not unlock a keyring. Built without
 * libsecret there is no keyring.
 */
#ifndef VNCHL_KEYRING_H
#define VNCHL_KEYRING_H

#include <stdbool.h>

#include "rfb/texts/reason.h"
#include "viewer/trust/purpose.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether this program has been built with a keyring. */
bool keyring_built(void);

/* Whether there may be one to ask: this session of the desktop has a bus, on which keyrings are. */
bool keyring_there(void);

/* Whose password it is. */
struct keyring_key {
    const char *host; /* server_key() */
    unsigned port;
    const char *user;       /* NULL: to find, any; to save, none */
    struct purpose purpose; /* to find: what is wanted now; to save: what it was given for */
};

/* What was found. malloc'ed strings, which become the caller's. */
struct keyring_found {
    char *user, *password; /* NULL: none */
    /* What it was given for. UNKNOWN: by a version that did not note it, or by another program. */
    struct purpose purpose;
    struct reason why; /* no password: why the keyring cannot be read; empty: it has none */
};

struct keyring_find;

/* Looks a password up. Of more than one, one that may go where it is wanted comes first. `wake` is
 * called once, by another thread, when keyring_find_take() has something. All else is copied. NULL:
 * out of memory or threads. */
struct keyring_find *keyring_find_start(const struct keyring_key *key, void (*wake)(void *user),
                                        void *user);

/* True, once: the look-up is over. */
bool keyring_find_take(struct keyring_find *find, struct keyring_found *out);

/* Nobody wants to know any more. Does not wait; `wake` is not called afterwards. Safe on NULL. */
void keyring_find_end(struct keyring_find *find);

struct keyring_save;

/* Saves a password, in place of older ones of the same host, port and user. What fails is said by a
 * line. All is copied. NULL: out of memory or threads. */
struct keyring_save *keyring_save_start(const struct keyring_key *key, const char *password);

/* Goes on by itself; nobody waits for it. Safe on NULL. */
void keyring_save_leave(struct keyring_save *save);

/* Waits for the end if it is near, else gives up. Safe on NULL. */
void keyring_save_end(struct keyring_save *save);

#ifdef __cplusplus
}
#endif
#endif
