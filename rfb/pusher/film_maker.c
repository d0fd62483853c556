#include "rfb/pusher/film_maker.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "prerequest/push/film_cut.h"
#include "rfb/film/encoder.h"
#include "rfb/film/frame_part.h"
#include "rfb/pusher/constants.h"
#include "rfb/thread.h"

enum maker_state { MAKER_RESTS, MAKER_WORKS, MAKER_HAS };

struct film_maker {
    int wake_fd;
    pthread_t thread;
    pthread_mutex_t lock; /* the next three */
    pthread_cond_t news;
    enum maker_state state; /* while it works all below is the thread's, else the loop's */
    bool begun, ends;

    struct film_encoder *encoder;
    struct film_picture picture;
    struct push_film_order order;
    struct rect area;
    bool coded, key;
    int qp;
    unsigned parts;
    uint8_t *bytes; /* of the frame */
    size_t size, room;
    uint8_t shows[2 * PUSH_FILM_CELLS + 2];
    uint8_t payload[BLOCK_PAYLOAD_MAX];
};

_Static_assert(PUSH_FILM_PARTS == FRAME_PARTS_MOST && PUSH_FILM_ROOM == FRAME_PART_MOST,
               "what is planned can be said");

static bool maker_keep(struct film_maker *m, const struct film_coded *coded)
{
    unsigned cells = (unsigned)(m->order.area.columns * m->order.area.rows);
    size_t head = frame_shows_write(m->shows, m->order.shows, cells);
    uint8_t *more;

    m->size = head + coded->size;
    if (m->size > m->room) {
        if (!(more = realloc(m->bytes, m->size)))
            return false;
        m->bytes = more;
        m->room = m->size;
    }
    memcpy(m->bytes, m->shows, head);
    memcpy(m->bytes + head, coded->bytes, coded->size);
    m->key = coded->key;
    m->qp = coded->qp;
    return true;
}

static void maker_work(struct film_maker *m)
{
    const struct film_demand demand = {
        .number = (int64_t)m->order.number,
        .key = m->order.key,
        .forgets = m->order.forgets,
        .forget_from = (int64_t)m->order.forget_from,
        .bytes = m->order.bytes,
        .fps = m->order.fps,
    };
    struct film_coded coded;

    m->coded = film_encode(m->encoder, &m->picture, &demand, &coded) && maker_keep(m, &coded);
}

static void *maker_main(void *user)
{
    struct film_maker *m = user;

    prctl(PR_SET_NAME, "film");
    setpriority(PRIO_PROCESS, 0, FILM_MAKER_NICE); /* on Linux that is of the thread alone */
    pthread_mutex_lock(&m->lock);
    m->begun = true;
    pthread_cond_broadcast(&m->news);
    while (!m->ends) {
        if (m->state != MAKER_WORKS) {
            pthread_cond_wait(&m->news, &m->lock);
            continue;
        }
        pthread_mutex_unlock(&m->lock);
        maker_work(m);
        pthread_mutex_lock(&m->lock);
        m->state = MAKER_HAS;
        eventfd_wake(m->wake_fd, "the loop");
    }
    pthread_mutex_unlock(&m->lock);
    return NULL;
}

static void maker_free(struct film_maker *m)
{
    film_encoder_destroy(m->encoder);
    film_picture_deinit(&m->picture);
    free(m->bytes);
    pthread_cond_destroy(&m->news);
    pthread_mutex_destroy(&m->lock);
    free(m);
}

struct film_maker *film_maker_create(int wake_fd)
{
    struct film_maker *m = calloc(1, sizeof *m);

    if (!m)
        return NULL;
    pthread_mutex_init(&m->lock, NULL);
    pthread_cond_init(&m->news, NULL);
    m->wake_fd = wake_fd;
    m->encoder = film_encoder_create();
    if (!m->encoder || pthread_create(&m->thread, NULL, maker_main, m) != 0) {
        maker_free(m);
        return NULL;
    }
    pthread_mutex_lock(&m->lock); /* later it may not set its priority */
    while (!m->begun)
        pthread_cond_wait(&m->news, &m->lock);
    pthread_mutex_unlock(&m->lock);
    return m;
}

void film_maker_destroy(struct film_maker *m)
{
    if (!m)
        return;
    pthread_mutex_lock(&m->lock);
    m->ends = true;
    pthread_cond_broadcast(&m->news);
    pthread_mutex_unlock(&m->lock);
    pthread_join(m->thread, NULL);
    maker_free(m);
}

static enum maker_state maker_state(struct film_maker *m)
{
    enum maker_state state;

    pthread_mutex_lock(&m->lock);
    state = m->state;
    pthread_mutex_unlock(&m->lock);
    return state;
}

static void maker_set(struct film_maker *m, enum maker_state state)
{
    pthread_mutex_lock(&m->lock);
    m->state = state;
    pthread_cond_broadcast(&m->news);
    pthread_mutex_unlock(&m->lock);
}

bool film_maker_is_busy(struct film_maker *m)
{
    return maker_state(m) != MAKER_RESTS;
}

bool film_maker_begin(struct film_maker *m, const struct push_film_order *order, struct rect area,
                      const uint32_t *pixels, int stride)
{
    if (!film_picture_take(&m->picture, pixels + (ptrdiff_t)area.y * stride + area.x, stride,
                           area.w, area.h))
        return false;
    m->order = *order;
    m->area = area;
    maker_set(m, MAKER_WORKS);
    return true;
}

bool film_maker_made(struct film_maker *m, struct film_made *out)
{
    if (maker_state(m) != MAKER_HAS)
        return false;
    maker_set(m, MAKER_RESTS);
    *out = (struct film_made){.id = m->order.id, .qp = m->qp};
    if (m->coded && m->size <= FRAME_MOST)
        out->bytes = m->size;
    return true;
}

void film_maker_cut(struct film_maker *m, unsigned blocks)
{
    m->parts = blocks;
}

void film_maker_part(struct film_maker *m, unsigned index, struct block *out)
{
    struct frame_part part = {
        .id = m->order.id,
        .before = m->key ? 0 : m->order.before,
        .frame = m->size,
        .index = index,
        .count = m->parts,
    };

    part.bytes = m->bytes + frame_part_at(&part);
    out->codec = BLOCK_FILM;
    out->quality = 0;
    out->area = m->area;
    out->size = frame_part_write(m->payload, &part);
    out->payload = m->payload;
}
