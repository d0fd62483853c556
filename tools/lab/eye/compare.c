#include "tools/lab/eye/compare.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "tools/lab/eye/likeness.h"

#define PICTURES 16384 /* more than an hour of them */
#define LEAST    19    /* priority: what is measured goes first */
#define POINTER  32    /* side of the square that a pointer may cover */

struct compare {
    struct scene *scene; /* the thread's; its places are anybody's */
    pthread_t thread;
    bool finished;
    sem_t work;
    atomic_bool full, quit; /* whose the slot is: full, the thread's; else the looker's */

    /* the slot */
    struct mark mark;
    uint32_t *pixels; /* of the size of the content */
    struct rect pointer;

    /* the looker's */
    bool whole;
    uint32_t frame; /* shown whole, and since when */
    tick_t since, due;
    struct rect pointer_at; /* on the screen */

    /* the thread's, until it has ended */
    struct samples psnr, ssim;
    size_t exact;
    bool drawn; /* a frame is in the scene's picture */
};

/* ---- the thread ---- */

static void compare_keep(struct samples *s, double value)
{
    s->values[s->kept++] = (float)value;
}

static void compare_judge(struct compare *c)
{
    struct scene *s = c->scene;
    const struct scene_place *marks[] = {&s->frame_at, &s->end_at, &s->input_at};
    struct mark_picture drawn = scene_picture(s),
                        shown = {c->pixels, s->width, s->height, s->width};
    struct rect without[4] = {c->pointer};
    struct likeness likeness;
    size_t count = 1;

    for (int i = 0; i < 3; i++)
        if (marks[i]->there)
            without[count++] = (struct rect){marks[i]->x, marks[i]->y, MARK_WIDTH, MARK_HEIGHT};
    if (!c->drawn || s->frame != c->mark.number)
        scene_draw(s, c->mark.number, c->mark.time);
    c->drawn = true;
    if (!likeness_of(&drawn, &shown, s->area, without, count, &likeness))
        return;
    c->exact += likeness.exact;
    compare_keep(&c->psnr, likeness.psnr_db);
    compare_keep(&c->ssim, likeness.ssim);
}

static void *compare_work(void *argument)
{
    struct compare *c = argument;

    setpriority(PRIO_PROCESS, 0, LEAST); /* on Linux: of this thread */
    for (;;) {
        while (sem_wait(&c->work) != 0) {
        }
        if (atomic_load(&c->full)) {
            if (c->psnr.kept < PICTURES)
                compare_judge(c);
            atomic_store(&c->full, false);
        } else if (atomic_load(&c->quit)) {
            return NULL;
        }
    }
}

/* ---- life ---- */

static bool compare_start(struct compare *c)
{
    if (sem_init(&c->work, 0, 0) != 0)
        return false;
    if (pthread_create(&c->thread, NULL, compare_work, c) == 0)
        return true;
    sem_destroy(&c->work);
    return false;
}

static void compare_release(struct compare *c)
{
    scene_destroy(c->scene);
    free(c->pixels);
    free(c->psnr.values);
    free(c->ssim.values);
    free(c);
}

struct compare *compare_open(const struct scene_kind *kind, int width, int height, uint32_t seed)
{
    struct compare *c = calloc(1, sizeof *c);

    if (!c)
        return NULL;
    c->scene = scene_create(kind, width, height, seed);
    if (c->scene)
        c->pixels = calloc((size_t)c->scene->width * (size_t)c->scene->height, sizeof *c->pixels);
    c->psnr.values = calloc(PICTURES, sizeof *c->psnr.values);
    c->ssim.values = calloc(PICTURES, sizeof *c->ssim.values);
    if (c->pixels && c->psnr.values && c->ssim.values && compare_start(c))
        return c;
    compare_release(c);
    return NULL;
}

void compare_finish(struct compare *c)
{
    if (c->finished)
        return;
    c->finished = true;
    atomic_store(&c->quit, true);
    sem_post(&c->work);
    pthread_join(c->thread, NULL);
}

void compare_close(struct compare *c)
{
    if (!c)
        return;
    compare_finish(c);
    sem_destroy(&c->work);
    compare_release(c);
}

void compare_pointer(struct compare *c, int x, int y)
{
    c->pointer_at = (struct rect){x - POINTER / 2, y - POINTER / 2, POINTER, POINTER};
}

/* ---- looks ---- */

/* The number of the frame that all marks agree on. */
static bool is_whole(const struct compare *c, const struct sighting *what)
{
    const struct mark *frame = &what->marks[SIGHTING_FRAME],
                      *end = &what->marks[SIGHTING_FRAME_END];

    return what->seen[SIGHTING_FRAME] && frame->time != 0 &&
           (!c->scene->end_at.there ||
            (what->seen[SIGHTING_FRAME_END] && end->number == frame->number));
}

/* Where on the screen the content begins. False when it is not all there in its size. */
static bool compare_locate(const struct compare *c, const struct mark_picture *screen,
                           const struct lookout *l, int *x, int *y)
{
    const struct lookout_place *frame = &l->places[SIGHTING_FRAME],
                               *end = &l->places[SIGHTING_FRAME_END];
    const struct scene *s = c->scene;

    *x = frame->x - s->frame_at.x;
    *y = frame->y - s->frame_at.y;
    if (s->end_at.there && (end->x - *x != s->end_at.x || end->y - *y != s->end_at.y))
        return false;
    return *x >= 0 && *y >= 0 && *x + s->width <= screen->width && *y + s->height <= screen->height;
}

static bool compare_shows(const struct mark_picture *screen, const struct lookout_place *at,
                          uint32_t number)
{
    struct mark m;

    return mark_read(screen, at->x, at->y, &m) && m.number == number;
}

/* The picture is copied before the marks are read again, whatever the processor would like. */
static bool compare_take(struct compare *c, const struct mark_picture *screen,
                         const struct lookout *l, int x, int y)
{
    const struct scene *s = c->scene;

    atomic_thread_fence(memory_order_acquire);
    for (int row = 0; row < s->height; row++)
        memcpy(c->pixels + (long)row * s->width,
               screen->pixels + (long)(y + row) * screen->stride + x,
               (size_t)s->width * sizeof *c->pixels);
    atomic_thread_fence(memory_order_acquire);
    return compare_shows(screen, &l->places[SIGHTING_FRAME], c->frame) &&
           (!s->end_at.there || compare_shows(screen, &l->places[SIGHTING_FRAME_END], c->frame));
}

void compare_look(struct compare *c, const struct mark_picture *screen, const struct lookout *l,
                  const struct sighting *what, tick_t now)
{
    const struct mark *m = &what->marks[SIGHTING_FRAME];
    bool whole = is_whole(c, what);
    int x, y;

    if (!whole || !c->whole || m->number != c->frame)
        c->since = now;
    c->whole = whole;
    c->frame = m->number;
    if (!whole || now < c->due || now - c->since < COMPARE_AFTER || atomic_load(&c->full) ||
        !compare_locate(c, screen, l, &x, &y) || !compare_take(c, screen, l, x, y))
        return;
    c->mark = *m;
    c->pointer = c->pointer_at;
    c->pointer.x -= x;
    c->pointer.y -= y;
    if (!c->due)
        c->due = now;
    /* moments that were missed are not made up for */
    c->due += ((now - c->due) / COMPARE_EVERY + 1) * COMPARE_EVERY;
    atomic_store(&c->full, true);
    sem_post(&c->work);
}

/* ---- what was seen ---- */

static void write_figure(const struct samples *s, const char *key, const char *raw, FILE *to)
{
    if (s->kept)
        fprintf(to, ",\"%s\":{\"p5\":%.4f,\"p50\":%.4f}", key, samples_percentile(s, 0.05),
                samples_percentile(s, 0.5));
    else
        fprintf(to, ",\"%s\":null", key);
    fprintf(to, ",\"%s\":[", raw);
    for (size_t i = 0; i < s->kept; i++)
        fprintf(to, "%s%.4f", i ? "," : "", (double)s->values[i]);
    fputc(']', to);
}

void compare_write(const struct compare *c, FILE *to)
{
    fprintf(to, "{\"compared\":%zu,\"exact\":%zu", c->psnr.kept, c->exact);
    write_figure(&c->psnr, "psnr_db", "psnrs_db", to);
    write_figure(&c->ssim, "ssim", "ssims", to);
    fputc('}', to);
}
