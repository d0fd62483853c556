#include "rfb/session/trace_log.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Bytes that may wait to be written: about two minutes of a film. Chosen: a disk that keeps a
 * writer waiting for longer is broken. */
#define BUFFER (1024 * 1024)

struct trace_log {
    char *path;
    gzFile file;   /* this and the next two are for the owner's thread */
    int error;     /* errno of the first write that failed; 0: none has */
    uint8_t *idle; /* the buffer to which nothing is added now */

    pthread_mutex_t lock; /* everything below */
    struct trace trace;
    uint8_t *buffer;
    size_t used;
    bool lost;                              /* a record found no room */
    enum { WHOLE, PIECES, LAST_PIECE } put; /* pieces of another log were added */
};

static void trace_log_discard(struct trace_log *log)
{
    free(log->path);
    free(log->idle);
    free(log->buffer);
    pthread_mutex_destroy(&log->lock);
    free(log);
}

struct trace_log *trace_log_open(const char *path, struct reason *why)
{
    struct trace_log *log = calloc(1, sizeof *log);

    if (!log) {
        reason_set(why, "out of memory");
        return NULL;
    }
    pthread_mutex_init(&log->lock, NULL);
    log->path = strdup(path);
    log->idle = malloc(BUFFER);
    log->buffer = malloc(BUFFER);
    errno = ENOMEM;
    if (log->path && log->idle && log->buffer && (log->file = gzopen(path, "wbe")))
        return log;
    reason_set(why, "cannot write %s: %s", path, strerror(errno));
    trace_log_discard(log);
    return NULL;
}

struct trace_log *trace_log_relay(void)
{
    struct trace_log *log = calloc(1, sizeof *log);

    if (!log)
        return NULL;
    pthread_mutex_init(&log->lock, NULL);
    log->idle = malloc(BUFFER);
    log->buffer = malloc(BUFFER);
    if (log->idle && log->buffer)
        return log;
    trace_log_discard(log);
    return NULL;
}

void trace_log_put(struct trace_log *log, const void *bytes, size_t size, bool end)
{
    pthread_mutex_lock(&log->lock);
    log->put = end ? LAST_PIECE : PIECES;
    log->lost = log->lost || size > BUFFER - log->used;
    if (!log->lost)
        memcpy(log->buffer + log->used, bytes, size);
    log->used += log->lost ? 0 : size;
    pthread_mutex_unlock(&log->lock);
}

void trace_log_begin(struct trace_log *log, const struct scheduler_options *options)
{
    pthread_mutex_lock(&log->lock);
    log->used += trace_write_head(&log->trace, options, log->buffer + log->used);
    pthread_mutex_unlock(&log->lock);
}

void trace_log_add(struct trace_log *log, const struct trace_record *record)
{
    pthread_mutex_lock(&log->lock);
    /* the end of the trace has to fit, too */
    log->lost = log->lost || log->used + 2 * (size_t)TRACE_RECORD_MAX > BUFFER;
    if (!log->lost)
        log->used += trace_write(&log->trace, record, log->buffer + log->used);
    pthread_mutex_unlock(&log->lock);
}

/* Swaps the buffers, so that nobody who adds waits for the disk. Returns the bytes in the full one,
 * which is idle now. */
static size_t trace_log_swap(struct trace_log *log)
{
    uint8_t *full;
    size_t size;

    pthread_mutex_lock(&log->lock);
    full = log->buffer;
    size = log->used;
    log->buffer = log->idle;
    log->used = 0;
    pthread_mutex_unlock(&log->lock);
    log->idle = full;
    return size;
}

size_t trace_log_take(struct trace_log *log, bool end, const void **bytes)
{
    size_t size;

    if (end) {
        pthread_mutex_lock(&log->lock);
        log->used += trace_write_end(&log->trace, log->lost, log->buffer + log->used);
        pthread_mutex_unlock(&log->lock);
    }
    size = trace_log_swap(log);
    *bytes = log->idle;
    return size;
}

static void write_out(struct trace_log *log)
{
    size_t size = trace_log_swap(log);
    const uint8_t *full = log->idle;

    errno = EIO;
    if (size > 0 && !log->error && gzwrite(log->file, full, (unsigned)size) != (int)size)
        log->error = errno;
}

void trace_log_flush(struct trace_log *log)
{
    if (!log)
        return;
    write_out(log);
    errno = EIO;
    /* from now on this can be read from the file, also if the program crashes later */
    if (!log->error && gzflush(log->file, Z_SYNC_FLUSH) != Z_OK)
        log->error = errno;
}

bool trace_log_close(struct trace_log *log, struct reason *why)
{
    bool ok, lost;

    if (!log)
        return true;
    if (!log->file) {
        trace_log_discard(log);
        return true;
    }
    if (log->put == WHOLE)
        log->used += trace_write_end(&log->trace, log->lost, log->buffer + log->used);
    lost = log->lost;
    write_out(log);
    errno = EIO;
    if (gzclose(log->file) != Z_OK && !log->error)
        log->error = errno;
    ok = !log->error && !lost && log->put != PIECES;
    if (log->error)
        reason_set(why, "cannot write %s: %s", log->path, strerror(log->error));
    else if (lost)
        reason_set(why, "%s lacks the end of the trace: the disk was too slow", log->path);
    else if (log->put == PIECES)
        reason_set(why, "%s lacks the end of the trace: the session ended without it", log->path);
    trace_log_discard(log);
    return ok;
}
