/* A viewer that goes, and one that comes: what goes to it is dropped, and begins anew. */
#include "rfb/proto/encodings/encodings.h"
#include "rfb/pusher/viewer/viewer_film.h"
#include "rfb/pusher/viewer/viewer_side_parts.h"
#include "rfb/pusher/viewer/wishes.h"
#include "rfb/system/clock.h"

void viewer_side_leave(struct viewer_side *v)
{
    pthread_mutex_lock(&v->lock);
    v->away = true;
    v->preview = v->asked = v->takes_sound = false;
    bytes_take(&v->queued, v->queued.size);
    passed_sound_forget(&v->sound);
    pthread_cond_signal(&v->room);
    pthread_mutex_unlock(&v->lock);
}

/* As at the beginning: what an update that is being read shows counts for nothing. With the lock
 * held. */
static void viewer_side_begin_anew(struct viewer_side *v, tick_t now)
{
    push_plan_init(&v->plan, &wishes_first, now);
    push_plan_picture(&v->plan, v->cells, v->width, v->height, now);
    if (!v->blank)
        push_plan_shown(&v->plan, now);
    viewer_had_begin(&v->had);
    v->generation = 1;
    v->sequence = 0;
    v->heard_at = 0;
    v->input = v->comes = v->shows = 0;
    turnaround_init(&v->turnaround);
    v->away = v->preview = false;
    datagram_blocks_init(&v->datagrams);
}

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

bool viewer_side_return(struct viewer_side *v, int told_width, int told_height,
                        bool (*takes)(void *user, int32_t encoding), void *user)
{
    bool ok = viewer_side_refer(v, references_taken(takes, user));

    pthread_mutex_lock(&v->lock);
    viewer_side_begin_anew(v, tick_now());
    viewer_film_allow(v, takes(user, PSEUDO_FILM));
    v->takes_sound = takes(user, PSEUDO_QEMU_AUDIO);
    if (told_width != v->width || told_height != v->height) {
        v->generation++;
        ok = ok && standing_say_size(v->width, v->height, &v->queued);
    }
    ok = ok && standing_say(&v->standing, takes, user, &v->queued);
    pthread_mutex_unlock(&v->lock);
    return ok;
}
