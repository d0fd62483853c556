/* What a connection has to do with the picture that is kept of its server (viewer/kept_picture.h).
 *
 * It is read while the first session connects, and given to that session, if the server is proved
 * to be the same and protects it as well (last_picture.h). It is written when a session is lost or
 * ends, not before: a picture that changes all the time need not go to the disk. It is not shown.
 *
 * UI thread. Zeroed is one that keeps nothing.
 */
#ifndef VNCHL_KEEP_PICTURE_H
#define VNCHL_KEEP_PICTURE_H

#include <stdbool.h>

#include "rfb/session/session.h"
#include "viewer/kept_picture.h"

#ifdef __cplusplus
extern "C" {
#endif

struct keep_picture {
    bool on; /* the owner sets it; else what there is is forgotten */
    struct kept_picture kept;
};

/* A connection begins. */
void keep_picture_begin(struct keep_picture *k, const struct session_options *o);

/* Its first session is established, with these figures: it may get the picture. */
void keep_picture_give(struct keep_picture *k, const struct session_options *o, struct session *s,
                       const struct session_stats *now);

/* This session was up, and is lost or ends. */
void keep_picture_end(struct keep_picture *k, const struct session_options *o, struct session *s);

/* Frees what was read. */
void keep_picture_drop(struct keep_picture *k);

#ifdef __cplusplus
}
#endif
#endif
