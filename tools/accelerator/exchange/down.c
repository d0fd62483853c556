#include "tools/accelerator/exchange/down.h"

#include <stdio.h>
#include <string.h>

#include "rfb/proto/blocks.h"
#include "rfb/proto/message_types.h"

void down_init(struct down *d, struct relay *relay, struct own_push *own, bool whole, size_t most)
{
    memset(d, 0, sizeof *d);
    d->relay = relay;
    d->own = own;
    delivery_init(&d->out, whole, most);
}

void down_deinit(struct down *d)
{
    bytes_deinit(&d->in);
    delivery_deinit(&d->out);
}

void down_begin(struct down *d, const struct pixel_format *format, int width, int height,
                const char *congestion)
{
    d->reads = true;
    snprintf(d->congestion, sizeof d->congestion, "%s", congestion);
    server_framing_begin(&d->framing, format, width, height);
}

/* ---- what comes ---- */

static void down_update_ends(struct down *d, const struct server_frame *found, uint64_t end,
                             tick_t now)
{
    relay_update_ends(d->relay, now);
    own_push_update(d->own);
    delivery_message_ends(&d->out, end);
    if (found->resized)
        relay_resized(d->relay, d->framing.width, d->framing.height);
    if (d->waiting == DOWN_WAITING_MOST) /* a server that pushes: two count as one */
        d->relay->waiting--;
    else
        d->waiting++;
    d->ends[(d->first + d->waiting - 1) % DOWN_WAITING_MOST] = end;
}

static void down_lose_boundaries(struct down *d)
{
    d->lost = true;
    delivery_end(&d->out);
    own_push_mute(d->own);
    relay_stop_asking(d->relay);
}

/* The first of them is byte `begin` of all that has come. */
static void down_read_messages(struct down *d, const uint8_t *bytes, size_t size, uint64_t begin,
                               tick_t now)
{
    struct server_frame found = {.event = SERVER_FRAME_UPDATE_BEGINS};

    for (size_t at = 0; !d->lost && found.event != SERVER_FRAME_NONE;) {
        at += server_framing_read(&d->framing, bytes + at, size - at, &found);
        switch (found.event) {
        case SERVER_FRAME_UPDATE_BEGINS:
            relay_update_begins(d->relay, now);
            break;
        case SERVER_FRAME_UPDATE_ENDS:
            down_update_ends(d, &found, begin + at, now);
            break;
        case SERVER_FRAME_MESSAGE:
            delivery_message_ends(&d->out, begin + at);
            break;
        case SERVER_FRAME_UNKNOWN:
        case SERVER_FRAME_HOSTILE:
            down_lose_boundaries(d);
            break;
        default:
            break;
        }
    }
}

enum down_answer down_take(struct down *d, const uint8_t *bytes, size_t size, tick_t now)
{
    uint64_t begin = d->out.come;
    bool was_lost = d->lost;

    if (!delivery_add(&d->out, bytes, size, now))
        return DOWN_NO_MEMORY;
    if (d->reads && !d->lost)
        down_read_messages(d, bytes, size, begin, now);
    else if (!d->reads)
        delivery_message_ends(&d->out, d->out.come);
    return d->lost && !was_lost ? DOWN_LOST : DOWN_GOES_ON;
}

enum down_answer down_pass(struct down *d, size_t size, tick_t now)
{
    enum down_answer answer = down_take(d, bytes_first(&d->in), size, now);

    bytes_take(&d->in, size);
    return answer;
}

void down_set_format(struct down *d, const struct pixel_format *format)
{
    if (!d->lost)
        server_framing_set_format(&d->framing, format);
}

bool down_between(const struct down *d)
{
    return d->lost || server_framing_between(&d->framing);
}

/* ---- what is said here ---- */

/* Behind the first update: a client takes what comes first for the answer to its first request. */
static bool down_show(struct down *d, tick_t now)
{
    struct accelerator_shown shown = {.blocks_newest = 0};
    uint8_t update[ACCELERATOR_UPDATE_MAX];

    memcpy(shown.congestion, d->congestion, sizeof shown.congestion);
    if (d->shows_blocks) {
        shown.blocks_oldest = BLOCKS_OLDEST;
        shown.blocks_newest = BLOCKS_NEWEST;
    }
    if (!d->show_due || d->updates + d->waiting == 0)
        return true;
    d->show_due = false;
    d->shown = true;
    return delivery_add(&d->out, update, server_write_accelerator(update, &shown), now);
}

static bool down_say_own(struct down *d, tick_t now)
{
    static const uint8_t end = SERVER_END_OF_CONTINUOUS_UPDATES;
    struct own_push *own = d->own;
    uint8_t offer[OWN_PUSH_SAY_MAX];
    bool room;

    if (!own->offered)
        return true;
    room = delivery_add(&d->out, offer, own_push_say(own, offer), now);
    for (; own->ends_due > 0 && !d->relay->format_waits; own->ends_due--)
        room = delivery_add(&d->out, &end, 1, now) && room;
    if (d->out.held.size < d->out.most) { /* else a client that asks and does not read */
        room = delivery_add(&d->out, bytes_first(&own->answers), own->answers.size, now) && room;
        bytes_take(&own->answers, own->answers.size);
    }
    return room;
}

enum down_answer down_say(struct down *d, tick_t now)
{
    bool room;

    if (d->lost || !server_framing_between(&d->framing))
        return DOWN_GOES_ON;
    room = down_show(d, now);
    room = down_say_own(d, now) && room;
    delivery_message_ends(&d->out, d->out.come);
    return room ? DOWN_GOES_ON : DOWN_NO_MEMORY;
}

/* ---- what leaves ---- */

unsigned down_left(struct down *d, size_t size, tick_t now)
{
    unsigned updates = 0;

    delivery_left(&d->out, size, now);
    for (; d->waiting > 0 && d->ends[d->first] <= d->out.left; updates++) {
        relay_update_left(d->relay, d->ends[d->first], now);
        d->first = (d->first + 1) % DOWN_WAITING_MOST;
        d->waiting--;
    }
    d->updates += updates;
    return updates;
}
