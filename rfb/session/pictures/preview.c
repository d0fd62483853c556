#include "rfb/session/pictures/preview.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "rfb/session/pictures/picture_blocks.h"
#include "rfb/system/clock.h"
#include "rfb/system/thread.h"

_Static_assert(SESSION_TICKET_SECRET == ACCELERATOR_SECRET, "a ticket's secret is one of theirs");

struct preview {
    struct message_source from;
    struct events *events;
    struct datagrams *datagrams;
    int (*path)(void);
    int stop_fd; /* eventfd */
    uint32_t newest;
    atomic_bool stops, answered, whole;
    pthread_mutex_t lock; /* of its beginning and end */
    bool runs;
    pthread_t thread;
};

struct preview *preview_create(struct framebuffer *fb, struct events *events)
{
    struct preview *p = calloc(1, sizeof *p);

    if (!p)
        return NULL;
    p->from = (struct message_source){.fb = fb, .sized = true};
    p->events = events;
    pthread_mutex_init(&p->lock, NULL);
    p->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (p->stop_fd >= 0)
        return p;
    free(p);
    return NULL;
}

/* ---- the handlers: with the thread ---- */

static bool preview_on_begun(void *user)
{
    struct preview *p = user;

    if (!p->answered) {
        p->answered = true;
        events_wake(p->events); /* the figures say it */
    }
    return !p->stops;
}

static void preview_on_ended(void *user)
{
    (void)user;
}

static bool preview_on_drawn(void *user, struct rect r, int32_t encoding, bool loss)
{
    (void)user;
    (void)r;
    (void)encoding;
    (void)loss;
    return true;
}

static void preview_on_block(void *user, const struct block *b, bool as_datagram)
{
    struct preview *p = user;

    if ((int32_t)(b->sequence - p->newest) > 0)
        p->newest = b->sequence;
    datagrams_came(p->datagrams, b->sequence, as_datagram, tick_now());
}

/* It is a whole picture once each of its cells was drawn. */
static void preview_on_partly(void *user)
{
    struct preview *p = user;
    struct rect all = {0, 0, 0, 0};
    bool damaged = framebuffer_publish(p->from.fb);

    framebuffer_size(p->from.fb, &all.w, &all.h);
    if (!p->whole && all.w > 0 && newest_has(p->from.newest, all, p->newest + 1))
        p->whole = damaged = true;
    if (damaged)
        events_wake(p->events);
}

static void preview_on_shown(void *user, bool pixels)
{
    (void)pixels;
    preview_on_partly(user);
}

static const struct source_handlers preview_handlers = {
    .begun = preview_on_begun,
    .ended = preview_on_ended,
    .drawn = preview_on_drawn,
    .block = preview_on_block,
    .partly = preview_on_partly,
    .shown = preview_on_shown,
};

/* ---- the thread ---- */

/* Waits until something has come or is due. */
static void preview_wait(struct preview *p)
{
    struct pollfd fds[2] = {{datagrams_wake_fd(p->datagrams), POLLIN, 0}, {p->stop_fd, POLLIN, 0}};
    tick_t due = datagrams_due(p->datagrams), now = tick_now();
    struct timespec patience = tick_to_timespec(due > now ? due - now : 0);

    if (ppoll(fds, 2, due == TICK_NEVER ? NULL : &patience, NULL) < 0 && errno != EINTR)
        p->stops = true;
}

static void *preview_main(void *user)
{
    struct preview *p = user;
    struct source_handlers h = preview_handlers;
    struct reason why;
    int fd;

    prctl(PR_SET_NAME, "preview");
    h.user = p;
    h.datagrams = p->datagrams;
    fd = p->path();
    if (fd < 0 || !datagrams_give(p->datagrams, fd))
        return NULL;
    while (!p->stops && picture_blocks_take_sized(&p->from, &h, &why)) {
        datagrams_send(p->datagrams, tick_now());
        preview_wait(p);
    }
    return NULL;
}

/* ---- its life ---- */

/* One ticket, one address: what is silent from there stays so. */
static void preview_ask(uint16_t port)
{
    (void)port;
}

static bool preview_make(struct preview *p, const struct session_ticket *ticket)
{
    struct accelerator_shown shown = {.datagrams_port = ticket->port};
    bool ok;

    memcpy(shown.datagrams_secret, ticket->secret, sizeof shown.datagrams_secret);
    p->from.blocks = block_reader_create();
    p->from.newest = newest_create();
    p->from.resolver = resolver_create(0); /* nothing is referred to yet */
    p->from.repair = repair_create();
    p->datagrams = datagrams_create(true);
    if (p->datagrams) /* what was said under it in other sessions had other numbers */
        datagrams_by_ticket(p->datagrams, (uint64_t)ticket->tries << 32);
    ok = p->from.blocks && p->from.newest && p->from.resolver && p->from.repair && p->datagrams &&
         datagrams_begin(p->datagrams, &shown, preview_ask);
    explicit_bzero(&shown, sizeof shown);
    return ok;
}

bool preview_start(struct preview *p, const struct session_ticket *ticket, int (*path)(void))
{
    if (ticket->port == 0 || !path || !preview_make(p, ticket))
        return false;
    pthread_mutex_lock(&p->lock);
    p->path = path;
    p->runs = !p->stops && pthread_create(&p->thread, NULL, preview_main, p) == 0;
    pthread_mutex_unlock(&p->lock);
    return p->runs;
}

void preview_end(struct preview *p)
{
    pthread_mutex_lock(&p->lock);
    p->stops = true;
    if (p->runs) {
        eventfd_wake(p->stop_fd, "the preview");
        pthread_join(p->thread, NULL);
        p->runs = false;
    }
    pthread_mutex_unlock(&p->lock);
}

void preview_destroy(struct preview *p)
{
    if (!p)
        return;
    preview_end(p);
    datagrams_destroy(p->datagrams);
    block_reader_destroy(p->from.blocks);
    newest_destroy(p->from.newest);
    resolver_destroy(p->from.resolver);
    repair_destroy(p->from.repair);
    close(p->stop_fd);
    free(p);
}

bool preview_is_answered(const struct preview *p)
{
    return p->answered;
}

bool preview_is_whole(const struct preview *p)
{
    return p->whole;
}
