/* Whether a session that begins is given the picture of the one before, which is still shown, or
 * was kept: it tells the far end digests of it (rfb/session/push/old_picture.h).
 *
 * Digests say something of what was on the screen. So the new session must protect it as well: the
 * channel at least as strong, the same proof or one where there was none, and of two certificates
 * the same one. It must have the same size, and the one before must have been pushed. Both are with
 * the same server, by the same way.
 */
#ifndef VNCHL_LAST_PICTURE_H
#define VNCHL_LAST_PICTURE_H

#include <stdbool.h>

#include "rfb/net/address/address.h"
#include "rfb/net/route.h"
#include "rfb/session/session.h"
#include "rfb/session/session_stats.h"
#include "viewer/servers/picture_file.h"

#ifdef __cplusplus
extern "C" {
#endif

bool last_picture_helps(const struct session_stats *before, const struct session_stats *now);

/* Whether it is certain who the server of this session is, also after a long time: it has shown a
 * certificate that was accepted, or ssh has led to its machine, or its Unix socket is on this one.
 * Else somebody else may be at the same address later, so its picture is not kept. */
bool last_picture_is_proved(const struct session_stats *s, const struct address *a,
                            const struct route *route);

/* What a connection has to do with the picture that is kept of its server
 * (viewer/servers/picture_file.h).
 *
 * It is read while the first session connects, and given to that session, if the server is proved
 * to be the same and protects it as well (last_picture_helps()). It is written when a session is
 * lost or ends, not before: a picture that changes all the time need not go to the disk. It is not
 * shown.
 *
 * UI thread. Zeroed is one that keeps nothing.
 */

struct picture_keeper {
    bool on;   /* the owner sets it; else what there is is forgotten */
    bool told; /* that a server's picture is not kept */
    struct picture_file kept;
};

/* A connection begins. */
void picture_keeper_begin(struct picture_keeper *k, const struct session_options *o);

/* Its first session is established, with these figures: it may get the picture. */
void picture_keeper_give(struct picture_keeper *k, const struct session_options *o,
                         struct session *s, const struct session_stats *now);

/* This session was up, and is lost or ends. */
void picture_keeper_end(struct picture_keeper *k, const struct session_options *o,
                        struct session *s);

/* Frees what was read. */
void picture_keeper_drop(struct picture_keeper *k);

#ifdef __cplusplus
}
#endif
#endif
