#include "rfb/pusher/viewer/viewer_side.h"

#include <stdlib.h>
#include <string.h>

#include "rfb/proto/encodings/encodings.h"
#include "rfb/proto/message_types.h"
#include "rfb/proto/server_messages.h"
#include "rfb/pusher/viewer/viewer_film.h"
#include "rfb/pusher/viewer/viewer_side_parts.h"
#include "rfb/pusher/viewer/wishes.h"
#include "rfb/system/clock.h"
#include "rfb/system/thread.h"

struct viewer_side *viewer_side_create(struct framebuffer *fb, int wake_fd)
{
    struct viewer_side *v = calloc(1, sizeof *v);

    if (!v)
        return NULL;
    pthread_mutex_init(&v->lock, NULL);
    pthread_cond_init(&v->room, NULL);
    v->fb = fb;
    v->wake_fd = wake_fd;
    v->blank = true;
    push_plan_init(&v->plan, &wishes_first, tick_now());
    turnaround_init(&v->turnaround);
    datagram_blocks_init(&v->datagrams);
    viewer_had_begin(&v->had);
    if (block_maker_init(&v->maker, fb))
        return v;
    viewer_side_destroy(v);
    return NULL;
}

bool viewer_side_follow_octopus(struct viewer_side *v, tick_t interval)
{
    v->datagrams.push.octopus.on = true;
    v->datagrams.push.octopus.interval = interval;
    return block_maker_takes_areas(&v->maker);
}

/* Linux spares those that keep a model of the path the new beginning after a rest. */
void viewer_side_learn_congestion(struct viewer_side *v, const char *name)
{
    if (strncmp(name, "bbr", 3) == 0)
        push_plan_keep_window(&v->plan);
}

void viewer_side_destroy(struct viewer_side *v)
{
    if (!v)
        return;
    references_destroy(v->references);
    film_maker_destroy(v->film);
    block_maker_deinit(&v->maker);
    bytes_deinit(&v->queued);
    passed_sound_deinit(&v->sound);
    viewer_had_deinit(&v->had);
    standing_deinit(&v->standing);
    free(v->cells);
    pthread_cond_destroy(&v->room);
    pthread_mutex_destroy(&v->lock);
    free(v);
}

static void viewer_side_wake(struct viewer_side *v)
{
    eventfd_wake(v->wake_fd, "the loop");
}

/* ---- the puller ---- */

/* Waits for room. With the lock held. */
static bool viewer_side_add(struct viewer_side *v, const void *own, size_t own_size,
                            const void *bytes, size_t size)
{
    while (!v->ended && !v->away && v->queued.size > 0 &&
           v->queued.size + size > VIEWER_SIDE_QUEUED_MOST)
        pthread_cond_wait(&v->room, &v->lock);
    return !v->ended &&
           (v->away || v->preview ||
            (bytes_append(&v->queued, own, own_size) && bytes_append(&v->queued, bytes, size)));
}

bool viewer_side_pass(struct viewer_side *v, const void *own, size_t own_size, const void *bytes,
                      size_t size)
{
    bool ok;

    pthread_mutex_lock(&v->lock);
    ok = viewer_side_add(v, own, own_size, bytes, size);
    pthread_mutex_unlock(&v->lock);
    viewer_side_wake(v);
    return ok;
}

void viewer_side_pass_sound(struct viewer_side *v, const void *bytes, size_t size)
{
    pthread_mutex_lock(&v->lock);
    if (v->takes_sound)
        passed_sound_put(&v->sound, bytes, size);
    pthread_mutex_unlock(&v->lock);
    viewer_side_wake(v);
}

void viewer_side_keep(struct viewer_side *v, int32_t encoding, const void *own, size_t own_size,
                      const void *bytes, size_t size)
{
    pthread_mutex_lock(&v->lock);
    standing_keep(&v->standing, encoding, own, own_size, bytes, size);
    pthread_mutex_unlock(&v->lock);
}

bool viewer_side_resized(struct viewer_side *v, int width, int height, const void *own,
                         size_t own_size, const void *bytes, size_t size)
{
    struct push_cell *cells = calloc(push_plan_cells(width, height), sizeof *cells);
    bool ok;

    if (!cells)
        return false;
    pthread_mutex_lock(&v->lock);
    ok = size == 0 || viewer_side_add(v, own, own_size, bytes, size);
    standing_forget(&v->standing, PSEUDO_EXTENDED_DESKTOP_SIZE); /* it says the old size */
    free(v->cells);
    v->cells = cells;
    v->width = width;
    v->height = height;
    v->generation++;
    push_plan_picture(&v->plan, cells, width, height, tick_now());
    references_picture(v->references, width, height);
    v->blank = true;
    datagram_blocks_switch(&v->datagrams, &v->plan, v->datagrams.arrive, v->preview, tick_now());
    pthread_mutex_unlock(&v->lock);
    return ok;
}

bool viewer_side_begun(struct viewer_side *v)
{
    bool ended;

    pthread_mutex_lock(&v->lock);
    while (!v->ended && !v->away && !v->blank && !push_plan_wants(&v->plan, tick_now()))
        pthread_cond_wait(&v->room, &v->lock);
    v->comes = v->input;
    ended = v->ended;
    pthread_mutex_unlock(&v->lock);
    return !ended;
}

/* A block that leaves at once, before those that were not made yet. */
static bool viewer_side_pass_block(struct viewer_side *v, const struct block *b)
{
    uint8_t bytes[1 + BLOCK_MAX] = {SERVER_BLOCK};

    return bytes_append(&v->queued, bytes, 1 + block_pack(b, bytes + 1));
}

/* A copy leaves at once: what it copies is what the viewer has then. */
static bool viewer_side_put_copy(struct viewer_side *v, const struct update_part *part, bool last,
                                 tick_t now)
{
    struct block b = {
        .codec = BLOCK_COPY, .area = part->area, .size = BLOCK_COPY_BYTES, .last = last};
    uint8_t payload[BLOCK_COPY_BYTES];

    viewer_side_number(v, &b, v->shows);
    block_set_copy(&b, part->from_x, part->from_y, payload);
    push_plan_sent_other(&v->plan, b.sequence, 1 + BLOCK_HEAD + b.size, now);
    references_copied(v->references, part->area, part->from_x, part->from_y);
    return viewer_side_pass_block(v, &b);
}

/* Tells the plan of the parts. Those that the viewer can copy become the first ones, and their
 * number is returned; the others are to be sent. */
static unsigned viewer_side_tell_parts(struct viewer_side *v, struct update_parts *parts,
                                       tick_t now)
{
    unsigned copies = 0;

    for (unsigned i = 0; i < parts->count; i++) {
        const struct update_part part = parts->part[i];
        struct rect r = part.area;

        if (!part.copied || v->blank || v->preview)
            push_plan_changed(&v->plan, r.x, r.y, r.w, r.h, now);
        else if (push_plan_copied(&v->plan, part.from_x, part.from_y, r.x, r.y, r.w, r.h, now))
            parts->part[copies++] = part;
    }
    return copies;
}

/* ---- what the viewer still has ---- */

/* Its old picture is right here, or is not needed any more. */
static bool viewer_side_put_old(struct viewer_side *v, const struct framebuffer_view *view,
                                const struct had_answer *a, tick_t now)
{
    struct block b = {.area = a->area};
    uint8_t payload[BLOCK_OLD_ENDS_BYTES];

    viewer_side_number(v, &b, v->shows);
    block_set_old(&b, a->ends ? a->sum : NULL, payload);
    if (a->ends)
        push_plan_sent_other(&v->plan, b.sequence, 1 + BLOCK_HEAD + b.size, now);
    else
        b.last = push_plan_has(&v->plan, b.area.x, b.area.y, b.area.w, b.area.h, b.sequence,
                               1 + BLOCK_HEAD + b.size, now);
    if (!a->ends)
        references_left_of(v->references, &b, view, true, now);
    return viewer_side_pass_block(v, &b);
}

/* Compares the digests that were not looked at yet with the picture that is shown: with what the
 * plan knows, for the lock is held. */
static bool viewer_side_compare(struct viewer_side *v, tick_t now)
{
    struct framebuffer_view view;
    struct had_answer answer;
    bool ok = true;

    if (v->blank || !viewer_had_waits(&v->had) || !framebuffer_lock(v->maker.reader, &view, false))
        return true;
    while (ok && viewer_had_answer(&v->had, view.pixels, view.width, view.height, &answer))
        ok = viewer_side_put_old(v, &view, &answer, now);
    framebuffer_unlock(v->maker.reader);
    return ok;
}

/* With the lock held. */
static bool viewer_side_answer(struct viewer_side *v)
{
    uint8_t nothing[SERVER_UPDATE_HEAD];
    bool due = v->asked && v->plan.hidden;

    v->asked = false;
    return !due || bytes_append(&v->queued, nothing, server_write_update(nothing, 0));
}

bool viewer_side_shown(struct viewer_side *v, struct update_parts *parts)
{
    tick_t now = tick_now();
    bool ok = true, complete;
    unsigned copies;

    pthread_mutex_lock(&v->lock);
    framebuffer_publish(v->fb);
    update_parts_join(parts);
    copies = v->away ? 0 : viewer_side_tell_parts(v, parts, now);
    complete = push_plan_shown(&v->plan, now);
    v->shows = v->comes;
    turnaround_shown(&v->turnaround, v->shows, now);
    for (unsigned i = 0; ok && i < copies; i++)
        ok = viewer_side_put_copy(v, &parts->part[i], complete && i + 1 == copies, now);
    v->blank = false;
    ok = ok && viewer_side_answer(v) && viewer_side_compare(v, now);
    references_shown(v->references, &v->plan, &v->datagrams.push, now);
    pthread_mutex_unlock(&v->lock);
    parts->count = 0;
    viewer_side_wake(v);
    return ok;
}

/* ---- the loop ---- */

/* When blocks were read so long ago, as if that had been told at once. Time does not go back. With
 * the lock held. */
static tick_t viewer_side_when(const struct viewer_side *v, uint32_t age_us, tick_t now)
{
    return tick_sooner(now, tick_later(v->heard_at, now - (tick_t)age_us * (TICK_MS / 1000)));
}

/* With the lock held. */
static void viewer_side_acknowledged(struct viewer_side *v, const struct blocks_message *m,
                                     tick_t now)
{
    for (unsigned i = 0; i < m->marks; i++) {
        v->heard_at = viewer_side_when(v, m->mark[i].age_us, now);
        push_plan_acknowledged(&v->plan, m->mark[i].sequence, v->heard_at, now);
        references_heard(v->references, m->mark[i].sequence);
    }
}

bool viewer_side_hear(struct viewer_side *v, const struct blocks_message *m)
{
    tick_t now = tick_now();
    bool ok = true;

    pthread_mutex_lock(&v->lock);
    switch (m->kind) {
    case BLOCKS_ACKNOWLEDGE:
        viewer_side_acknowledged(v, m, now);
        break;
    case BLOCKS_WISHES:
        wishes_follow(&m->wishes, &v->plan, now);
        v->wishes = m->wishes;
        v->wished = true;
        break;
    case BLOCKS_DIGESTS:
        ok = viewer_had_hear(&v->had, &m->digests) && viewer_side_compare(v, now);
        break;
    case BLOCKS_REFUSED:
        references_refused(v->references, m->refused, now);
        push_plan_changed(&v->plan, m->refused.x, m->refused.y, m->refused.w, m->refused.h, now);
        push_plan_shown(&v->plan, now);
        break;
    case BLOCKS_GOODBYE: /* the loop's */
    case BLOCKS_COUNT:
        break;
    }
    pthread_mutex_unlock(&v->lock);
    return ok;
}

void viewer_side_takes_sound(struct viewer_side *v, bool takes)
{
    pthread_mutex_lock(&v->lock);
    v->takes_sound = takes;
    pthread_mutex_unlock(&v->lock);
}

void viewer_side_again(struct viewer_side *v, struct rect r)
{
    tick_t now = tick_now();

    pthread_mutex_lock(&v->lock);
    push_plan_film_anew(&v->plan, r.x, r.y, r.w, r.h);
    push_plan_changed(&v->plan, r.x, r.y, r.w, r.h, now);
    push_plan_shown(&v->plan, now);
    pthread_mutex_unlock(&v->lock);
}

void viewer_side_question(struct viewer_side *v)
{
    pthread_mutex_lock(&v->lock);
    v->asked = true;
    pthread_mutex_unlock(&v->lock);
}

void viewer_side_input(struct viewer_side *v, bool acts)
{
    tick_t now = tick_now();

    pthread_mutex_lock(&v->lock);
    v->input++;
    if (acts) {
        push_plan_input(&v->plan, now);
        turnaround_input(&v->turnaround, v->input, now);
    }
    pthread_mutex_unlock(&v->lock);
}

void viewer_side_pointer(struct viewer_side *v, int x, int y)
{
    pthread_mutex_lock(&v->lock);
    push_plan_pointer(&v->plan, x, y);
    pthread_mutex_unlock(&v->lock);
}

/* ---- what leaves; with the lock held ---- */

static bool viewer_side_put(struct viewer_side *v, const struct push_strip *strip,
                            struct block *block, struct bytes_held *out, tick_t now)
{
    uint8_t bytes[1 + BLOCK_MAX] = {SERVER_BLOCK};

    viewer_side_sent(v, strip, block, 1, now);
    if (block->last)
        datagram_blocks_switch(&v->datagrams, &v->plan, v->datagrams.arrive, true, now);
    return bytes_append(out, bytes, 1 + block_pack(block, bytes + 1));
}

static bool viewer_side_take_blocks(struct viewer_side *v, struct bytes_held *out, size_t most,
                                    tick_t now)
{
    struct push_strip strip;
    struct block block;

    while (!v->blank && !v->away && !v->preview && !v->datagrams.push.on && out->size < most &&
           push_plan_next(&v->plan, &strip, now)) {
        if (!viewer_side_make(v, &strip, false, BLOCK_PAYLOAD_ANYWHERE, &block, now))
            return true;
        if (!viewer_side_put(v, &strip, &block, out, now))
            return false;
    }
    return true;
}

static bool viewer_side_take_queued(struct viewer_side *v, struct bytes_held *out)
{
    bool ok = bytes_append(out, bytes_first(&v->queued), v->queued.size);

    bytes_take(&v->queued, v->queued.size);
    pthread_cond_signal(&v->room);
    return ok;
}

/* ---- datagrams ---- */

bool viewer_side_use_datagrams(struct viewer_side *v, bool on, tick_t now)
{
    pthread_mutex_lock(&v->lock);
    on = on && !push_datagrams_are_silent(&v->datagrams.push, &v->plan, now);
    datagram_blocks_switch(&v->datagrams, &v->plan, on, v->datagrams.whole, now);
    pthread_mutex_unlock(&v->lock);
    return on;
}

/* With the lock held. Returns the block's bytes. */
static size_t viewer_side_put_datagram(struct viewer_side *v, const struct push_strip *strip,
                                       struct block *block, uint8_t *out, tick_t now)
{
    viewer_side_sent(v, strip, block, DATAGRAM_BYTES, now);
    turnaround_leaves(&v->turnaround, true, now);
    return datagram_blocks_put(&v->datagrams, &v->plan, block, out, now);
}

size_t viewer_side_take_datagram(struct viewer_side *v, size_t packet, uint8_t *out, tick_t now)
{
    const size_t room = datagram_blocks_room(packet);
    struct push_datagrams *d = &v->datagrams.push;
    struct push_strip strip;
    struct block block;
    size_t size = 0;

    pthread_mutex_lock(&v->lock);
    viewer_film_look(v, now);
    while (push_datagrams_ready(d, &v->plan, now) && !v->away && size == 0) {
        if (!push_datagrams_next(d, &v->plan, &v->sequence, &strip, now)) {
            size = datagram_blocks_more(&v->datagrams, &v->plan, &v->sequence, out, now);
            break;
        }
        if (!viewer_side_make(v, &strip, d->octopus.on, room, &block, now))
            break;
        if (block.size > room)
            push_octopus_cut(&d->octopus, block.size, room);
        else
            size = viewer_side_put_datagram(v, &strip, &block, out, now);
    }
    pthread_mutex_unlock(&v->lock);
    return size;
}

void viewer_side_told(struct viewer_side *v, const struct body_up *up, tick_t now)
{
    if (!up->tells)
        return;
    pthread_mutex_lock(&v->lock);
    v->heard_at = viewer_side_when(v, up->age_us + (v->maker.areas ? up->waited_us : 0), now);
    push_datagrams_told(&v->datagrams.push, &v->plan, up->newest, up->before, up->made, v->heard_at,
                        now);
    pthread_mutex_unlock(&v->lock);
}

/* ---- without ---- */

bool viewer_side_take(struct viewer_side *v, struct bytes_held *out, size_t most, tick_t now)
{
    bool ok;

    pthread_mutex_lock(&v->lock);
    turnaround_leaves(&v->turnaround, out->size == 0, now);
    viewer_film_look(v, now);
    ok = out->size >= most ||
         (viewer_side_take_queued(v, out) && passed_sound_take(&v->sound, out) &&
          viewer_side_take_blocks(v, out, most, now));
    pthread_mutex_unlock(&v->lock);
    return ok;
}

bool viewer_side_wants(struct viewer_side *v, tick_t now)
{
    bool wants;

    pthread_mutex_lock(&v->lock);
    wants = !v->away && (v->blank || push_plan_wants(&v->plan, now));
    turnaround_passed(&v->turnaround, wants, now);
    if (wants)
        pthread_cond_signal(&v->room);
    pthread_mutex_unlock(&v->lock);
    return wants;
}

tick_t viewer_side_look_again(struct viewer_side *v, tick_t now)
{
    struct push_datagrams *d = &v->datagrams.push;
    tick_t at;

    pthread_mutex_lock(&v->lock);
    at = push_datagrams_look_again(d, &v->plan, now);
    if (!push_datagrams_hold(d)) /* else nothing leaves before something is told */
        at = tick_sooner(at, push_plan_look_again(&v->plan, now));
    at = v->blank || v->away ? TICK_NEVER : at;
    pthread_mutex_unlock(&v->lock);
    return at;
}

void viewer_side_show(struct viewer_side *v, struct accelerator_shown *shown)
{
    pthread_mutex_lock(&v->lock);
    viewer_had_show(&v->had, shown);
    pthread_mutex_unlock(&v->lock);
}

bool viewer_side_turnaround(struct viewer_side *v, struct turnaround_told *out, tick_t now)
{
    bool due;

    pthread_mutex_lock(&v->lock);
    due = turnaround_take(&v->turnaround, out, now);
    if (due)
        push_report_path(&v->datagrams.push, &v->plan, &out->far, now);
    pthread_mutex_unlock(&v->lock);
    return due;
}

bool viewer_side_report(struct viewer_side *v, struct push_report_figures *out, tick_t now)
{
    bool due;

    pthread_mutex_lock(&v->lock);
    due = push_report_make(&v->report, &v->datagrams.push, &v->plan, out, now);
    pthread_mutex_unlock(&v->lock);
    return due;
}

void viewer_side_size(struct viewer_side *v, int *width, int *height)
{
    pthread_mutex_lock(&v->lock);
    *width = v->width;
    *height = v->height;
    pthread_mutex_unlock(&v->lock);
}

void viewer_side_end(struct viewer_side *v)
{
    pthread_mutex_lock(&v->lock);
    v->ended = true;
    pthread_cond_signal(&v->room);
    pthread_mutex_unlock(&v->lock);
}
