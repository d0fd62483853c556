#include "rfb/net/recording/playback.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rfb/net/recording/fbs.h"
#include "rfb/net/recording/play_clock.h"
#include "rfb/net/transport.h"
#include "rfb/system/clock.h"
#include "rfb/system/thread.h"

/* So many blocks without a byte may follow each other. A hole in a file looks like blocks without a
 * byte, and may be larger than any disk. Chosen. */
#define EMPTY_BLOCKS_MAX 1000
/* Of a recording of more blocks nobody knows how long it is: looking at all of them would take too
 * long. Chosen: some hours. */
#define LOOKED_AT_MAX 1000000
/* So many of them are looked at before it is looked again whether there is something else to do. A
 * slow disk moves for each. Chosen: fewer than a person notices. */
#define LOOKED_AT_ONCE 16

/* A whole block in the file. */
struct playback_block {
    uint32_t length; /* of its bytes */
    uint32_t place;  /* ms */
    off_t next;      /* where the block behind it begins */
};

/* The search for the length of a recording: the latest place in it. */
struct playback_search {
    off_t at;      /* where the next block begins */
    int looked_at; /* blocks */
    uint32_t latest;
    bool over;
};

struct playback {
    struct transport transport;
    int fd;
    int cut_fd;  /* eventfd: readable once the connection is cut */
    int wish_fd; /* eventfd: the person has another wish; for the reader */
    atomic_llong received, sent;

    pthread_mutex_t lock; /* of the clock and the length */
    struct play_clock clock;
    uint32_t length; /* ms; 0: not known */

    /* the reader's */
    struct playback_search search;
    off_t size, next; /* of the file; where the next block begins */
    off_t at;         /* where the bytes of this block that are left begin */
    uint32_t left;
    bool cut_off; /* the last block is not whole */
    bool hollow;  /* only empty blocks follow */
    int error;    /* with which reading has failed; 0: none */
};

static struct playback *playback_of(struct transport *t)
{
    return (struct playback *)t; /* the transport is its first member */
}

static bool playback_get(const struct playback *p, off_t at, void *out, size_t size)
{
    return pread(p->fd, out, size, at) == (ssize_t)size;
}

/* False: no whole block begins there. */
static bool playback_block_at(const struct playback *p, off_t at, struct playback_block *b)
{
    uint8_t number[FBS_NUMBER_BYTES];
    uint64_t bytes;

    if (p->size - at < FBS_NUMBER_BYTES || !playback_get(p, at, number, sizeof number))
        return false;
    b->length = fbs_number(number);
    bytes = fbs_block_bytes(b->length);
    if (bytes > (uint64_t)(p->size - at))
        return false;
    b->next = at + (off_t)bytes;
    if (!playback_get(p, b->next - FBS_NUMBER_BYTES, number, sizeof number))
        return false;
    b->place = fbs_number(number);
    return true;
}

/* Some steps of the search. Nothing of what the blocks hold is read. */
static void playback_search(struct playback *p)
{
    struct playback_search *s = &p->search;
    struct playback_block b;

    for (int i = 0; i < LOOKED_AT_ONCE; i++) {
        if (!playback_block_at(p, s->at, &b)) {
            s->over = true;
            pthread_mutex_lock(&p->lock);
            p->length = s->latest;
            pthread_mutex_unlock(&p->lock);
            return;
        }
        s->at = b.next;
        s->latest = b.place > s->latest ? b.place : s->latest;
        if (++s->looked_at == LOOKED_AT_MAX) {
            s->over = true;
            return;
        }
    }
}

static tick_t playback_due(struct playback *p)
{
    tick_t due;

    pthread_mutex_lock(&p->lock);
    due = play_clock_due(&p->clock);
    pthread_mutex_unlock(&p->lock);
    return due;
}

/* Takes up the next block. False at the end of the file, and of its last whole block. */
static bool next_block(struct playback *p)
{
    struct playback_block b;

    if (p->next == p->size)
        return false;
    p->cut_off = !playback_block_at(p, p->next, &b);
    if (p->cut_off)
        return false;
    p->left = b.length;
    p->at = p->next + FBS_NUMBER_BYTES;
    p->next = b.next;
    pthread_mutex_lock(&p->lock);
    play_clock_next(&p->clock, b.place, tick_now());
    pthread_mutex_unlock(&p->lock);
    return true;
}

/* Now it is known how long it is, too. */
static void playback_end(struct playback *p)
{
    pthread_mutex_lock(&p->lock);
    play_clock_end(&p->clock, tick_now());
    if (p->length == 0)
        p->length = p->clock.place;
    pthread_mutex_unlock(&p->lock);
}

/* ---- operations ---- */

static ssize_t playback_read(struct transport *t, void *out, size_t size)
{
    struct playback *p = playback_of(t);
    ssize_t n;

    for (int empty = 0; p->left == 0; empty++) {
        p->hollow = p->hollow || empty > EMPTY_BLOCKS_MAX;
        if (p->hollow || !next_block(p)) {
            playback_end(p);
            return 0;
        }
    }
    if (tick_now() < playback_due(p)) {
        errno = EAGAIN;
        return -1;
    }
    n = pread(p->fd, out, size < p->left ? size : p->left, p->at);
    if (n == 0) /* somebody has shortened the file */
        p->cut_off = true;
    if (n < 0 && errno != EINTR)
        p->error = errno;
    if (n <= 0)
        return n;
    p->at += n;
    p->left -= (uint32_t)n;
    atomic_fetch_add(&p->received, n);
    return n;
}

static ssize_t playback_write(struct transport *t, const struct iovec *parts, int count)
{
    ssize_t size = 0;

    for (int i = 0; i < count; i++)
        size += (ssize_t)parts[i].iov_len;
    atomic_fetch_add(&playback_of(t)->sent, size);
    return size;
}

/* Until the bytes are due (POLLIN), or another wish may have made them so. Who waits for bytes has
 * time to look how long the recording is. */
static enum transport_wake playback_wait_once(struct playback *p, short events, int wake_fd,
                                              tick_t until, bool *again)
{
    const bool reads = events & POLLIN, searches = reads && !p->search.over;
    struct pollfd fds[] = {{.fd = p->cut_fd, .events = POLLIN},
                           {.fd = wake_fd, .events = POLLIN},
                           {.fd = reads ? p->wish_fd : -1, .events = POLLIN}};
    tick_t ready = reads ? playback_due(p) : 0, end = tick_sooner(ready, until);
    struct timespec timeout = tick_to_timespec(searches ? 0 : end - tick_now());
    uint64_t count;

    *again = false;
    if (ppoll(fds, 3, end == TICK_NEVER && !searches ? NULL : &timeout, NULL) > 0) {
        if (fds[0].revents)
            return reads ? TRANSPORT_READY : TRANSPORT_GONE;
        if (fds[1].revents)
            return TRANSPORT_WOKEN;
        *again = read(p->wish_fd, &count, sizeof count) > 0;
    } else if (searches) {
        playback_search(p);
        *again = tick_now() < end;
    }
    return tick_now() >= ready ? TRANSPORT_READY : TRANSPORT_LATE;
}

static enum transport_wake playback_wait(struct transport *t, short events, int wake_fd,
                                         tick_t until)
{
    enum transport_wake wake;
    bool again;

    do
        wake = playback_wait_once(playback_of(t), events, wake_fd, until, &again);
    while (again);
    return wake;
}

static void playback_play(struct transport *t, const struct play_wish *wish)
{
    struct playback *p = playback_of(t);

    pthread_mutex_lock(&p->lock);
    play_clock_wish(&p->clock, wish, tick_now());
    pthread_mutex_unlock(&p->lock);
    eventfd_wake(p->wish_fd, "the player");
}

static int playback_none(struct transport *t)
{
    (void)t;
    return 0;
}

static void playback_info(struct transport *t, struct transport_info *info)
{
    struct playback *p = playback_of(t);

    *info = (struct transport_info){.bytes_received = atomic_load(&p->received),
                                    .bytes_sent = atomic_load(&p->sent)};
    pthread_mutex_lock(&p->lock);
    info->play = (struct play_state){.place = play_clock_place(&p->clock, tick_now()),
                                     .length = p->length,
                                     .paused = p->clock.paused,
                                     .seeking = p->clock.seeking};
    pthread_mutex_unlock(&p->lock);
}

/* There is nothing that could have a window. */
static void playback_window(struct transport *t, struct transport_window *window)
{
    (void)t;
    *window = (struct transport_window){.bytes = 0, .tuned = INT64_MAX};
}

static int64_t playback_set_window(struct transport *t, int64_t bytes)
{
    (void)t;
    (void)bytes;
    return 0;
}

static bool playback_explain(struct transport *t, struct reason *why)
{
    const struct playback *p = playback_of(t);

    if (p->hollow)
        reason_set(why, "the recording has ended: its file is damaged, the rest of it is empty");
    else if (p->error)
        reason_set(why, "the recording has ended: its file cannot be read: %s", strerror(p->error));
    else if (p->cut_off)
        reason_set(why, "the recording has ended: its file is cut off, and was played up to its "
                        "last whole block");
    else
        reason_set(why, "the recording has ended");
    return true;
}

static bool playback_share(struct transport *t, struct transport_shared *out)
{
    out->opening = TRANSPORT_RECORDING;
    out->fd = fcntl(playback_of(t)->fd, F_DUPFD_CLOEXEC, 0);
    return out->fd >= 0;
}

static void playback_cut(struct transport *t)
{
    eventfd_wake(playback_of(t)->cut_fd, "the player");
}

static void playback_destroy(struct transport *t)
{
    struct playback *p = playback_of(t);

    if (p->fd >= 0)
        close(p->fd);
    if (p->cut_fd >= 0)
        close(p->cut_fd);
    if (p->wish_fd >= 0)
        close(p->wish_fd);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

/* ---- opening ---- */

static bool playback_refuse(const char *file, struct reason *why)
{
    return reason_set(why,
                      "%s is no recording of a VNC session: it takes a file that --record has "
                      "written (FBS 001.000)",
                      file);
}

/* A device or a pipe may have bytes without an end. */
static bool playback_is_file(int fd, const char *file, struct reason *why)
{
    struct stat status;

    if (fstat(fd, &status) != 0)
        return reason_set(why, "cannot read %s: %s", file, strerror(errno));
    if (S_ISDIR(status.st_mode))
        return reason_set(why, "cannot read %s: %s", file, strerror(EISDIR));
    return S_ISREG(status.st_mode) || playback_refuse(file, why);
}

static bool playback_begin(struct playback *p, const char *file, struct reason *why)
{
    char greeting[FBS_GREETING_BYTES];

    p->size = lseek(p->fd, 0, SEEK_END);
    p->next = p->search.at = FBS_GREETING_BYTES;
    return (p->size >= FBS_GREETING_BYTES && playback_get(p, 0, greeting, sizeof greeting) &&
            memcmp(greeting, FBS_GREETING, FBS_GREETING_BYTES) == 0) ||
           playback_refuse(file, why);
}

struct transport *playback_adopt(int fd, const char *file, double speed, struct reason *why)
{
    static const struct transport_ops ops = {
        .read = playback_read,
        .write = playback_write,
        .wait = playback_wait,
        .waiting = playback_none,
        .unsent = playback_none,
        .info = playback_info,
        .window = playback_window,
        .set_window = playback_set_window,
        .play = playback_play,
        .share = playback_share,
        .explain = playback_explain,
        .cut = playback_cut,
        .destroy = playback_destroy,
    };
    struct playback *p = calloc(1, sizeof *p);

    if (!p) {
        reason_set(why, "out of memory");
        close(fd);
        return NULL;
    }
    p->transport.ops = &ops;
    pthread_mutex_init(&p->lock, NULL);
    play_clock_init(&p->clock, speed, tick_now());
    p->fd = fd;
    p->cut_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    p->wish_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (p->cut_fd < 0 || p->wish_fd < 0)
        reason_set(why, "cannot play: %s", strerror(errno));
    else if (playback_begin(p, file, why))
        return &p->transport;
    playback_destroy(&p->transport);
    return NULL;
}

struct transport *playback_open(const char *file, double speed, struct reason *why)
{
    /* a pipe would be waited for: it is none of ours */
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0) {
        reason_set(why, "cannot read %s: %s", file, strerror(errno));
        return NULL;
    }
    if (playback_is_file(fd, file, why))
        return playback_adopt(fd, file, speed, why);
    close(fd);
    return NULL;
}

bool playback_check(const char *file, struct reason *why)
{
    struct transport *t = playback_open(file, PLAYBACK_MAX, why);

    if (t)
        playback_destroy(t);
    return t;
}
