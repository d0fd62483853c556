#include "rfb/net/recording/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rfb/net/recording/fbs.h"
#include "rfb/net/recording/file_writer.h"

/* What a server says before ServerInit that speaks RFB 3.3 and wants no authentication. */
#define VERSION_BYTES  12
#define SECURITY_BYTES 4
static const char version[] = "RFB 003.003\n", no_security[] = "\0\0\0\1";

struct recording {
    struct recording_sink sink; /* `add` NULL: it writes files itself */
    char *file;

    pthread_mutex_t lock; /* everything below */
    unsigned references;
    int fd;                              /* of the first part before it begins; -1: it has begun */
    unsigned part;                       /* the newest; 0: none has begun */
    tick_t start;                        /* of that part */
    struct file_writer *writer, *before; /* of the newest part and of the one before */
    struct reason failure;               /* empty: none */
    bool closed;
};

static void recording_discard(struct recording *r)
{
    pthread_mutex_destroy(&r->lock);
    free(r->file);
    free(r);
}

static int recording_create_file(const char *file)
{
    return open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

/* The file of a part: the caller frees it. NULL: out of memory. */
static char *recording_name_of(const struct recording *r, unsigned part)
{
    char *name;

    if (part <= 1)
        return strdup(r->file);
    return asprintf(&name, "%s.%u", r->file, part) < 0 ? NULL : name;
}

static bool cannot_create(const char *file, struct reason *why)
{
    if (errno == EEXIST)
        return reason_set(why, "%s exists already: name a new file for the recording", file);
    return reason_set(why, "cannot write the recording %s: %s", file, strerror(errno));
}

struct recording *recording_create(const char *file, struct reason *why)
{
    struct recording *r = calloc(1, sizeof *r);

    if (!r) {
        reason_set(why, "out of memory");
        return NULL;
    }
    pthread_mutex_init(&r->lock, NULL);
    r->references = 1;
    r->file = strdup(file);
    errno = ENOMEM;
    if (r->file && (r->fd = recording_create_file(file)) >= 0)
        return r;
    cannot_create(file, why);
    recording_discard(r);
    return NULL;
}

struct recording *recording_relay(const struct recording_sink *sink)
{
    struct recording *r = calloc(1, sizeof *r);

    if (!r)
        return NULL;
    pthread_mutex_init(&r->lock, NULL);
    r->references = 1;
    r->fd = -1;
    r->sink = *sink;
    return r;
}

/* ---- writing ---- */

/* Keeps why the writer of a part gave up. Call with the lock held. */
static void note_failure(struct recording *r, unsigned part, int error)
{
    char *name;

    if (error == 0 || r->failure.text[0])
        return;
    name = recording_name_of(r, part);
    if (error == FILE_WRITER_TOO_SLOW)
        reason_set(&r->failure, "the disk of %s is too slow: %u MiB wait to be written",
                   name ? name : r->file, FILE_WRITER_WAITING_MAX >> 20);
    else
        reason_set(&r->failure, "cannot write %s: %s", name ? name : r->file, strerror(error));
    free(name);
}

/* Call with the lock held. */
static bool recording_works(struct recording *r)
{
    if (r->writer)
        note_failure(r, r->part, file_writer_error(r->writer));
    if (r->before)
        note_failure(r, r->part - 1, file_writer_error(r->before));
    return !r->closed && !r->failure.text[0];
}

static uint32_t recording_milliseconds(tick_t t)
{
    return t < 0 ? 0 : t / TICK_MS > UINT32_MAX ? UINT32_MAX : (uint32_t)(t / TICK_MS);
}

/* Call with the lock held. */
static void recording_add_block(struct recording *r, const void *bytes, size_t size, tick_t now)
{
    uint8_t length[FBS_NUMBER_BYTES], tail[3 + FBS_NUMBER_BYTES] = {0};
    size_t padding = fbs_padding((uint32_t)size);
    struct iovec parts[] = {
        {length, sizeof length}, {(void *)bytes, size}, {tail, padding + FBS_NUMBER_BYTES}};

    fbs_put_number(length, (uint32_t)size);
    fbs_put_number(tail + padding, recording_milliseconds(now - r->start));
    file_writer_add(r->writer, parts, 3);
}

/* The file of the next part. -1 with a reason. Call with the lock held. */
static int next_file(struct recording *r)
{
    int fd = r->fd;
    char *name;

    r->fd = -1;
    if (r->part == 1)
        return fd;
    errno = ENOMEM;
    name = recording_name_of(r, r->part);
    if (!name || (fd = recording_create_file(name)) < 0)
        cannot_create(name ? name : r->file, &r->failure);
    free(name);
    return fd;
}

/* Begins the next part with what comes before ServerInit. Call with the lock held. */
static bool begin(struct recording *r, tick_t now)
{
    struct iovec greeting = {(void *)FBS_GREETING, FBS_GREETING_BYTES};
    int fd;

    if (r->writer)
        file_writer_end(r->writer);
    /* it ended when the part after it began */
    note_failure(r, r->part - 1, file_writer_destroy(r->before));
    r->before = r->writer;
    r->writer = NULL;
    r->part++;
    r->start = now;
    if ((fd = next_file(r)) < 0)
        return false;
    if (!(r->writer = file_writer_create(fd)))
        return reason_set(&r->failure, "out of memory or threads for the recording");
    file_writer_add(r->writer, &greeting, 1);
    recording_add_block(r, version, VERSION_BYTES, now);
    recording_add_block(r, no_security, SECURITY_BYTES, now);
    return true;
}

unsigned recording_begin(struct recording *r, const void *server_init, size_t size, tick_t now)
{
    unsigned part = 0;

    if (r->sink.add) {
        r->sink.begin(r->sink.user, server_init, size);
        return 1;
    }
    pthread_mutex_lock(&r->lock);
    if (recording_works(r) && begin(r, now)) {
        part = r->part;
        recording_add_block(r, server_init, size, now);
    }
    pthread_mutex_unlock(&r->lock);
    return part;
}

void recording_add(struct recording *r, unsigned part, const void *bytes, size_t size, tick_t now)
{
    const uint8_t *from = bytes;

    if (r->sink.add) {
        r->sink.add(r->sink.user, bytes, size);
        return;
    }
    pthread_mutex_lock(&r->lock);
    while (size > 0 && part == r->part && recording_works(r)) {
        size_t piece = size < FBS_BLOCK_MAX ? size : FBS_BLOCK_MAX;

        recording_add_block(r, from, piece, now);
        from += piece;
        size -= piece;
    }
    pthread_mutex_unlock(&r->lock);
}

bool recording_failed(struct recording *r, struct reason *why)
{
    bool failed;

    pthread_mutex_lock(&r->lock);
    recording_works(r);
    failed = r->failure.text[0];
    if (failed)
        reason_set(why, "The recording has stopped: %.500s. The session goes on.", r->failure.text);
    pthread_mutex_unlock(&r->lock);
    return failed;
}

/* ---- references ---- */

struct recording *recording_share(struct recording *r)
{
    pthread_mutex_lock(&r->lock);
    r->references++;
    pthread_mutex_unlock(&r->lock);
    return r;
}

void recording_release(struct recording *r)
{
    bool last;

    if (!r)
        return;
    pthread_mutex_lock(&r->lock);
    last = --r->references == 0;
    pthread_mutex_unlock(&r->lock);
    if (last)
        recording_discard(r);
}

bool recording_close(struct recording *r, struct reason *why)
{
    struct file_writer *writer, *before;
    bool failed;

    if (!r)
        return true;
    pthread_mutex_lock(&r->lock);
    r->closed = true;
    writer = r->writer;
    before = r->before;
    r->writer = r->before = NULL;
    if (r->fd >= 0) { /* there was no connection */
        close(r->fd);
        unlink(r->file);
        r->fd = -1;
    }
    pthread_mutex_unlock(&r->lock);
    /* nobody adds any more: whoever holds a reference sees that it is closed */
    note_failure(r, r->part - 1, file_writer_destroy(before));
    note_failure(r, r->part, file_writer_destroy(writer));
    failed = r->failure.text[0];
    if (failed)
        reason_set(why, "the recording is not complete: %s", r->failure.text);
    recording_release(r);
    return !failed;
}
