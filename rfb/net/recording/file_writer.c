#include "rfb/net/recording/file_writer.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "rfb/system/clock.h"

/* Bytes that are written as soon as so many wait; fewer wait for GATHER. Chosen. */
#define BATCH 65536
/* ns */
#define GATHER (TICK_S / 4)

struct buffer {
    uint8_t *bytes;
    size_t size, room;
};

struct file_writer {
    int fd;
    pthread_t thread;

    pthread_mutex_t lock; /* everything below */
    pthread_cond_t changed;
    struct buffer waiting;
    bool ended;
    int error;
};

/* Makes room for `size` more bytes. Returns 0, or an errno value. */
static int file_writer_make_room(struct buffer *b, size_t size)
{
    size_t wanted = b->size + size, room = b->room ? b->room : 2 * BATCH;
    uint8_t *bytes;

    if (wanted > FILE_WRITER_WAITING_MAX)
        return FILE_WRITER_TOO_SLOW;
    if (wanted <= b->room)
        return 0;
    while (room < wanted)
        room *= 2;
    if (!(bytes = realloc(b->bytes, room)))
        return ENOMEM;
    b->bytes = bytes;
    b->room = room;
    return 0;
}

bool file_writer_add(struct file_writer *w, const struct iovec *parts, int count)
{
    size_t size = 0, before;
    bool ok;

    for (int i = 0; i < count; i++)
        size += parts[i].iov_len;
    pthread_mutex_lock(&w->lock);
    before = w->waiting.size;
    if (!w->error && !w->ended)
        w->error = file_writer_make_room(&w->waiting, size);
    ok = !w->error && !w->ended;
    for (int i = 0; ok && i < count; i++) {
        memcpy(w->waiting.bytes + w->waiting.size, parts[i].iov_base, parts[i].iov_len);
        w->waiting.size += parts[i].iov_len;
    }
    if (!ok || before == 0 || (before < BATCH && w->waiting.size >= BATCH))
        pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
    return ok;
}

int file_writer_error(struct file_writer *w)
{
    int error;

    pthread_mutex_lock(&w->lock);
    error = w->error;
    pthread_mutex_unlock(&w->lock);
    return error;
}

/* Waits until there is something to write, and for a while that it becomes more. Call with the lock
 * held. */
static void await_bytes(struct file_writer *w)
{
    struct timespec until;

    while (w->waiting.size == 0 && !w->ended && !w->error)
        pthread_cond_wait(&w->changed, &w->lock);
    until = tick_to_timespec(tick_now() + GATHER);
    while (w->waiting.size < BATCH && !w->ended && !w->error)
        if (pthread_cond_timedwait(&w->changed, &w->lock, &until) != 0)
            return;
}

static int file_writer_write_all(int fd, const struct buffer *b)
{
    for (size_t done = 0; done < b->size;) {
        ssize_t n = write(fd, b->bytes + done, b->size - done);

        if (n < 0 && errno != EINTR)
            return errno;
        done += n > 0 ? (size_t)n : 0;
    }
    return 0;
}

/* A file that may not grow any more (RLIMIT_FSIZE) must not end the program. */
static void file_writer_block_signals(void)
{
    sigset_t all;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
}

static void *file_writer_run(void *user)
{
    struct file_writer *w = user;
    struct buffer writing = {0};
    int error = 0;

    prctl(PR_SET_NAME, "file writer");
    file_writer_block_signals();
    while (!error) {
        struct buffer empty = writing;

        pthread_mutex_lock(&w->lock);
        await_bytes(w);
        writing = w->waiting;
        empty.size = 0;
        w->waiting = empty;
        pthread_mutex_unlock(&w->lock);
        if (writing.size == 0)
            break;
        error = file_writer_write_all(w->fd, &writing);
    }
    if (close(w->fd) != 0 && !error)
        error = errno;
    pthread_mutex_lock(&w->lock);
    if (!w->error)
        w->error = error;
    pthread_mutex_unlock(&w->lock);
    free(writing.bytes);
    return NULL;
}

struct file_writer *file_writer_create(int fd)
{
    struct file_writer *w = calloc(1, sizeof *w);
    pthread_condattr_t attributes;

    if (!w) {
        close(fd);
        return NULL;
    }
    w->fd = fd;
    pthread_mutex_init(&w->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&w->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    if (pthread_create(&w->thread, NULL, file_writer_run, w) == 0)
        return w;
    close(fd);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    free(w);
    return NULL;
}

void file_writer_end(struct file_writer *w)
{
    pthread_mutex_lock(&w->lock);
    w->ended = true;
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

int file_writer_destroy(struct file_writer *w)
{
    int error;

    if (!w)
        return 0;
    file_writer_end(w);
    pthread_join(w->thread, NULL);
    error = w->error;
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    free(w->waiting.bytes);
    free(w);
    return error;
}
