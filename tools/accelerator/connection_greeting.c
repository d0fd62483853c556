/* From the client's arrival to the end of the handshake. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rfb/clock.h"
#include "rfb/net/repeater.h"
#include "rfb/proto/bytes.h"
#include "tools/accelerator/connection_state.h"
#include "tools/accelerator/events.h"
#include "tools/accelerator/leg.h"

/* ---- which server ---- */

/* Says why there is no server as a server of RFB 3.3 says it, so that the viewer can show it. */
static void refuse(struct connection *c, const char *why)
{
    char text[200];
    uint8_t head[8];
    int length = snprintf(text, sizeof text, "%s", why);

    put32(put32(head, 0), (uint32_t)(length < (int)sizeof text ? length : (int)sizeof text - 1));
    backlog_append(&c->to_client, "RFB 003.003\n", 12);
    backlog_append(&c->to_client, head, sizeof head);
    backlog_append(&c->to_client, text, strlen(text));
    connection_end(c, why);
}

void connection_name(struct connection *c)
{
    char field[REPEATER_FIELD + 1], *end;
    unsigned long long number;

    if (c->from_client.size < REPEATER_FIELD)
        return;
    memcpy(field, bytes_first(&c->from_client), REPEATER_FIELD);
    field[REPEATER_FIELD] = '\0';
    bytes_take(&c->from_client, REPEATER_FIELD);
    number = strncmp(field, "ID:", 3) == 0 ? strtoull(field + 3, &end, 10) : 0;
    if (strncmp(field, "ID:", 3) == 0 && end != field + 3 && *end == '\0')
        c->target = target_hold(targets_find(c->by_name, number));
    if (!c->target) {
        refuse(c, "the accelerator knows no server with this ID");
        return;
    }
    connection_connect(c);
}

/* ---- connecting ---- */

static void no_server(struct connection *c, int error)
{
    char why[200];

    snprintf(why, sizeof why, HANDSHAKE_NO_SERVER ": %s", strerror(error));
    refuse(c, why);
}

static void greet_begins(struct connection *c)
{
    c->phase = PHASE_HANDSHAKE;
    c->deadline = c->begun + c->host->options->handshake_limit;
    leg_tune_server(c->server.fd);
    handshake_framing_begin(&c->handshake);
}

void connection_connect(struct connection *c)
{
    int error = EHOSTUNREACH;
    bool connected = false;

    for (; c->attempt < c->target->count; c->attempt++) {
        c->server.fd = leg_connect((struct sockaddr *)&c->target->at[c->attempt].address,
                                   c->target->at[c->attempt].size, &connected);
        if (c->server.fd >= 0)
            break;
        error = errno;
    }
    if (c->server.fd < 0) {
        no_server(c, error);
        return;
    }
    c->phase = PHASE_CONNECTING;
    c->deadline = tick_now() + CONNECT_LIMIT;
    if (connected)
        greet_begins(c);
}

void connection_attempt_failed(struct connection *c, int error)
{
    connection_close_side(c, &c->server);
    if (c->attempt + 1 >= c->target->count) {
        no_server(c, error);
        return;
    }
    c->attempt++;
    connection_connect(c);
}

void connection_connected(struct connection *c)
{
    int error = 0;
    socklen_t size = sizeof error;

    getsockopt(c->server.fd, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error == 0) {
        greet_begins(c);
        connection_greet(c);
        return;
    }
    connection_attempt_failed(c, error);
}

/* ---- the handshake ---- */

static void become_pipe(struct connection *c)
{
    c->phase = PHASE_PIPE; /* the limit of the handshake still holds */
    down_take(c, bytes_first(&c->from_server), c->from_server.size);
    bytes_deinit(&c->from_server);
    up_take(c);
}

static bool piped_enough(const struct connection *c)
{
    return c->piped_down >= PIPED_LEAST_EACH && c->piped_up >= PIPED_LEAST_EACH &&
           c->piped_down + c->piped_up >= PIPED_LEAST;
}

void connection_piped(struct connection *c, size_t *way, size_t size)
{
    if (c->handshake.refused || c->client.ended || piped_enough(c))
        return;
    *way += size;
    if (piped_enough(c))
        c->deadline = TICK_NEVER;
}

/* Who listens for everybody seldom means that everybody has the screen. */
static void warn_if_open(struct connection *c)
{
    if (!c->exposed || c->target->open_said || !handshake_framing_open(&c->handshake))
        return;
    c->target->open_said = true;
    event_log(EVENT_ALWAYS, "no-password",
              "server=\"%s\" why=\"it lets everybody in who reaches the port here: give it a "
              "password, or listen on 127.0.0.1 and use ssh\"",
              c->target->text);
}

static void begin_messages(struct connection *c)
{
    struct handshake_framing *h = &c->handshake;

    c->phase = PHASE_MESSAGES; /* the limit holds until the client asks for something */
    server_framing_begin(&c->down, &h->format, h->width, h->height);
    client_framing_begin(&c->up);
    relay_init(&c->relay, h->width, h->height);
    relay_pass(&c->relay, !c->host->options->accelerate);
    event_log(EVENT_LIMITED, "session", "id=%llu client=%s version=3.%d security=%u size=%dx%d",
              (unsigned long long)c->id, c->name, h->minor, (unsigned)h->security, h->width,
              h->height);
    warn_if_open(c);
    down_take(c, bytes_first(&c->from_server), c->from_server.size);
    bytes_deinit(&c->from_server);
    up_take(c);
}

static size_t greet_server(struct connection *c)
{
    size_t taken =
        handshake_framing_server(&c->handshake, bytes_first(&c->from_server), c->from_server.size);

    down_take(c, bytes_first(&c->from_server), taken);
    bytes_take(&c->from_server, taken);
    return taken;
}

static size_t greet_client(struct connection *c)
{
    size_t taken =
        handshake_framing_client(&c->handshake, bytes_first(&c->from_client), c->from_client.size);

    if (!bytes_append(&c->to_server, bytes_first(&c->from_client), taken))
        connection_end(c, "out of memory");
    bytes_take(&c->from_client, taken);
    return taken;
}

void connection_greet(struct connection *c)
{
    const struct handshake_framing *h = &c->handshake;
    char why[200];

    while (h->state == HANDSHAKE_GOES_ON && greet_server(c) + greet_client(c) > 0)
        ;
    if (c->phase != PHASE_HANDSHAKE)
        return;
    snprintf(why, sizeof why, "%s", handshake_framing_why(h));
    switch (h->state) {
    case HANDSHAKE_GOES_ON:
        if (c->from_server.size > UP_MOST)
            connection_end(c, "the server says too much before its client has answered");
        break;
    case HANDSHAKE_DONE:
        begin_messages(c);
        break;
    case HANDSHAKE_PLAIN:
        c->host->totals->pipes++;
        event_log(EVENT_LIMITED, "not-accelerated", "id=%llu client=%s security=%u why=\"%s\"",
                  (unsigned long long)c->id, c->name, (unsigned)h->security, event_text(why));
        become_pipe(c);
        break;
    case HANDSHAKE_FAILED:
        if (h->refused)
            become_pipe(c); /* the server says why */
        else
            connection_end(c, why);
        break;
    }
}
