#include "rfb/clock.h"
#include "rfb/pusher/viewer_film.h"
#include "rfb/pusher/viewer_side_parts.h"
#include "rfb/pusher/wishes.h"

void viewer_side_preview(struct viewer_side *v)
{
    tick_t now = tick_now();

    viewer_side_refer(v, (struct references_taken){0}); /* never fails: nothing is made */
    pthread_mutex_lock(&v->lock);
    viewer_side_begin_anew(v, now);
    viewer_film_allow(v, false);
    v->preview = true;
    if (v->wished)
        wishes_follow(&v->wishes, &v->plan, now);
    push_plan_hide(&v->plan, false, now); /* whether it is seen the viewer says on its stream */
    datagram_blocks_switch(&v->datagrams, &v->plan, false, true, now);
    pthread_mutex_unlock(&v->lock);
}
