#include "rfb/pusher/viewer_side_parts.h"

bool viewer_side_refer(struct viewer_side *v, bool on)
{
    bool ok;

    pthread_mutex_lock(&v->lock);
    references_destroy(v->references);
    v->references = NULL;
    if (on && !v->maker.areas)
        v->references = references_create(v->maker.reader);
    ok = v->references || !on || v->maker.areas;
    references_picture(v->references, v->width, v->height);
    pthread_mutex_unlock(&v->lock);
    return ok;
}
