#include "tools/accelerator/connection.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rfb/clock.h"
#include "tools/accelerator/connection_state.h"
#include "tools/accelerator/events.h"
#include "tools/accelerator/leg.h"

/* ---- the list ---- */

static void link_connection(struct connection *c)
{
    c->next = c->host->first;
    if (c->next)
        c->next->before = c;
    c->host->first = c;
}

static void unlink_connection(struct connection *c)
{
    if (c->before)
        c->before->next = c->next;
    else
        c->host->first = c->next;
    if (c->next)
        c->next->before = c->before;
    c->next = c->before = NULL;
}

/* ---- the end ---- */

static void free_connection(struct connection *c)
{
    backlog_deinit(&c->to_client);
    bytes_deinit(&c->to_server);
    bytes_deinit(&c->from_client);
    bytes_deinit(&c->from_server);
    bytes_deinit(&c->behind);
    bytes_deinit(&c->answers);
    target_release(c->target);
    targets_release(c->by_name);
    free(c);
}

static void handle_closed(uv_handle_t *handle)
{
    struct connection *c = handle->data;

    if (--c->handles == 0 && c->phase == PHASE_GONE)
        free_connection(c);
}

/* A poll that is being closed is still memory of libuv's, so each one has its own. */
static void poll_closed(uv_handle_t *handle)
{
    handle_closed(handle);
    free(handle);
}

void connection_close_side(struct connection *c, struct side *s)
{
    (void)c;
    if (s->poll) {
        uv_poll_stop(s->poll);
        uv_close((uv_handle_t *)s->poll, poll_closed);
        s->poll = NULL;
    }
    if (s->fd >= 0)
        close(s->fd);
    *s = (struct side){.fd = -1};
}

static void go(struct connection *c)
{
    if (c->phase == PHASE_GONE)
        return;
    c->phase = PHASE_GONE;
    unlink_connection(c);
    c->host->over(c->host, c);
    connection_close_side(c, &c->client);
    connection_close_side(c, &c->server);
    uv_close((uv_handle_t *)&c->timer, handle_closed);
}

void connection_end(struct connection *c, const char *why)
{
    char text[300];

    if (c->phase >= PHASE_LEAVING)
        return;
    snprintf(text, sizeof text, "%s", why);
    event_log(EVENT_LIMITED, "end",
              "id=%llu client=%s server=\"%s\" seconds=%.1f bytes=%llu updates=%llu why=\"%s\"",
              (unsigned long long)c->id, c->name, c->target ? c->target->text : "",
              tick_to_s(tick_now() - c->begun), (unsigned long long)c->left,
              (unsigned long long)c->updates_left, event_text(text));
    c->phase = PHASE_LEAVING;
    c->deadline = tick_now() + LEAVE_LIMIT;
    c->client.full = c->to_client.size > 0; /* also what waited for the end of its update */
}

void connection_cut(struct connection *c)
{
    go(c);
}

/* ---- waiting ---- */

static void on_client(uv_poll_t *poll, int status, int events)
{
    struct connection *c = poll->data;

    if (status < 0) {
        c->client.ended = c->client.shut = true;
        connection_end(c, "the client has gone");
    } else {
        c->client.full = false;
        if (events & UV_DISCONNECT)
            c->client.leaving = true; /* while its server takes nothing, nothing is read of it */
        if (events & UV_READABLE && c->phase == PHASE_LEAVING)
            up_skip(c);
        else if (events & UV_READABLE)
            up_read(c);
    }
    connection_settle(c);
}

static void on_server(uv_poll_t *poll, int status, int events)
{
    struct connection *c = poll->data;

    c->server.full = false;
    if (status < 0)
        c->server.events = 0; /* libuv waits for none any more */
    if (c->phase == PHASE_CONNECTING) {
        connection_connected(c);
    } else if (status < 0) {
        up_shut(c);
        if (c->phase < PHASE_LEAVING)
            down_read(c); /* its last words, and then the end */
    } else if (events & UV_READABLE && c->phase < PHASE_LEAVING) {
        down_read(c);
    }
    connection_settle(c);
}

static void on_timer(uv_timer_t *timer)
{
    connection_settle(timer->data);
}

/* Waits for these events of a side; 0: for none. */
static void wait_for(struct connection *c, struct side *s, uv_poll_cb callback, int events)
{
    if (s->fd < 0 || s->events == events)
        return;
    if (!s->poll) {
        s->poll = calloc(1, sizeof *s->poll);
        if (!s->poll || uv_poll_init(c->host->loop, s->poll, s->fd) != 0) {
            free(s->poll);
            s->poll = NULL;
            connection_end(c, "out of memory");
            return;
        }
        s->poll->data = c;
        c->handles++;
    }
    s->events = events;
    if (events)
        uv_poll_start(s->poll, events, callback);
    else
        uv_poll_stop(s->poll);
}

static void wait_for_sockets(struct connection *c)
{
    /* what is beyond `hold_most` was said here, because of what the client has said */
    bool hears = c->answers.size < ANSWERS_MOST &&
                 c->to_client.size < c->host->options->hold_most + ANSWERS_MOST;
    bool reads_up = !c->client.ended && hears && c->from_client.size < UP_MOST &&
                    c->to_server.size + c->behind.size < UP_MOST;
    bool reads_down = !c->server.ended && c->phase >= PHASE_HANDSHAKE && c->phase < PHASE_LEAVING &&
                      c->to_client.size < c->host->options->hold_most;
    bool writes_up = c->phase == PHASE_CONNECTING || c->server.full;

    bool leaves = !reads_up && !c->client.ended && !c->client.leaving;

    wait_for(c, &c->client, on_client,
             (reads_up ? UV_READABLE : 0) | (leaves ? UV_DISCONNECT : 0) |
                 (c->client.full ? UV_WRITABLE : 0));
    wait_for(c, &c->server, on_server,
             (reads_down ? UV_READABLE : 0) | (writes_up ? UV_WRITABLE : 0));
}

static void wait_for_time(struct connection *c, tick_t now)
{
    tick_t next = tick_sooner(c->deadline, c->look_again);
    struct relay_view v;

    if (c->unacknowledged)
        next = tick_sooner(next, now + SILENCE_LOOK);
    if (c->phase == PHASE_MESSAGES) {
        down_view(c, &v);
        next = tick_sooner(next, relay_look_again(&c->relay, &v, now));
        next = tick_sooner(next, up_look_again(c, now));
    }
    if (next == TICK_NEVER)
        uv_timer_stop(&c->timer);
    else
        uv_timer_start(&c->timer, on_timer,
                       next <= now ? 1 : (uint64_t)((next - now + TICK_MS - 1) / TICK_MS), 0);
}

/* ---- what follows ---- */

static void look_at_deadline(struct connection *c, tick_t now)
{
    if (now < c->deadline)
        return;
    if (c->phase == PHASE_LEAVING)
        go(c);
    else if (c->phase == PHASE_CONNECTING)
        connection_attempt_failed(c, ETIMEDOUT);
    else
        connection_end(c, c->client.ended || c->client.leaving ? "the client has left"
                          : c->phase == PHASE_MESSAGES ? "the client has asked for nothing in time"
                                                       : "the handshake was not finished in time");
}

void connection_in_use(struct connection *c)
{
    if (!c->in_use && c->phase == PHASE_MESSAGES)
        c->deadline = TICK_NEVER;
    c->in_use = true;
}

/* A side that has ended ends the other one, behind what is still to be said to it. */
static void look_at_ends(struct connection *c)
{
    if (c->server.ended && c->phase < PHASE_LEAVING)
        connection_end(c, c->client.ended ? "the client has left"
                          : c->phase == PHASE_HANDSHAKE
                              ? "the server has closed the connection during the handshake"
                              : "the server has closed the connection");
    if ((c->client.ended || c->client.leaving) && c->phase >= PHASE_MESSAGES &&
        c->phase < PHASE_LEAVING)
        c->deadline = tick_sooner(c->deadline, tick_now() + LEAVE_LIMIT);
    if (c->client.ended && c->phase < PHASE_LEAVING && c->to_server.size == 0) {
        if (c->phase == PHASE_NAMING || c->phase == PHASE_CONNECTING ||
            c->phase == PHASE_HANDSHAKE) {
            connection_end(c, "the client has left during the handshake");
        } else {
            if (!c->server.shut)
                shutdown(c->server.fd, SHUT_WR);
            c->server.shut = true;
        }
    }
    if (c->phase != PHASE_LEAVING)
        return;
    if (c->server.fd >= 0)
        connection_close_side(c, &c->server);
    if (c->to_client.size == 0 && !c->client.shut) {
        shutdown(c->client.fd, SHUT_WR);
        c->client.shut = true;
    }
    if (c->client.ended)
        go(c);
}

void connection_settle(struct connection *c)
{
    tick_t now = tick_now();

    if (c->phase != PHASE_GONE)
        look_at_deadline(c, now);
    if (c->phase == PHASE_GONE)
        return;
    if (c->phase == PHASE_MESSAGES) {
        up_change_format(c, now);
        down_say(c, now);
        down_write(c, now);
        up_ask(c, now);
    } else {
        down_write(c, now);
    }
    up_write(c);
    look_at_ends(c);
    if (c->phase == PHASE_GONE)
        return;
    wait_for_sockets(c);
    wait_for_time(c, now);
}

/* ---- the beginning ---- */

struct connection *connection_begin(struct connection_host *host, int client_fd,
                                    const struct sockaddr_storage *peer, uint64_t id,
                                    const struct connection_way *way)
{
    struct connection *c = calloc(1, sizeof *c);

    if (!c) {
        close(client_fd);
        return NULL;
    }
    c->host = host;
    c->id = id;
    c->peer = *peer;
    leg_peer(peer, c->name, sizeof c->name);
    c->client.fd = client_fd;
    c->server.fd = -1;
    c->begun = tick_now();
    c->look_again = TICK_NEVER;
    c->exposed = way->exposed;
    c->target = target_hold(way->target);
    c->by_name = targets_hold(way->by_name);
    c->deadline = c->begun + host->options->handshake_limit;
    uv_timer_init(host->loop, &c->timer);
    c->timer.data = c;
    c->handles = 1;
    flight_init(&c->flight);
    c->forward.whole = host->options->whole;
    leg_tune_client(client_fd, host->options->congestion);
    link_connection(c);
    if (way->target)
        connection_connect(c);
    else
        down_take(c, (const uint8_t *)"RFB 000.000\n", 12);
    connection_settle(c);
    return c;
}

/* ---- for the service ---- */

void connection_about(const struct connection *c, struct connection_about *about)
{
    about->peer = c->peer;
    about->held = c->to_client.size;
    about->held_for = c->to_client.size > 0 ? tick_now() - c->held_since : 0;
    about->unanswered = c->phase == PHASE_MESSAGES && c->relay.unanswered;
    about->accelerated = c->phase == PHASE_MESSAGES && !c->relay.passes && !c->down_lost;
}

struct connection *connection_next(const struct connection *c)
{
    return c->next;
}
