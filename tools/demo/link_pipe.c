#include "tools/demo/link_pipe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>

#define READ_MAX       65536
#define FIRST_CAPACITY 65536

bool link_pipe_init(struct link_pipe *p, const struct linkem_config *c)
{
    *p = (struct link_pipe){0};
    return linkem_queue_init(&p->queue, c);
}

void link_pipe_deinit(struct link_pipe *p)
{
    linkem_queue_deinit(&p->queue);
    free(p->bytes);
    *p = (struct link_pipe){0};
}

static bool link_pipe_reserve(struct link_pipe *p, size_t more)
{
    size_t used = p->tail - p->head;
    size_t capacity = p->capacity ? p->capacity : FIRST_CAPACITY;
    while (capacity - used < more) {
        capacity *= 2;
    }
    if (capacity == p->capacity) {
        return true;
    }
    uint8_t *bytes = malloc(capacity);
    if (!bytes) {
        return false;
    }
    for (size_t i = 0; i < used;) {
        size_t at = (p->head + i) & (p->capacity - 1);
        size_t run = p->capacity - at < used - i ? p->capacity - at : used - i;
        memcpy(bytes + i, p->bytes + at, run);
        i += run;
    }
    free(p->bytes);
    p->bytes = bytes;
    p->capacity = capacity;
    p->head = 0;
    p->tail = used;
    return true;
}

/* Held bytes leave room, whatever the queue says. */
static bool below_limits(const struct link_pipe *p)
{
    return p->tail - p->head <= LINK_HELD_MAX - READ_MAX && p->ready < LINK_IDLE_MAX;
}

bool link_pipe_wants_input(struct link_pipe *p, tick_t now)
{
    return !p->source_ended && below_limits(p) &&
           linkem_queue_room_at(&p->queue, LINK_PACKET, now) <= now;
}

void link_pipe_end(struct link_pipe *p, enum link_end how, tick_t now)
{
    if (p->source_ended) {
        return;
    }
    p->source_ended = true;
    if (linkem_queue_put(&p->queue, 0, how, now) != LINKEM_QUEUED) {
        p->arriving = LINK_RESET; /* no memory: end at once */
    }
}

/* What may be read so that every packet of it finds room. */
static size_t link_pipe_room(struct link_pipe *p, tick_t now)
{
    uint64_t queue_bytes = p->queue.config.queue_bytes;
    if (queue_bytes == 0) {
        return READ_MAX;
    }
    uint64_t backlog = linkem_queue_backlog(&p->queue, now);
    uint64_t left = queue_bytes > backlog ? queue_bytes - backlog : 0;
    left = left > LINK_PACKET ? left : LINK_PACKET; /* an idle line takes one in any case */
    return left < READ_MAX ? (size_t)left : READ_MAX;
}

void link_pipe_read(struct link_pipe *p, int fd, tick_t now)
{
    size_t want = link_pipe_room(p, now);
    if (!link_pipe_reserve(p, want)) {
        link_pipe_end(p, LINK_RESET, now);
        return;
    }
    size_t at = p->tail & (p->capacity - 1);
    size_t run = p->capacity - at < want ? p->capacity - at : want;
    ssize_t n = recv(fd, p->bytes + at, run, 0);
    if (n < 0) {
        if (errno != EAGAIN && errno != EINTR) {
            link_pipe_end(p, LINK_RESET, now);
        }
        return;
    }
    if (n == 0) {
        link_pipe_end(p, LINK_FINISHED, now);
        return;
    }
    p->tail += (size_t)n;
    for (size_t left = (size_t)n; left;) {
        uint32_t part = left < LINK_PACKET ? (uint32_t)left : LINK_PACKET;
        if (linkem_queue_put(&p->queue, part, LINK_OPEN, now) != LINKEM_QUEUED) {
            /* Only when memory is short: room() has seen to the rest. */
            p->tail -= left;
            link_pipe_end(p, LINK_RESET, now);
            return;
        }
        left -= part;
    }
}

void link_pipe_arrive(struct link_pipe *p, tick_t now)
{
    struct linkem_packet packet;
    while (linkem_queue_take(&p->queue, now, &packet)) {
        p->ready += packet.bytes;
        if (packet.cookie != LINK_OPEN) {
            p->arriving = (enum link_end)packet.cookie;
        }
    }
}

bool link_pipe_wants_output(const struct link_pipe *p)
{
    return p->end == LINK_OPEN && (p->ready > 0 || p->arriving != LINK_OPEN);
}

bool link_pipe_write(struct link_pipe *p, int fd)
{
    while (p->ready > 0) {
        size_t at = p->head & (p->capacity - 1);
        size_t run = p->capacity - at < p->ready ? p->capacity - at : p->ready;
        ssize_t n = send(fd, p->bytes + at, run, MSG_NOSIGNAL);
        if (n < 0) {
            if (errno == EINTR) {
                continue;
            }
            if (errno == EAGAIN) {
                return true;
            }
            p->source_ended = true;
            p->end = LINK_RESET;
            return false;
        }
        p->head += (size_t)n;
        p->ready -= (size_t)n;
    }
    if (p->arriving == LINK_FINISHED) {
        shutdown(fd, SHUT_WR);
    }
    p->end = p->arriving;
    return true;
}

bool link_pipe_was_reset(const struct link_pipe *p)
{
    return p->end == LINK_RESET && p->arriving == LINK_RESET;
}

tick_t link_pipe_due(struct link_pipe *p, tick_t now)
{
    if (p->end != LINK_OPEN) {
        return TICK_NEVER;
    }
    tick_t due = linkem_queue_next_due(&p->queue);
    if (!p->source_ended && below_limits(p)) {
        tick_t at = linkem_queue_room_at(&p->queue, LINK_PACKET, now);
        if (at > now && at < due) {
            due = at;
        }
    }
    return due;
}
