/* Of which servers a person has said something that counts for later runs, too: one list each.
 *
 * Each is a file of viewer/state_file.h, with a line "PORT HOST" for each server, the newest first;
 * HOST is server_key(). What is damaged is not there.
 *
 * The thread that owns the sessions.
 */
#ifndef VNCHL_SERVER_MARKS_H
#define VNCHL_SERVER_MARKS_H

#include <stdbool.h>

#include "rfb/net/address/address.h"
#include "rfb/net/route.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SERVER_MARKS_MAX 200 /* servers in the file. Chosen: more than a person has. */

enum server_mark {
    /* The password is in the keyring, by the box of the question for it: it is looked for there of
     * these servers, and not of others (--save-password on: of all). It is not in the file. */
    SERVER_MARK_PASSWORD,
    /* The picture is drawn as other programs on this display are (--scale system). */
    SERVER_MARK_SYSTEM_SCALE,
};

bool server_marks_has(enum server_mark mark, const char *key, unsigned port);

/* Notes it, or with `on` false forgets it. Writes nothing if nothing changes. */
bool server_marks_note(enum server_mark mark, const char *key, unsigned port, bool on,
                       struct reason *why);

/* Whether the picture of this server has SERVER_MARK_SYSTEM_SCALE. */
bool system_scale_recall(const struct address *a, const struct route *route);

/* From now on, or with `on` false not any more. What fails is said by a line. Nothing is kept where
 * no server is named: of one that comes to us, and of a recording. */
void system_scale_note(const struct address *a, const struct route *route, bool on);

#ifdef __cplusplus
}
#endif
#endif
