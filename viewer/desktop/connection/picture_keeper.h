/* What a connection has to do with the picture that is kept of its server
 * (viewer/servers/picture_file.h).
 *
 * It is read while the first session connects, and given to that session, if the server is proved
 * to be the same and protects it as well (last_picture.h). It is written when a session is lost or
 * ends, not before: a picture that changes all the time need not go to the disk. It is not shown.
 *
 * UI thread. Zeroed is one that keeps nothing.
 */
#ifndef VNCHL_PICTURE_KEEPER_H
#define VNCHL_PICTURE_KEEPER_H

#include <stdbool.h>

#include "rfb/session/session.h"
#include "viewer/servers/picture_file.h"

#ifdef __cplusplus
extern "C" {
#endif

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
