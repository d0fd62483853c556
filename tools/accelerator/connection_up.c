/* From the client to the server. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "rfb/clock.h"
#include "rfb/proto/bytes.h"
#include "rfb/proto/client_messages.h"
#include "rfb/proto/message_types.h"
#include "tools/accelerator/connection_state.h"
#include "tools/accelerator/events.h"

static void put(struct connection *c, struct bytes_held *where, const uint8_t *bytes, size_t size)
{
    if (!bytes_append(where, bytes, size))
        connection_end(c, "out of memory");
}

/* ---- asking ---- */

static void ask_again(struct connection *c, tick_t now)
{
    uint8_t message[CLIENT_WRITE_MAX];

    put(c, &c->to_server, message, client_write_update_request(message, true, c->relay.region));
    relay_asked(&c->relay, now);
    c->host->totals->asked++;
}

void up_ask(struct connection *c, tick_t now)
{
    struct relay_view v;

    if (c->phase != PHASE_MESSAGES || !client_framing_between(&c->up) || c->server.shut)
        return;
    if (c->owed) {
        c->owed = false;
        ask_again(c, now);
    }
    if (c->down_lost && c->own.on && now >= c->blind_at &&
        c->to_client.size < c->host->options->hold_most / 2 && c->to_server.size == 0) {
        ask_again(c, now);
        c->blind_at = now + BLIND_EVERY;
    }
    if (c->down_lost)
        return;
    down_view(c, &v);
    if (relay_next(&c->relay, &v, now) == RELAY_ASK)
        ask_again(c, now);
}

/* A request of the client that was not passed on must not be lost with that. up_ask() makes it, as
 * soon as a message may begin. */
void up_stop_asking(struct connection *c)
{
    if (relay_owes(&c->relay))
        c->owed = true;
    relay_pass(&c->relay, true);
}

/* ---- the pixel format ---- */

static void new_format(struct connection *c)
{
    if (!c->down_lost && c->format_new)
        server_framing_set_format(&c->down, &c->next_format);
    c->format_new = false;
}

/* Between messages of both sides, as far as they are known. */
static bool between_messages(const struct connection *c)
{
    return (c->up_lost || client_framing_between(&c->up)) &&
           (c->down_lost || server_framing_between(&c->down));
}

/* No update is to be expected either: what the server sends from now on has seen what it is sent
 * now. */
static bool server_is_quiet(const struct connection *c, tick_t now)
{
    return between_messages(c) && (c->down_lost || !(relay_expects(&c->relay) &&
                                                     now - c->relay.last_asked < FORMAT_PATIENCE));
}

static void wait_for_quiet(struct connection *c)
{
    if (c->relay.format_waits)
        return;
    relay_format_waits(&c->relay);
    c->full_behind = false;
}

static void on_format(struct connection *c, const struct client_frame *found, tick_t now)
{
    c->next_format = found->message.format;
    c->format_new = true;
    if (c->relay.format_waits) {
        put(c, &c->behind, found->bytes, found->size);
        return;
    }
    if (relay_lead(&c->relay) > 1 && c->ends_due == 0)
        event_log(EVENT_LIMITED, "format-ahead", "id=%llu client=%s updates=%u",
                  (unsigned long long)c->id, c->name, relay_lead(&c->relay));
    if (server_is_quiet(c, now)) {
        put(c, &c->to_server, found->bytes, found->size);
        new_format(c);
        return;
    }
    wait_for_quiet(c);
    put(c, &c->behind, found->bytes, found->size);
}

void up_change_format(struct connection *c, tick_t now)
{
    if (!c->relay.format_waits || !server_is_quiet(c, now))
        return;
    put(c, &c->to_server, bytes_first(&c->behind), c->behind.size);
    bytes_take(&c->behind, c->behind.size);
    new_format(c);
    relay_format_changed(&c->relay);
    if (c->full_behind)
        relay_asked(&c->relay, now);
}

tick_t up_look_again(const struct connection *c, tick_t now)
{
    if (c->relay.format_waits && between_messages(c) && relay_expects(&c->relay))
        return tick_later(now, c->relay.last_asked + FORMAT_PATIENCE);
    return c->down_lost && c->own.on ? tick_later(now, c->blind_at) : TICK_NEVER;
}

/* ---- ContinuousUpdates and fences ---- */

static void offer_own(struct connection *c, const struct client_message *encodings)
{
    bool fence = false, continuous = false;

    for (unsigned i = 0; i < encodings->encodings; i++) {
        int32_t encoding = client_message_encoding(encodings, i);

        fence = fence || encoding == PSEUDO_FENCE;
        continuous = continuous || encoding == PSEUDO_CONTINUOUS_UPDATES;
    }
    if (fence && continuous && c->host->options->continuous == CONTINUOUS_OWN && !c->relay.passes)
        own_push_offer(&c->own);
}

/* It is switched off for a new pixel format, which follows. The end is said when all updates of the
 * old one have come. */
static void on_switch(struct connection *c, const struct client_message *m)
{
    c->own.on = m->enable;
    relay_push(&c->relay, m->enable, m->rect);
    if (m->enable)
        return;
    c->ends_due++;
    wait_for_quiet(c);
}

static void on_fence(struct connection *c, const struct client_message *m, tick_t now)
{
    uint8_t answer[FENCE_HEAD + FENCE_MAX];

    size_t size = own_push_fence(&c->own, m, answer);

    if (!c->down_lost) /* else it could never be said */
        put(c, &c->answers, answer, size);
    if (c->own.on)
        relay_client_has_read(&c->relay, own_push_unread(&c->own, c->waiting), now);
}

/* ---- messages ---- */

static bool hidden(int32_t encoding)
{
    return encoding == PSEUDO_CONTINUOUS_UPDATES || encoding == PSEUDO_FENCE;
}

/* SetEncodings without what the server is not to know of the client. */
static void put_encodings(struct connection *c, struct bytes_held *where,
                          const struct client_frame *found)
{
    uint8_t message[CLIENT_HELD_MAX], *at = message + 4;
    unsigned count = found->message.encodings;

    offer_own(c, &found->message);
    if (c->host->options->continuous == CONTINUOUS_PASS || (c->relay.passes && !c->own.offered)) {
        put(c, where, found->bytes, found->size);
        return;
    }
    memcpy(message, found->bytes, 4);
    for (unsigned i = 0; i < count; i++) {
        int32_t encoding = client_message_encoding(&found->message, i);

        if (!hidden(encoding))
            at = put32(at, (uint32_t)encoding);
    }
    put16(message + 2, (unsigned)(at - message - 4) / 4);
    put(c, where, message, (size_t)(at - message));
}

static void on_request(struct connection *c, const struct client_frame *found, tick_t now)
{
    const struct client_message *m = &found->message;
    bool passed = relay_client_asks(&c->relay, m->incremental, m->rect, now);

    c->host->totals->requests++;
    if (!passed)
        return;
    if (c->relay.format_waits)
        c->full_behind = true;
    put(c, c->relay.format_waits ? &c->behind : &c->to_server, found->bytes, found->size);
}

static bool is_input(uint8_t type)
{
    return type == CLIENT_KEY || type == CLIENT_POINTER || type == CLIENT_QEMU;
}

/* It wants something: the limit for the beginning is over. */
static void note_use(struct connection *c, uint8_t type)
{
    if (is_input(type) || type == CLIENT_UPDATE_REQUEST || type == CLIENT_ENABLE_CONTINUOUS_UPDATES)
        connection_in_use(c);
}

static void on_message(struct connection *c, const struct client_frame *found, tick_t now)
{
    struct bytes_held *where =
        c->relay.format_waits && !is_input(found->type) ? &c->behind : &c->to_server;

    note_use(c, found->type);
    if (found->understood && found->type == CLIENT_UPDATE_REQUEST) {
        on_request(c, found, now);
    } else if (found->understood && found->type == CLIENT_SET_PIXEL_FORMAT) {
        on_format(c, found, now);
    } else if (found->understood && found->type == CLIENT_SET_ENCODINGS) {
        put_encodings(c, where, found);
    } else if (found->understood && found->type == CLIENT_FENCE && c->own.offered) {
        on_fence(c, &found->message, now);
    } else if (found->understood && found->type == CLIENT_ENABLE_CONTINUOUS_UPDATES &&
               c->own.offered) {
        on_switch(c, &found->message);
    } else {
        /* When it switches them off it is for a new pixel format: the server must not be asked
         * ahead of that. So this lasts. */
        if (found->understood && found->type == CLIENT_ENABLE_CONTINUOUS_UPDATES &&
            found->message.enable)
            relay_pass(&c->relay, true);
        put(c, where, found->bytes, found->size);
    }
}

static void lose_boundaries(struct connection *c, const struct client_frame *found, tick_t now)
{
    char text[200];

    snprintf(text, sizeof text, "%s", client_framing_why(&c->up));
    event_log(EVENT_LIMITED, "not-accelerated", "id=%llu client=%s side=client why=\"%s\"",
              (unsigned long long)c->id, c->name, event_text(text));
    c->host->totals->lost++;
    c->up_lost = true;
    connection_in_use(c); /* nobody knows what it wants */
    if (c->own.on)        /* its answers to our fences cannot be told from what is the server's */
        connection_end(c, "a client with ContinuousUpdates has sent an unknown message; it can go "
                          "on with continuous-updates = hide");
    up_stop_asking(c);
    if (c->owed) /* now or never */
        ask_again(c, now);
    c->owed = false;
    put(c, &c->to_server, bytes_first(&c->behind), c->behind.size);
    bytes_take(&c->behind, c->behind.size);
    put(c, &c->to_server, found->bytes, found->size);
}

static void take_messages(struct connection *c)
{
    tick_t now = tick_now();
    struct client_frame found = {.event = CLIENT_FRAME_MESSAGE};

    while (found.event != CLIENT_FRAME_NONE && !c->up_lost && c->phase == PHASE_MESSAGES) {
        size_t taken =
            client_framing_read(&c->up, bytes_first(&c->from_client), c->from_client.size, &found);

        switch (found.event) {
        case CLIENT_FRAME_MESSAGE:
            on_message(c, &found, now);
            break;
        case CLIENT_FRAME_PART:
            /* a text; keys that follow it do not wait for a format either */
            put(c, &c->to_server, found.bytes, found.size);
            break;
        case CLIENT_FRAME_UNKNOWN:
        case CLIENT_FRAME_HOSTILE:
            lose_boundaries(c, &found, now);
            break;
        default:
            break;
        }
        bytes_take(&c->from_client, taken);
    }
}

void up_take(struct connection *c)
{
    if (c->phase == PHASE_MESSAGES && !c->up_lost)
        take_messages(c);
    if (c->phase == PHASE_PIPE || (c->phase == PHASE_MESSAGES && c->up_lost)) {
        if (c->phase == PHASE_PIPE)
            connection_piped(c, &c->piped_up, c->from_client.size);
        put(c, &c->to_server, bytes_first(&c->from_client), c->from_client.size);
        bytes_take(&c->from_client, c->from_client.size);
    }
}

/* ---- the sockets ---- */

void up_read(struct connection *c)
{
    uint8_t *scratch = c->host->scratch;
    ssize_t n = recv(c->client.fd, scratch, UP_MOST / 4, MSG_DONTWAIT);

    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        c->client.ended = true;
        return;
    }
    put(c, &c->from_client, scratch, (size_t)n);
    if (c->phase == PHASE_NAMING)
        connection_name(c);
    else if (c->phase == PHASE_HANDSHAKE)
        connection_greet(c);
    else
        up_take(c);
}

void up_skip(struct connection *c)
{
    ssize_t n = recv(c->client.fd, c->host->scratch, SCRATCH_BYTES, MSG_DONTWAIT);

    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
        c->client.ended = true;
}

void up_shut(struct connection *c)
{
    bytes_take(&c->to_server, c->to_server.size);
    c->server.shut = true;
    c->server.full = false;
}

void up_write(struct connection *c)
{
    ssize_t n;

    if (c->server.shut)
        bytes_take(&c->to_server, c->to_server.size);
    if (c->server.fd < 0 || c->phase <= PHASE_CONNECTING || c->to_server.size == 0)
        return;
    n = send(c->server.fd, bytes_first(&c->to_server), c->to_server.size,
             MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n > 0) {
        bytes_take(&c->to_server, (size_t)n);
        c->host->totals->bytes_up += (uint64_t)n;
    } else if (n < 0 && errno != EAGAIN && errno != EINTR) {
        up_shut(c);
    }
    c->server.full = c->to_server.size > 0;
}
