#include "tools/linkem/link/link.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <unistd.h>

#include "tools/linkem/link/packet_log.h"

/* Packets each way before the other way, and the other work, have their turn. */
#define BATCH 64

struct linkem_buffer {
    struct linkem_buffer *next;
    tick_t taken; /* when it was read from the sending host */
    unsigned char data[];
};

void linkem_link_init(struct linkem_link *l, int client_tun, int server_tun, unsigned mtu,
                      const struct linkem_changes *changes, bool reorder, uint64_t seed,
                      tick_t (*clock)(void))
{
    *l = (struct linkem_link){.clock = clock, .mtu = mtu, .changes = changes, .begin = TICK_NEVER};
    for (int i = 0; i < LINKEM_DIRECTIONS; i++) {
        l->configs[i].reorder = reorder;
        /* The two directions must not lose the same packets. */
        l->configs[i].seed = seed * LINKEM_DIRECTIONS + (uint64_t)i;
    }
    while (l->applied < changes->count && changes->list[l->applied].at == LINKEM_AT_START) {
        linkem_change_apply(&changes->list[l->applied++], l->configs, l->queue_given);
    }
    for (int i = 0; i < LINKEM_DIRECTIONS; i++) {
        /* The values were checked when they were parsed. */
        linkem_queue_init(&l->ways[i].queue, &l->configs[i]);
    }
    l->ways[LINKEM_UP].from = l->ways[LINKEM_DOWN].to = client_tun;
    l->ways[LINKEM_DOWN].from = l->ways[LINKEM_UP].to = server_tun;
}

static struct linkem_buffer *buffer_get(struct linkem_link *l)
{
    struct linkem_buffer *b = l->spare;
    if (b) {
        l->spare = b->next;
        return b;
    }
    return malloc(sizeof *b + l->mtu);
}

static void buffer_put(struct linkem_link *l, struct linkem_buffer *b)
{
    b->next = l->spare;
    l->spare = b;
}

void linkem_link_deinit(struct linkem_link *l)
{
    for (int i = 0; i < LINKEM_DIRECTIONS; i++) {
        struct linkem_packet p;
        while (linkem_queue_take(&l->ways[i].queue, TICK_NEVER, &p)) {
            free((void *)(uintptr_t)p.cookie);
        }
        linkem_queue_deinit(&l->ways[i].queue);
    }
    while (l->spare) {
        free(buffer_get(l));
    }
}

void linkem_link_log(struct linkem_link *l, struct packet_log *packets)
{
    l->packets = packets;
}

void linkem_link_begin(struct linkem_link *l, tick_t now)
{
    l->begin = now;
}

static bool is_multicast(const unsigned char *packet, size_t length)
{
    if (length >= 20 && packet[0] >> 4 == 4) {
        return packet[16] >> 4 == 0xe || packet[16] == 0xff;
    }
    return length >= 40 && packet[0] >> 4 == 6 && packet[24] == 0xff;
}

/* The protocol of what IP carries. */
static bool is_udp(const unsigned char *packet, size_t length)
{
    if (length >= 20 && packet[0] >> 4 == 4) {
        return packet[9] == IPPROTO_UDP;
    }
    return length >= 40 && packet[0] >> 4 == 6 && packet[6] == IPPROTO_UDP;
}

/* With FATE_HELD the queue has taken the buffer. */
static enum packet_fate linkem_link_enter(struct linkem_way *w, struct linkem_buffer *b,
                                          uint32_t length, tick_t now)
{
    struct linkem_count *n = &w->count;
    if (is_multicast(b->data, length)) {
        n->multicast++;
        return FATE_LEFT_OUT;
    }
    n->packets_in++;
    n->bytes_in += length;
    if (w->queue.config.udp_least > 0 && length >= w->queue.config.udp_least &&
        is_udp(b->data, length)) {
        n->udp++;
        return FATE_UDP;
    }
    if (w->queue.held_bytes + length > LINKEM_HELD_MAX) {
        n->refused++;
        return FATE_MEMORY;
    }
    switch (linkem_queue_put(&w->queue, length, (uintptr_t)b, now)) {
    case LINKEM_QUEUED:
        if (w->queue.waiting_bytes > n->queue_max_bytes) {
            n->queue_max_bytes = w->queue.waiting_bytes;
        }
        return FATE_HELD;
    case LINKEM_FULL:
        n->full++;
        n->full_bytes += length;
        return FATE_FULL;
    case LINKEM_LOST:
        n->lost++;
        n->lost_bytes += length;
        return FATE_LOSS;
    case LINKEM_REFUSED:
        break;
    }
    n->refused++;
    return FATE_MEMORY;
}

/* Into the table of packets, if there is one. */
static void linkem_link_note(struct linkem_link *l, const struct linkem_way *w,
                             const struct linkem_buffer *b, uint32_t length, enum packet_fate fate,
                             tick_t now)
{
    if (l->packets) {
        struct packet_entry e = {.taken = b->taken,
                                 .left = now,
                                 .direction = w == &l->ways[LINKEM_UP] ? LINKEM_UP : LINKEM_DOWN,
                                 .fate = fate,
                                 .data = b->data,
                                 .bytes = length};
        packet_log_add(l->packets, &e);
    }
}

static void use_settings(struct linkem_link *l, tick_t now)
{
    for (int i = 0; i < LINKEM_DIRECTIONS; i++) {
        linkem_queue_change(&l->ways[i].queue, &l->configs[i], now);
    }
}

void linkem_link_change(struct linkem_link *l, const struct linkem_change *change)
{
    linkem_change_apply(change, l->configs, l->queue_given);
    use_settings(l, l->clock());
}

/* Returns when the next change is due. */
static tick_t apply_changes(struct linkem_link *l, tick_t now)
{
    const struct linkem_change *next = l->changes->list + l->applied;
    if (l->applied == l->changes->count || l->begin == TICK_NEVER) {
        return TICK_NEVER;
    }
    if (l->begin + next->at > now) {
        return l->begin + next->at;
    }
    for (; l->applied < l->changes->count && l->begin + next->at <= now; next++, l->applied++) {
        linkem_change_apply(next, l->configs, l->queue_given);
    }
    use_settings(l, now);
    return l->applied < l->changes->count ? l->begin + next->at : TICK_NEVER;
}

void linkem_link_read(struct linkem_link *l, enum linkem_direction direction)
{
    struct linkem_way *w = &l->ways[direction];
    struct linkem_buffer *b = NULL;
    for (int i = 0; i < BATCH; i++) {
        if (!b && !(b = buffer_get(l))) {
            break; /* the device keeps the packets until there is memory */
        }
        ssize_t length = read(w->from, b->data, l->mtu);
        if (length <= 0) {
            break;
        }
        tick_t now = l->clock();
        apply_changes(l, now);
        b->taken = now;
        enum packet_fate fate = linkem_link_enter(w, b, (uint32_t)length, now);
        if (fate == FATE_HELD) {
            b = NULL;
        } else {
            linkem_link_note(l, w, b, (uint32_t)length, fate, now);
        }
    }
    if (b) {
        buffer_put(l, b);
    }
}

static void deliver(struct linkem_link *l, struct linkem_way *w)
{
    struct linkem_count *n = &w->count;
    struct linkem_packet p;
    for (int i = 0; i < BATCH; i++) {
        tick_t now = l->clock();
        if (!linkem_queue_take(&w->queue, now, &p)) {
            break;
        }
        struct linkem_buffer *b = (struct linkem_buffer *)(uintptr_t)p.cookie;
        tick_t late = now - p.due;
        bool delivered = write(w->to, b->data, p.bytes) == (ssize_t)p.bytes;
        if (delivered) {
            n->packets_out++;
            n->bytes_out += p.bytes;
            n->late_sum += late;
            n->late_max = late > n->late_max ? late : n->late_max;
            n->late_1ms += late > TICK_MS;
        } else {
            n->write_failed++;
        }
        linkem_link_note(l, w, b, p.bytes, delivered ? FATE_DELIVERED : FATE_WRITE, now);
        buffer_put(l, b);
    }
}

tick_t linkem_link_deliver(struct linkem_link *l)
{
    tick_t next = apply_changes(l, l->clock());
    for (int i = 0; i < LINKEM_DIRECTIONS; i++) {
        deliver(l, &l->ways[i]);
        /* Past already when the batch was too short. */
        tick_t due = linkem_queue_next_due(&l->ways[i].queue);
        next = due < next ? due : next;
    }
    return next;
}
