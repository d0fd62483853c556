#include "tools/linkem/link/queue.h"

#include <stdlib.h>

#include "prerequest/splitmix64.h"

#define FIRST_CAPACITY 64

/* ---- packets in the order in which they are due ---- */

/* Frees the memory. Safe on a zeroed heap, which is an empty one. */
static void due_heap_deinit(struct due_heap *h)
{
    free(h->entries);
    *h = (struct due_heap){0};
}

/* Room for one more. False without memory. */
static bool due_heap_reserve(struct due_heap *h)
{
    if (h->count < h->capacity) {
        return true;
    }
    size_t capacity = h->capacity ? 2 * h->capacity : FIRST_CAPACITY;
    struct due_entry *entries = realloc(h->entries, capacity * sizeof *entries);
    if (!entries) {
        return false;
    }
    h->entries = entries;
    h->capacity = capacity;
    return true;
}

static bool due_heap_before(const struct due_entry *a, const struct due_entry *b)
{
    return a->packet.due != b->packet.due ? a->packet.due < b->packet.due : a->number < b->number;
}

static void due_heap_swap(struct due_heap *h, size_t a, size_t b)
{
    struct due_entry kept = h->entries[a];
    h->entries[a] = h->entries[b];
    h->entries[b] = kept;
}

static void sift_down(struct due_heap *h, size_t i)
{
    for (;;) {
        size_t first = i;
        for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < h->count; child++) {
            if (due_heap_before(&h->entries[child], &h->entries[first])) {
                first = child;
            }
        }
        if (first == i) {
            return;
        }
        due_heap_swap(h, i, first);
        i = first;
    }
}

/* There must be room. */
static void due_heap_push(struct due_heap *h, const struct linkem_packet *p, size_t number)
{
    size_t i = h->count++;
    h->entries[i] = (struct due_entry){.packet = *p, .number = number};
    while (i > 0 && due_heap_before(&h->entries[i], &h->entries[(i - 1) / 2])) {
        due_heap_swap(h, i, (i - 1) / 2);
        i = (i - 1) / 2;
    }
}

/* The packet due first; the heap must not be empty. */
static struct linkem_packet due_heap_pop(struct due_heap *h)
{
    struct linkem_packet p = h->entries[0].packet;
    h->entries[0] = h->entries[--h->count];
    sift_down(h, 0);
    return p;
}

/* Puts the order right again after `due` was changed in any number of entries. */
static void due_heap_rebuild(struct due_heap *h)
{
    for (size_t i = h->count / 2; i-- > 0;) {
        sift_down(h, i);
    }
}

/* ---- the queue ---- */

/* Not a number is none. */
static bool is_probability(double p)
{
    return p >= 0 && p <= 1;
}

const char *linkem_config_check(const struct linkem_config *c)
{
    if (c->rate > LINKEM_RATE_MAX) {
        return "rate";
    }
    if (c->delay < 0 || c->delay > LINKEM_DELAY_MAX) {
        return "delay";
    }
    if (c->jitter < 0 || c->jitter > LINKEM_DELAY_MAX) {
        return "jitter";
    }
    if (!is_probability(c->loss)) {
        return "loss";
    }
    if (!is_probability(c->burst_p) || !is_probability(c->burst_r)) {
        return "burst";
    }
    if (!is_probability(c->burst_loss)) {
        return "burst loss";
    }
    return NULL;
}

bool linkem_queue_init(struct linkem_queue *q, const struct linkem_config *c)
{
    *q = (struct linkem_queue){0};
    if (linkem_config_check(c)) {
        return false;
    }
    q->config = *c;
    q->now = INT64_MIN;
    q->line_free = INT64_MIN;
    q->last_due = INT64_MIN;
    q->random = c->seed;
    return true;
}

void linkem_queue_deinit(struct linkem_queue *q)
{
    if (q) {
        free(q->ring);
        due_heap_deinit(&q->heap);
        *q = (struct linkem_queue){0};
    }
}

static struct linkem_packet *linkem_queue_at(const struct linkem_queue *q, size_t index)
{
    return &q->ring[index & (q->capacity - 1)];
}

/* Room for one packet more. */
static bool linkem_queue_reserve(struct linkem_queue *q)
{
    if (q->config.reorder && !due_heap_reserve(&q->heap)) {
        return false;
    }
    if (q->tail - q->head < q->capacity) {
        return true;
    }
    size_t capacity = q->capacity ? 2 * q->capacity : FIRST_CAPACITY;
    struct linkem_packet *ring = calloc(capacity, sizeof *ring);
    if (!ring) {
        return false;
    }
    for (size_t i = q->head; i != q->tail; i++) {
        ring[i & (capacity - 1)] = *linkem_queue_at(q, i);
    }
    free(q->ring);
    q->ring = ring;
    q->capacity = capacity;
    return true;
}

/* Moves time on; packets that have reached the line no longer wait. */
static void linkem_queue_advance(struct linkem_queue *q, tick_t now)
{
    if (now > q->now) {
        q->now = now;
    }
    while (q->waiting != q->tail && linkem_queue_at(q, q->waiting)->start <= q->now) {
        q->waiting_bytes -= linkem_queue_at(q, q->waiting)->bytes;
        q->waiting++;
    }
    if (q->config.reorder) {
        q->head = q->waiting; /* the heap has them */
    }
}

/* How long the line takes for a packet. The remainder is carried to the next one, so that the
 * rate is right on average even where a packet takes a few ns only. */
static tick_t line_time(struct linkem_queue *q, uint32_t bytes)
{
    if (q->config.rate == 0) {
        return 0;
    }
    uint64_t work = (uint64_t)bytes * 8 * (uint64_t)TICK_S + q->remainder;
    q->remainder = work % q->config.rate;
    return (tick_t)(work / q->config.rate);
}

/* Whether the next packet is lost; one step of the Gilbert-Elliott chain. */
static bool draw_loss(struct linkem_queue *q)
{
    double loss = q->bad ? q->config.burst_loss : q->config.loss;
    bool lost = loss > 0 && splitmix64_unit(&q->random) < loss;
    if (q->config.burst_p > 0) {
        double move = q->bad ? q->config.burst_r : q->config.burst_p;
        q->bad ^= splitmix64_unit(&q->random) < move;
    }
    return lost;
}

/* Places a packet on the line after all that were put before, and says when it arrives. */
static void linkem_queue_schedule(struct linkem_queue *q, struct linkem_packet *p)
{
    p->start = q->line_free > q->now ? q->line_free : q->now;
    q->line_free = p->start + line_time(q, p->bytes);
    p->due = q->line_free + q->config.delay + p->jitter;
    if (p->due < q->last_due && !q->config.reorder) {
        p->due = q->last_due;
    }
    q->last_due = p->due;
}

enum linkem_put linkem_queue_put(struct linkem_queue *q, uint32_t bytes, uint64_t cookie,
                                 tick_t now)
{
    linkem_queue_advance(q, now);
    if (bytes > LINKEM_BYTES_MAX) {
        return LINKEM_REFUSED;
    }
    if (draw_loss(q)) {
        return LINKEM_LOST;
    }
    if (linkem_queue_room_at(q, bytes, q->now) > q->now) {
        return LINKEM_FULL;
    }
    if (!linkem_queue_reserve(q)) {
        return LINKEM_REFUSED;
    }
    struct linkem_packet p = {.cookie = cookie, .bytes = bytes};
    if (q->config.jitter > 0) {
        p.jitter = (tick_t)(splitmix64_unit(&q->random) * (double)q->config.jitter);
    }
    linkem_queue_schedule(q, &p);
    if (q->config.reorder) {
        due_heap_push(&q->heap, &p, q->tail);
    }
    *linkem_queue_at(q, q->tail) = p;
    q->tail++;
    q->held_bytes += bytes;
    q->waiting_bytes += bytes;
    linkem_queue_advance(q, q->now);
    return LINKEM_QUEUED;
}

bool linkem_queue_change(struct linkem_queue *q, const struct linkem_config *c, tick_t now)
{
    if (linkem_config_check(c) || c->reorder != q->config.reorder) {
        return false;
    }
    linkem_queue_advance(q, now);
    q->config = *c;
    q->remainder = 0;
    q->bad = q->bad && c->burst_p > 0;
    if (q->waiting == q->tail) {
        return true;
    }
    /* What waits is placed anew, from where the packet on the line ends. */
    q->line_free = linkem_queue_at(q, q->waiting)->start;
    q->last_due = q->waiting == q->head ? q->now : linkem_queue_at(q, q->waiting - 1)->due;
    for (size_t i = q->waiting; i != q->tail; i++) {
        linkem_queue_schedule(q, linkem_queue_at(q, i));
    }
    for (size_t i = 0; i < q->heap.count; i++) {
        struct due_entry *e = &q->heap.entries[i];
        if (e->number >= q->waiting) {
            e->packet = *linkem_queue_at(q, e->number);
        }
    }
    due_heap_rebuild(&q->heap);
    return true;
}

tick_t linkem_queue_next_due(const struct linkem_queue *q)
{
    if (q->config.reorder) {
        return q->heap.count ? q->heap.entries[0].packet.due : TICK_NEVER;
    }
    return q->head == q->tail ? TICK_NEVER : linkem_queue_at(q, q->head)->due;
}

bool linkem_queue_take(struct linkem_queue *q, tick_t now, struct linkem_packet *out)
{
    linkem_queue_advance(q, now);
    if (linkem_queue_next_due(q) > q->now || linkem_queue_next_due(q) == TICK_NEVER) {
        return false;
    }
    if (q->config.reorder) {
        *out = due_heap_pop(&q->heap);
    } else {
        *out = *linkem_queue_at(q, q->head);
        q->head++;
    }
    q->held_bytes -= out->bytes;
    return true;
}

tick_t linkem_queue_room_at(struct linkem_queue *q, uint32_t bytes, tick_t now)
{
    linkem_queue_advance(q, now);
    if (q->config.queue_bytes == 0 || q->line_free <= q->now) {
        return q->now;
    }
    uint64_t waiting = q->waiting_bytes;
    size_t i = q->waiting;
    tick_t when = q->now;
    while (i != q->tail && waiting + bytes > q->config.queue_bytes) {
        when = linkem_queue_at(q, i)->start;
        waiting -= linkem_queue_at(q, i)->bytes;
        i++;
    }
    /* Longer than the whole queue: it has to go straight onto the line. */
    return waiting + bytes > q->config.queue_bytes ? q->line_free : when;
}

uint64_t linkem_queue_backlog(struct linkem_queue *q, tick_t now)
{
    linkem_queue_advance(q, now);
    return q->waiting_bytes;
}
