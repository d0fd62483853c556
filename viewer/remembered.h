/* The servers whose password a person had remembered in the keyring by the box of the question for
 * it: the keyring is looked at for these, and not for others (--save-password on: for all).
 *
 * In the file `remembered` of viewer/state_file.h, a line "PORT HOST" each, the newest first; HOST
 * is server_key(). There is no password in it. What is damaged is not there.
 *
 * The thread that owns the sessions.
 */
#ifndef VNCHL_REMEMBERED_H
#define VNCHL_REMEMBERED_H

#include <stdbool.h>

#include "rfb/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

#define REMEMBERED_MAX 200 /* servers in the file. Chosen: more than a person has. */

bool remembered_has(const char *key, unsigned port);

/* Notes it, or with `on` false forgets it. Writes nothing if nothing changes. */
bool remembered_note(const char *key, unsigned port, bool on, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
