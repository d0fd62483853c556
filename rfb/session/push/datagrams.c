#include "rfb/session/push/datagrams.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "prerequest/push/constants.h"
#include "rfb/datagrams/come.h"
#include "rfb/datagrams/said.h"
#include "rfb/datagrams/sealed.h"
#include "rfb/net/sockets/datagram_socket.h"
#include "rfb/session/session.h"
#include "rfb/system/clock.h"
#include "rfb/system/log.h"
#include "rfb/system/thread.h"

/* ns behind a packet: when it is repeated. Behind the last of these, what was said, or is asked, is
 * repeated each DATAGRAMS_SAY until it is heard. */
static const tick_t datagrams_repeats[] = {10 * TICK_MS, 25 * TICK_MS, 60 * TICK_MS};
#define DATAGRAMS_REPEATS (sizeof datagrams_repeats / sizeof *datagrams_repeats)

struct datagrams {
    bool wanted;
    bool begun;     /* the receiver's */
    bool stays;     /* they are a ticket's: there is no other socket */
    uint64_t first; /* number of what is sent, and of what comes */
    int given_fd;   /* eventfd: the socket is there */

    pthread_mutex_t lock; /* everything below */
    uint16_t port;        /* of the far end */
    void (*ask)(uint16_t port);
    int fd;      /* -1: not yet */
    int retired; /* the one before, which the receiver may still wait for; -1: none */
    struct sealer *hello, *up;
    struct opener *down;
    bool count_due, counts;
    bool works;       /* the far end has answered */
    uint16_t mark;    /* of its newest packet */
    uint8_t search;   /* the newest that a probe has come of, */
    uint16_t largest; /* and the largest of its packets; 0: none has come */
    tick_t failed_at; /* 0: the path has never worked, or works */
    tick_t hello_due, hello_gap;
    tick_t anew_at, anew_gap; /* when another socket is asked for, and the time to the next */
    tick_t given_at;          /* when the socket came; 0: it has worked since */
    tick_t round_trip;        /* from then on, until a packet came on it */
    tick_t asked_at; /* when a packet left that asks for one, and none has come since; 0: none */
    struct come come;
    bool each;         /* block that comes so is told of at once, and nothing is repeated */
    tick_t arrived_at; /* the newest packet that was taken */
    bool wakes;        /* the sender, for parities */
    bool owes;         /* a block has come, or was made, that was not told of */
    bool news;         /* bytes were said that were in no packet */
    struct said said;
    tick_t fresh_at;  /* when a packet left that said something new; */
    unsigned repeats; /* of it */
    tick_t sent_at;
    struct datagrams_figures figures;
};

struct datagrams *datagrams_create(bool wanted)
{
    struct datagrams *d = calloc(1, sizeof *d);

    if (!d)
        return NULL;
    d->wanted = wanted;
    d->fd = d->retired = -1;
    d->given_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (d->given_fd < 0) {
        free(d);
        return NULL;
    }
    pthread_mutex_init(&d->lock, NULL);
    return d;
}

static void datagrams_close(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

void datagrams_destroy(struct datagrams *d)
{
    if (!d)
        return;
    sealer_destroy(d->hello);
    sealer_destroy(d->up);
    opener_destroy(d->down);
    datagrams_close(&d->fd);
    datagrams_close(&d->retired);
    close(d->given_fd);
    pthread_mutex_destroy(&d->lock);
    explicit_bzero(&d->said, sizeof d->said); /* a password may have been typed */
    free(d);
}

void datagrams_by_ticket(struct datagrams *d, uint64_t first)
{
    d->first = first;
    d->stays = true;
}

/* With the lock held. */
static bool datagrams_make(struct datagrams *d, const uint8_t *secret)
{
    d->hello = sealer_create(secret, SEALED_HELLO);
    d->up = sealer_create(secret, SEALED_TO_FAR_END);
    d->down = opener_create(secret, SEALED_TO_VIEWER);
    if (!d->hello || !d->up || !d->down)
        return false;
    sealer_begin_at(d->hello, d->first);
    sealer_begin_at(d->up, d->first);
    opener_begin_at(d->down, d->first);
    return true;
}

bool datagrams_begin(struct datagrams *d, const struct accelerator_shown *shown,
                     void (*ask)(uint16_t port))
{
    bool begun;

    if (!d->wanted || shown->datagrams_port < SESSION_DATAGRAM_PORT_LEAST || !ask)
        return false;
    pthread_mutex_lock(&d->lock);
    begun = !d->hello && datagrams_make(d, shown->datagrams_secret);
    if (begun) {
        d->port = shown->datagrams_port;
        d->ask = ask;
        d->hello_gap = DATAGRAMS_HELLO;
        d->hello_due = TICK_NEVER; /* the socket comes first */
        d->anew_gap = DATAGRAMS_ANEW;
    }
    d->count_due = d->count_due || begun;
    d->each = shown->each;
    pthread_mutex_unlock(&d->lock);
    d->begun = d->begun || begun;
    if (begun)
        ask(shown->datagrams_port);
    return begun;
}

/* The receiver may wait for the one before: it is woken, and closes it. With the lock held. */
static void datagrams_replace(struct datagrams *d, int fd, tick_t now)
{
    if (d->retired >= 0) {
        datagrams_close(&d->fd); /* nobody has seen it yet */
    } else if (d->fd >= 0) {
        shutdown(d->fd, SHUT_RDWR);
        d->retired = d->fd;
    }
    d->fd = fd;
    d->given_at = d->hello_due = now;
    d->anew_at = now + d->anew_gap;
}

bool datagrams_give(struct datagrams *d, int fd)
{
    bool takes;

    pthread_mutex_lock(&d->lock);
    takes = fd >= 0 && !d->works && d->hello && d->up && d->down;
    if (takes)
        datagrams_replace(d, fd, tick_now());
    pthread_mutex_unlock(&d->lock);
    if (takes)
        eventfd_wake(d->given_fd, "who waits for packets");
    else if (fd >= 0)
        close(fd);
    return takes;
}

static void datagrams_say(struct datagrams *d, tick_t now);

/* ---- the receiver ---- */

bool datagrams_have_begun(const struct datagrams *d)
{
    return d->begun;
}

int datagrams_wake_fd(struct datagrams *d)
{
    int fd;

    pthread_mutex_lock(&d->lock);
    datagrams_close(&d->retired);
    fd = d->fd >= 0 ? d->fd : d->given_fd;
    pthread_mutex_unlock(&d->lock);
    return fd;
}

/* A packet has come. With the lock held. */
static void datagrams_answered(struct datagrams *d, tick_t now)
{
    if (!d->works)
        log_debug("datagrams: they work");
    if (d->given_at > 0) /* later than that it answers a later hello */
        d->round_trip = tick_sooner(now - d->given_at, DATAGRAMS_ANEW);
    d->works = true;
    d->given_at = d->asked_at = d->failed_at = 0;
}

/* With the lock held. */
static void datagrams_note_probe(struct datagrams *d, uint8_t search, size_t size)
{
    if (d->largest == 0 || (int8_t)(search - d->search) > 0)
        d->largest = 0;
    else if (search != d->search || size <= d->largest)
        return;
    d->search = search;
    d->largest = (uint16_t)size;
    d->news = true;
}

/* With the lock held. */
static bool datagrams_open(struct datagrams *d, const uint8_t *packet, size_t size, uint8_t *body,
                           struct body_down *down)
{
    size_t used;
    bool newest;

    if (!opener_open(d->down, packet, size, body, &used, &newest) ||
        !body_read_down(body, used, down))
        return false;
    datagrams_answered(d, tick_now());
    d->figures.received += size;
    if (newest && down->mark != d->mark) {
        d->mark = down->mark;
        d->news = true;
    }
    if (down->probe > 0)
        datagrams_note_probe(d, down->search, size);
    said_heard(&d->said, down->heard);
    return true;
}

bool datagrams_take(struct datagrams *d, uint8_t *body, struct body_down *down)
{
    uint8_t packet[SEALED_MAX + 1];
    bool taken = false;

    pthread_mutex_lock(&d->lock);
    for (int i = 0; !taken && d->fd >= 0 && i < DATAGRAMS_BAD; i++) {
        tick_t age;
        ssize_t n = datagram_socket_receive_aged(d->fd, packet, sizeof packet, &age);

        if (n < 0)
            break;
        d->arrived_at = tick_now() - age;
        taken = n > 0 && datagrams_open(d, packet, (size_t)n, body, down);
    }
    pthread_mutex_unlock(&d->lock);
    return taken;
}

bool datagrams_has_news(struct datagrams *d)
{
    bool news;

    pthread_mutex_lock(&d->lock);
    news = d->news || d->wakes;
    d->wakes = false;
    pthread_mutex_unlock(&d->lock);
    return news;
}

bool datagrams_came(struct datagrams *d, uint32_t number, bool as_datagram, tick_t now)
{
    bool wake = false;

    pthread_mutex_lock(&d->lock);
    come_note(&d->come, number, as_datagram && d->each ? d->arrived_at : now);
    if (as_datagram) {
        wake = !d->owes && !d->each;
        d->owes = true;
    }
    if (as_datagram && d->each)
        datagrams_say(d, now);
    pthread_mutex_unlock(&d->lock);
    return wake;
}

/* With the lock held. */
static void datagrams_owe(struct datagrams *d)
{
    d->wakes = d->wakes || !d->owes;
    d->owes = true;
}

void datagrams_parity_came(struct datagrams *d, uint32_t number, tick_t now)
{
    pthread_mutex_lock(&d->lock);
    come_note(&d->come, number, now);
    datagrams_owe(d);
    pthread_mutex_unlock(&d->lock);
}

void datagrams_made(struct datagrams *d, uint32_t number)
{
    pthread_mutex_lock(&d->lock);
    come_made(&d->come, number);
    datagrams_owe(d);
    pthread_mutex_unlock(&d->lock);
}

/* ---- the sender ---- */

bool datagrams_take_count(struct datagrams *d)
{
    bool due;

    pthread_mutex_lock(&d->lock);
    due = d->count_due;
    d->count_due = false;
    pthread_mutex_unlock(&d->lock);
    return due;
}

void datagrams_count(struct datagrams *d)
{
    pthread_mutex_lock(&d->lock);
    d->counts = true;
    pthread_mutex_unlock(&d->lock);
}

void datagrams_said(struct datagrams *d, const void *bytes, size_t size)
{
    pthread_mutex_lock(&d->lock);
    if (d->counts && size > 0) {
        said_add(&d->said, bytes, size);
        d->news = true;
    }
    pthread_mutex_unlock(&d->lock);
}

bool datagrams_carry(struct datagrams *d)
{
    bool carry;

    pthread_mutex_lock(&d->lock);
    carry = d->works && d->counts && (said_waits(&d->said) || d->said.written == d->said.heard);
    pthread_mutex_unlock(&d->lock);
    return carry;
}

/* When the newest packet is to be repeated. With the lock held. */
static tick_t datagrams_repeat_at(const struct datagrams *d)
{
    if (d->each)
        return d->sent_at + DATAGRAMS_KEEP;
    if (d->repeats < DATAGRAMS_REPEATS)
        return d->fresh_at + datagrams_repeats[d->repeats];
    if (said_waits(&d->said) || d->asked_at > 0)
        return d->sent_at + DATAGRAMS_SAY;
    return d->repeats == DATAGRAMS_REPEATS ? d->fresh_at + DATAGRAMS_LOOK
                                           : d->sent_at + DATAGRAMS_KEEP;
}

/* With the lock held. */
static tick_t datagrams_up_at(const struct datagrams *d)
{
    tick_t at = datagrams_repeat_at(d);

    if (d->news)
        at = 0;
    return d->owes ? tick_sooner(at, d->sent_at + PUSH_TOLD_EVERY) : at;
}

/* When the path is dead if nothing comes until then. With the lock held. */
static tick_t datagrams_silent_at(const struct datagrams *d)
{
    return d->works && d->asked_at > 0
               ? d->asked_at + DATAGRAMS_SILENT + DATAGRAMS_SILENT_TRIPS * d->round_trip
               : TICK_NEVER;
}

/* With the lock held. */
static tick_t datagrams_at(const struct datagrams *d)
{
    if (d->fd < 0)
        return TICK_NEVER;
    return d->works ? tick_sooner(datagrams_up_at(d), datagrams_silent_at(d)) : d->hello_due;
}

tick_t datagrams_due(struct datagrams *d)
{
    tick_t at;

    pthread_mutex_lock(&d->lock);
    at = datagrams_at(d);
    pthread_mutex_unlock(&d->lock);
    return at;
}

/* A packet that does not leave is like one that is lost. With the lock held. */
static void datagrams_put(struct datagrams *d, struct sealer *s, const uint8_t *body, size_t size)
{
    uint8_t packet[SEALED_MAX];
    size_t sealed = sealer_seal(s, body, size, packet);

    if (sealed > 0 && datagram_socket_send(d->fd, packet, sealed))
        d->figures.sent += sealed;
}

/* Nothing answers any more. With the lock held. */
static void datagrams_fail(struct datagrams *d, tick_t now)
{
    log_debug("datagrams: they do not arrive any more");
    d->works = false;
    d->asked_at = 0;
    d->failed_at = d->hello_due = now;
    d->hello_gap = DATAGRAMS_HELLO;
    d->anew_at = now;
    d->anew_gap = DATAGRAMS_ANEW;
}

/* From the next hello to the one behind it. With the lock held. */
static tick_t datagrams_next_gap(const struct datagrams *d, tick_t now)
{
    tick_t failed = d->failed_at > 0 ? now - d->failed_at : TICK_NEVER;
    bool soon = d->stays || failed < DATAGRAMS_HELLO_SOON;

    if (failed < DATAGRAMS_HELLO_OFTEN)
        return DATAGRAMS_HELLO;
    return tick_sooner(2 * d->hello_gap, soon ? DATAGRAMS_HELLO_SECOND : DATAGRAMS_HELLO_MOST);
}

/* Says hello. True: another socket has to be asked for, and hello is said from there, too. With the
 * lock held. */
static bool datagrams_say_hello(struct datagrams *d, tick_t now)
{
    bool asks = !d->stays && d->anew_at <= now;

    datagrams_put(d, d->hello, NULL, 0);
    d->hello_due = now + d->hello_gap;
    d->hello_gap = datagrams_next_gap(d, now);
    if (asks) {
        d->anew_at = now + d->anew_gap;
        d->anew_gap = tick_sooner(2 * d->anew_gap, DATAGRAMS_HELLO_MOST);
    }
    return asks;
}

/* With the lock held. */
static void datagrams_say(struct datagrams *d, tick_t now)
{
    uint8_t said[BODY_SAID_MAX], body[SEALED_BODY_MAX];
    bool fresh = d->owes || d->news;
    struct body_up up = {.mark = d->mark, .largest = d->largest, .search = d->search};

    up.asks = !d->each && !d->owes && (d->news || d->repeats >= DATAGRAMS_REPEATS);
    if (up.asks && d->asked_at == 0)
        d->asked_at = now;
    come_tell(&d->come, &up, now);
    said_tell(&d->said, &up, said);
    if (d->each) /* what is lost of it TCP brings */
        said_heard(&d->said, d->said.written);
    datagrams_put(d, d->up, body, body_write_up(body, &up));
    d->owes = d->news = false;
    d->sent_at = now;
    if (fresh)
        d->fresh_at = now;
    d->repeats = fresh ? 0 : d->repeats + 1;
}

void datagrams_send(struct datagrams *d, tick_t now)
{
    bool asks = false;

    pthread_mutex_lock(&d->lock);
    if (datagrams_silent_at(d) <= now)
        datagrams_fail(d, now);
    if (datagrams_at(d) <= now && d->works)
        datagrams_say(d, now);
    else if (datagrams_at(d) <= now)
        asks = datagrams_say_hello(d, now);
    pthread_mutex_unlock(&d->lock);
    if (asks)
        d->ask(d->port);
}

void datagrams_figures(struct datagrams *d, struct datagrams_figures *out)
{
    pthread_mutex_lock(&d->lock);
    *out = d->figures;
    out->work = d->works;
    pthread_mutex_unlock(&d->lock);
}
