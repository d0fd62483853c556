#include "rfb/session/push/pushed.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "rfb/proto/client_messages.h"
#include "rfb/system/log.h"

struct pushed {
    pthread_mutex_t lock; /* everything below */
    bool on;
    bool goodbye; /* the far end knows it */
    bool held;    /* something waits for room in the socket */
    /* Blocks that were read and that the far end was not told of: some of them, the newest last. */
    struct {
        uint32_t sequence;
        tick_t begun, at; /* when the first block that shares it was read, and this one */
    } mark[BLOCKS_MARKS_MAX];
    unsigned marks;
    size_t unacknowledged; /* bytes of all of them */
    int quality;           /* of the newest block that came with loss, */
    tick_t lossy_at;       /* which was read then */
    struct accelerator_pushing pushing;
    bool dry; /* nothing that has arrived is unread */
    struct resolver_counts references;
    struct rect refused; /* the far end is to be told of it; empty: of none */
    uint64_t film_frames;
    tick_t film_at;    /* when the newest of them was drawn */
    struct rect again; /* it is to come again; w 0: nothing is */
    bool wishes_due;
    struct blocks_wishes wishes;
};

struct pushed *pushed_create(const struct encoding_options *encodings,
                             const struct scheduler_options *options)
{
    struct pushed *p = calloc(1, sizeof *p);

    if (!p)
        return NULL;
    pthread_mutex_init(&p->lock, NULL);
    p->wishes = (struct blocks_wishes){
        .quality = encodings->quality,
        .jpeg = encodings->jpeg,
        .exact_at_rest = options->lossless_refresh,
        .max_fps10 = (unsigned)(options->max_fps * 10 + 0.5),
        .max_rate = options->max_rate < UINT32_MAX ? (uint32_t)options->max_rate : 0};
    return p;
}

void pushed_destroy(struct pushed *p)
{
    if (!p)
        return;
    pthread_mutex_destroy(&p->lock);
    free(p);
}

bool pushed_speaks(const struct accelerator_shown *shown)
{
    bool both = shown->blocks_oldest <= BLOCKS_NEWEST && shown->blocks_newest >= BLOCKS_OLDEST;

    if (!both)
        log_line("no blocks are pushed, because vnchl-accel there speaks version %u of them, and "
                 "this vnchl version %u: upgrade %s",
                 shown->blocks_newest, BLOCKS_NEWEST,
                 shown->blocks_oldest > BLOCKS_NEWEST ? "this vnchl" : "vnchl-accel there");
    return both;
}

/* ---- with the lock held ---- */

static bool pushed_acknowledge_due(const struct pushed *p)
{
    return p->marks > 0 && (p->dry || p->unacknowledged >= PUSHED_EVERY);
}

static bool pushed_due(const struct pushed *p)
{
    return p->on &&
           (p->wishes_due || p->refused.w > 0 || p->again.w > 0 || pushed_acknowledge_due(p));
}

static size_t pushed_put_marks(struct pushed *p, uint8_t *out, tick_t now)
{
    struct blocks_message read = {.kind = BLOCKS_ACKNOWLEDGE, .marks = p->marks};

    for (unsigned i = 0; i < p->marks; i++) {
        tick_t age = (now - p->mark[i].at) / (TICK_MS / 1000);

        read.mark[i] =
            (struct blocks_mark){p->mark[i].sequence, age < 0            ? 0
                                                      : age > UINT32_MAX ? UINT32_MAX
                                                                         : (uint32_t)age};
    }
    p->marks = 0;
    p->unacknowledged = 0;
    return blocks_write(out, &read);
}

static size_t pushed_put(struct pushed *p, uint8_t *out, tick_t now)
{
    struct blocks_message wishes = {.kind = BLOCKS_WISHES, .wishes = p->wishes};
    struct blocks_message refused = {.kind = BLOCKS_REFUSED, .refused = p->refused};
    size_t size = 0;

    if (p->wishes_due)
        size += blocks_write(out, &wishes);
    if (p->refused.w > 0)
        size += blocks_write(out + size, &refused);
    p->wishes_due = false;
    p->refused.w = 0;
    if (p->again.w > 0)
        size += client_write_update_request(out + size, false, p->again);
    p->again.w = 0;
    return pushed_acknowledge_due(p) ? size + pushed_put_marks(p, out + size, now) : size;
}

/* The newest mark is of this block, or another one begins. */
static void pushed_mark(struct pushed *p, uint32_t sequence, tick_t now)
{
    bool begins = p->marks == 0 || (p->marks < BLOCKS_MARKS_MAX &&
                                    now - p->mark[p->marks - 1].begun >= PUSHED_APART);

    if (begins)
        p->mark[p->marks++].begun = now;
    p->mark[p->marks - 1].sequence = sequence;
    p->mark[p->marks - 1].at = now;
}

/* ---- without ---- */

bool pushed_begin(struct pushed *p, bool goodbye)
{
    pthread_mutex_lock(&p->lock);
    p->goodbye = goodbye;
    p->on = p->wishes_due = true;
    pthread_mutex_unlock(&p->lock);
    return true;
}

bool pushed_read(struct pushed *p, const struct pushed_block *b, tick_t now)
{
    bool wake;

    pthread_mutex_lock(&p->lock);
    if (!b->datagram) {
        pushed_mark(p, b->sequence, now);
        p->unacknowledged += b->bytes;
        p->dry = false;
    }
    if (b->quality > 0) {
        p->quality = b->quality;
        p->lossy_at = now;
    }
    wake = pushed_due(p) && !p->held;
    pthread_mutex_unlock(&p->lock);
    return wake;
}

bool pushed_ran_dry(struct pushed *p)
{
    bool wake;

    pthread_mutex_lock(&p->lock);
    p->dry = true;
    wake = pushed_due(p) && !p->held;
    pthread_mutex_unlock(&p->lock);
    return wake;
}

/* Several become one that has them all. */
void pushed_referred(struct pushed *p, struct resolver_counts counts, struct rect refused)
{
    pthread_mutex_lock(&p->lock);
    p->references = counts;
    if (refused.w > 0)
        p->refused = p->refused.w > 0 ? rect_bounds(p->refused, refused) : refused;
    pthread_mutex_unlock(&p->lock);
}

void pushed_film(struct pushed *p, tick_t now)
{
    pthread_mutex_lock(&p->lock);
    p->film_frames++;
    p->film_at = now;
    pthread_mutex_unlock(&p->lock);
}

void pushed_again(struct pushed *p, struct rect r)
{
    pthread_mutex_lock(&p->lock);
    p->again = r;
    pthread_mutex_unlock(&p->lock);
}

void pushed_tune(struct pushed *p, const struct session_tuning *tuning)
{
    pthread_mutex_lock(&p->lock);
    p->wishes.quality = tuning->quality == TUNING_AUTO ? LEVEL_AUTO : (int)tuning->quality;
    p->wishes_due = true;
    pthread_mutex_unlock(&p->lock);
}

void pushed_hide(struct pushed *p, bool on)
{
    pthread_mutex_lock(&p->lock);
    p->wishes.hidden = on;
    p->wishes_due = true;
    pthread_mutex_unlock(&p->lock);
}

size_t pushed_write(struct pushed *p, uint8_t *out, bool room, tick_t now)
{
    size_t size = 0;

    pthread_mutex_lock(&p->lock);
    p->held = !room && pushed_due(p);
    if (room && p->on)
        size = pushed_put(p, out, now);
    pthread_mutex_unlock(&p->lock);
    return size;
}

void pushed_hear(struct pushed *p, const struct accelerator_pushing *pushing)
{
    if (!pushing->policy[0])
        return;
    pthread_mutex_lock(&p->lock);
    p->pushing = *pushing;
    pthread_mutex_unlock(&p->lock);
}

bool pushed_figures(struct pushed *p, tick_t since, struct pushed_figures *out)
{
    bool on;

    pthread_mutex_lock(&p->lock);
    on = p->on;
    out->pushing = p->pushing;
    out->references = p->references;
    out->film_frames = p->film_frames;
    out->film = p->film_frames > 0 && p->film_at >= since;
    out->quality = p->lossy_at >= since ? p->quality : 0;
    pthread_mutex_unlock(&p->lock);
    return on;
}

bool pushed_says_goodbye(struct pushed *p)
{
    bool says;

    pthread_mutex_lock(&p->lock);
    says = p->on && p->goodbye;
    pthread_mutex_unlock(&p->lock);
    return says;
}

size_t pushed_write_goodbye(uint8_t *out)
{
    const struct blocks_message goodbye = {.kind = BLOCKS_GOODBYE};

    return blocks_write(out, &goodbye);
}

bool pushed_waits_for_room(struct pushed *p)
{
    bool held;

    pthread_mutex_lock(&p->lock);
    held = p->held;
    pthread_mutex_unlock(&p->lock);
    return held;
}
