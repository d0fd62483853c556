/* From the server to the client. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "rfb/clock.h"
#include "rfb/proto/message_types.h"
#include "tools/accelerator/connection_state.h"
#include "tools/accelerator/events.h"
#include "tools/accelerator/leg.h"

/* Before the path's rate is known so much may wait in the socket unsent. TCP's slow start needs
 * some. */
#define UNSENT_AT_FIRST ((size_t)32 << 10)

/* Later, so much as leaves in this time. */
#define UNSENT_TIME  (10 * TICK_MS)
#define UNSENT_LEAST ((size_t)4 << 10)

/* ---- reading ---- */

static void update_has_come(struct connection *c, const struct server_frame *found, uint64_t end,
                            tick_t now)
{
    relay_update_ends(&c->relay, now);
    own_push_update(&c->own);
    if (found->resized)
        relay_resized(&c->relay, c->down.width, c->down.height);
    if (c->waiting == WAITING_MOST) { /* a server that pushes: two count as one */
        c->updates[(c->first + c->waiting - 1) % WAITING_MOST].end = end;
        c->relay.waiting--;
        return;
    }
    c->updates[(c->first + c->waiting) % WAITING_MOST].end = end;
    c->updates[(c->first + c->waiting++) % WAITING_MOST].at = now;
}

static void lose_boundaries(struct connection *c, const char *why)
{
    char text[200];

    snprintf(text, sizeof text, "%s", why);
    c->down_lost = true;
    bytes_deinit(&c->answers); /* nothing of ours can be said any more */
    c->host->totals->lost++;
    event_log(EVENT_LIMITED, "not-accelerated", "id=%llu client=%s side=server why=\"%s\"",
              (unsigned long long)c->id, c->name, event_text(text));
    up_stop_asking(c);
}

static void read_messages(struct connection *c, const uint8_t *bytes, size_t size)
{
    tick_t now = tick_now();
    struct server_frame found = {.event = SERVER_FRAME_UPDATE_BEGINS};

    for (size_t at = 0; !c->down_lost && found.event != SERVER_FRAME_NONE;) {
        at += server_framing_read(&c->down, bytes + at, size - at, &found);
        c->up.extended_buttons = c->down.extended_buttons;
        switch (found.event) {
        case SERVER_FRAME_UPDATE_BEGINS:
            relay_update_begins(&c->relay, now);
            break;
        case SERVER_FRAME_UPDATE_ENDS:
            update_has_come(c, &found, c->came + at, now);
            forward_ended(&c->forward, c->came + at);
            break;
        case SERVER_FRAME_MESSAGE:
            forward_ended(&c->forward, c->came + at);
            break;
        case SERVER_FRAME_UNKNOWN:
        case SERVER_FRAME_HOSTILE:
            lose_boundaries(c, server_framing_why(&c->down));
            break;
        default:
            break;
        }
    }
}

void down_take(struct connection *c, const uint8_t *bytes, size_t size)
{
    if (c->to_client.size == 0)
        c->held_since = tick_now();
    if (!backlog_append(&c->to_client, bytes, size)) {
        connection_end(c, "out of memory");
        return;
    }
    if (c->phase == PHASE_MESSAGES && !c->down_lost)
        read_messages(c, bytes, size);
    else if (c->phase == PHASE_PIPE)
        connection_piped(c, &c->piped_down, size);
    c->came += size;
    if (c->phase != PHASE_MESSAGES)
        forward_ended(&c->forward, c->came);
}

void down_read(struct connection *c)
{
    uint8_t *scratch = c->host->scratch;
    size_t most = c->host->options->hold_most;
    size_t room = c->to_client.size < most ? most - c->to_client.size : 0;
    ssize_t n;

    if (room == 0)
        return;
    n = recv(c->server.fd, scratch, room < TURN_BYTES ? room : TURN_BYTES, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        c->server.ended = true;
        /* what was kept until the client answers: it may say why */
        if (c->phase == PHASE_HANDSHAKE)
            down_take(c, bytes_first(&c->from_server), c->from_server.size);
        return;
    }
    if (c->phase == PHASE_HANDSHAKE) {
        if (!bytes_append(&c->from_server, scratch, (size_t)n)) {
            connection_end(c, "out of memory");
            return;
        }
        connection_greet(c);
        return;
    }
    down_take(c, scratch, (size_t)n);
}

static void say(struct connection *c, const uint8_t *bytes, size_t size, tick_t now)
{
    if (size == 0)
        return;
    if (c->to_client.size == 0)
        c->held_since = now;
    if (!backlog_append(&c->to_client, bytes, size))
        connection_end(c, "out of memory");
    c->came += size;
}

void down_say(struct connection *c, tick_t now)
{
    uint8_t own[OWN_PUSH_SAY_MAX];
    static const uint8_t end = SERVER_END_OF_CONTINUOUS_UPDATES;

    if (!c->own.offered || c->down_lost || !server_framing_between(&c->down))
        return;
    if (!c->up_lost) /* else its answer could not be told from what is the server's */
        say(c, own, own_push_say(&c->own, own), now);
    for (; c->ends_due > 0 && !c->relay.format_waits; c->ends_due--)
        say(c, &end, 1, now);
    if (c->to_client.size >= c->host->options->hold_most)
        return; /* a client that asks and does not read */
    say(c, bytes_first(&c->answers), c->answers.size, now);
    bytes_take(&c->answers, c->answers.size);
}

/* ---- writing ---- */

static void set_unsent(struct connection *c)
{
    double bytes = c->flight.rate * tick_to_s(UNSENT_TIME);
    size_t wanted = bytes < (double)UNSENT_LEAST ? UNSENT_LEAST
                    : bytes > SCRATCH_BYTES      ? SCRATCH_BYTES
                                                 : (size_t)bytes;

    if (!c->flight.found)
        wanted = UNSENT_AT_FIRST;
    if (wanted < 2 * c->unsent_allowed && 2 * wanted > c->unsent_allowed)
        return;
    c->unsent_allowed = wanted;
    leg_set_unsent(c->client.fd, wanted);
}

/* How many bytes may be written now. 0: c->look_again says when to look again, or the socket tells
 * when it has room. */
static size_t room_in_flight(struct connection *c, bool waits, tick_t now)
{
    struct leg_info info;
    size_t limit;

    c->look_again = TICK_NEVER;
    if (!leg_info(c->client.fd, &info))
        return TURN_BYTES; /* no TCP */
    c->unacknowledged = info.sample.in_flight > 0;
    if (c->unacknowledged && info.silent >= SILENCE_LIMIT) {
        connection_end(c, "the client has not answered for a minute");
        return 0;
    }
    info.sample.waits = waits || info.unsent > 0;
    flight_tell(&c->flight, &info.sample, now);
    set_unsent(c);
    if (info.unsent >= c->unsent_allowed)
        return 0;
    limit = flight_limit(&c->flight);
    if (info.sample.in_flight >= limit) {
        c->look_again = now + flight_wait(&c->flight, info.sample.in_flight);
        return 0;
    }
    limit -= info.sample.in_flight;
    return limit < TURN_BYTES ? limit : TURN_BYTES;
}

static void has_left(struct connection *c, size_t size, tick_t now)
{
    c->left += size;
    c->host->totals->bytes_down += size;
    while (c->waiting > 0 && c->updates[c->first].end <= c->left) {
        relay_update_left(&c->relay, c->updates[c->first].end, now);
        c->first = (c->first + 1) % WAITING_MOST;
        c->waiting--;
        c->updates_left++;
        c->host->totals->updates++;
    }
}

/* How many of the bytes for the client may leave. */
static size_t ready(struct connection *c)
{
    if (c->phase != PHASE_MESSAGES || c->down_lost)
        return c->to_client.size;
    return forward_room(&c->forward, c->left + c->to_client.size, c->left,
                        c->host->options->hold_most);
}

static ssize_t send_first(struct connection *c, size_t size)
{
    struct iovec pieces[TURN_BYTES / BACKLOG_BLOCK + 2];
    struct msghdr message = {.msg_iov = pieces};

    message.msg_iovlen =
        (size_t)backlog_pieces(&c->to_client, size, pieces, (int)(sizeof pieces / sizeof *pieces));
    return sendmsg(c->client.fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

void down_write(struct connection *c, tick_t now)
{
    size_t room, size = ready(c);
    ssize_t n;

    if (c->client.fd < 0 || c->client.shut)
        return;
    room = room_in_flight(c, size > 0, now);
    c->client.full = size > 0 && room == 0 && c->look_again == TICK_NEVER;
    if (size == 0)
        c->look_again = TICK_NEVER;
    if (size == 0 || room == 0)
        return;
    if (room > size)
        room = size;
    n = send_first(c, room);
    if (n < 0 && errno != EAGAIN && errno != EINTR) {
        c->client.ended = true;
        connection_end(c, "the client has gone");
        return;
    }
    if (n > 0) {
        backlog_take(&c->to_client, (size_t)n);
        has_left(c, (size_t)n, now);
        drain_tell(&c->drain, c->left, ready(c) > 0, now);
        c->held_since = now;
    }
    c->client.full = ready(c) > 0;
}

void down_view(const struct connection *c, struct relay_view *v)
{
    v->held = c->to_client.size;
    v->rate = c->drain.rate > c->flight.rate ? c->drain.rate : c->flight.rate;
    v->round_trip = c->flight.round_trip;
}
