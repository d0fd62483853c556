#include "tools/accelerator/connection/connection.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rfb/system/clock.h"
#include "tools/accelerator/connection/algorithm.h"
#include "tools/accelerator/connection/arrival.h"
#include "tools/accelerator/connection/handover.h"
#include "tools/accelerator/connection/journal.h"
#include "tools/accelerator/exchange/exchange.h"
#include "tools/accelerator/transport/leg.h"
#include "tools/accelerator/transport/outlet.h"
#include "tools/accelerator/transport/side.h"

/* Bytes in one turn of the loop. So a connection with much to do does not hold up the others. */
#define TURN_BYTES  SCRATCH_BYTES
#define LEAVE_LIMIT (5 * TICK_S) /* for the rest of what waits, at the end */

enum phase {
    PHASE_ARRIVING, /* up to the end of the handshake */
    PHASE_MESSAGES, /* both directions are read */
    PHASE_PIPE,     /* bytes are passed on, and not read */
    PHASE_LEAVING,  /* what waits for the client still leaves */
    PHASE_GONE      /* handles are being closed */
};

struct connection {
    LIST_ENTRY(connection) others;
    struct connection_host *host;
    struct journal journal;
    struct sockaddr_storage peer;
    bool exposed; /* it came by a port that other machines reach */
    enum phase phase;
    tick_t deadline; /* of this phase; TICK_NEVER: none */
    bool in_use;     /* by its client */
    uv_timer_t timer;
    struct side client, server;
    struct handed handed; /* when blocks are pushed */
    struct outlet outlet; /* into the client's socket */
    struct arrival arrival;
    struct exchange x;
    struct exchange_news news;
};

/* ---- the end ---- */

static void connection_free(uv_handle_t *timer)
{
    struct connection *c = timer->data;

    exchange_deinit(&c->x);
    arrival_deinit(&c->arrival);
    free(c);
}

void connection_cut(struct connection *c)
{
    if (c->phase == PHASE_GONE)
        return;
    c->phase = PHASE_GONE;
    LIST_REMOVE(c, others);
    c->host->over(c->host, c);
    side_close(&c->client);
    side_close(&c->server);
    handover_end(&c->handed);
    uv_close((uv_handle_t *)&c->timer, connection_free);
}

void connection_end(struct connection *c, const char *why)
{
    if (c->phase >= PHASE_LEAVING)
        return;
    journal_end(&c->journal, c->arrival.dial.target, c->x.down.out.left, c->x.down.updates,
                tick_now(), why);
    c->phase = PHASE_LEAVING;
    c->deadline = tick_now() + LEAVE_LIMIT;
    delivery_end(&c->x.down.out);
    c->client.full = c->x.down.out.held.size > 0; /* also what waited for the end of its update */
}

/* False of what needs memory. */
static void connection_end_unless(struct connection *c, bool had_memory)
{
    if (!had_memory)
        connection_end(c, "out of memory");
}

/* ---- what client and server say ---- */

/* The client takes blocks, which another process makes. Such a client says something soon. */
static void connection_hand_over(struct connection *c)
{
    c->phase = PHASE_PIPE;
    outlet_init(&c->outlet); /* the pusher knows how much may be on its way */
    journal_pushed(&c->journal);
    if (!handover(c->host, &c->server, &c->client, &c->x, &c->arrival.greeting, &c->handed))
        connection_end(c, "no process can be started that pushes blocks");
}

/* What follows from what client and server have said. */
static void connection_hear_news(struct connection *c)
{
    struct exchange_news news = c->news;

    c->news = (struct exchange_news){0};
    c->host->totals->requests += news.requests;
    c->host->totals->asked += news.asked;
    if (news.ahead > 0)
        journal_format_ahead(&c->journal, news.ahead);
    c->host->totals->lost += journal_lost(&c->journal, "server", news.server_lost);
    c->host->totals->lost += journal_lost(&c->journal, "client", news.client_lost);
    if (news.in_use && !c->in_use && c->phase == PHASE_MESSAGES)
        c->deadline = TICK_NEVER; /* it may keep its session as long as it likes */
    c->in_use = c->in_use || news.in_use;
    if (news.unfit)
        connection_end(c, "a client with ContinuousUpdates has sent an unknown message; it can go "
                          "on with continuous-updates = hide");
    connection_end_unless(c, !news.no_memory);
    if (c->x.up.pushed && c->phase == PHASE_MESSAGES)
        connection_hand_over(c);
}

/* So many bytes have come for a plain pipe, on this way. */
static void connection_note_piped(struct connection *c, size_t *way, size_t size)
{
    if (c->phase == PHASE_PIPE && !c->client.ended &&
        (c->x.up.pushed ? way == &c->arrival.greeting.piped_up
                        : greeting_piped(&c->arrival.greeting, way, size)))
        c->deadline = TICK_NEVER;
}

static void connection_server_says(struct connection *c, const uint8_t *bytes, size_t size)
{
    connection_note_piped(c, &c->arrival.greeting.piped_down, size);
    exchange_from_server(&c->x, bytes, size, tick_now(), &c->news);
    connection_hear_news(c);
}

static void connection_client_says(struct connection *c)
{
    connection_note_piped(c, &c->arrival.greeting.piped_up, c->x.up.in.size);
    exchange_from_client(&c->x, tick_now(), &c->news);
    connection_hear_news(c);
}

/* What the handshake has left. */
static void connection_both_go_on(struct connection *c)
{
    connection_note_piped(c, &c->arrival.greeting.piped_down, c->x.down.in.size);
    connection_note_piped(c, &c->arrival.greeting.piped_up, c->x.up.in.size);
    exchange_goes_on(&c->x, tick_now(), &c->news);
    connection_hear_news(c);
}

/* ---- the arrival ---- */

static void connection_note_session(struct connection *c)
{
    struct journal_standing standing = {.client = c->client.cipher,
                                        .server = c->server.cipher,
                                        .accelerated = c->host->options->accelerate,
                                        .certificate = c->host->options->certificate,
                                        .congestion = c->x.down.congestion};

    journal_session(&c->journal, &c->arrival.greeting, &standing);
    c->host->totals->tls += c->client.cipher != NULL;
    journal_no_password(&c->arrival.greeting, c->exposed ? c->arrival.dial.target : NULL);
}

static void connection_begin_messages(struct connection *c)
{
    const struct handshake_framing *h = &c->arrival.greeting.framing;
    char congestion[LEG_CONGESTION_NAME];

    c->phase = PHASE_MESSAGES; /* the limit holds until the client asks for something */
    leg_congestion_of(c->client.fd, congestion);
    exchange_begin(&c->x, &h->format, h->width, h->height, c->host->options->accelerate,
                   congestion);
    algorithm_choose(c->host, &c->x, &c->outlet);
    connection_note_session(c);
    connection_both_go_on(c);
}

/* The limit of the handshake still holds. */
static void connection_become_pipe(struct connection *c)
{
    c->phase = PHASE_PIPE;
    outlet_learn(&c->outlet);
    connection_both_go_on(c);
}

static void connection_arrive(struct connection *c, enum arrival_answer answer)
{
    c->deadline = c->arrival.limit;
    switch (answer) {
    case ARRIVAL_WAITS:
        break;
    case ARRIVAL_SESSION:
        connection_begin_messages(c);
        break;
    case ARRIVAL_PLAIN:
        c->host->totals->pipes++;
        journal_cannot_follow(&c->journal, c->arrival.greeting.framing.security,
                              arrival_why_plain(&c->arrival));
        /* fallthrough */
    case ARRIVAL_REFUSED: /* the server says why */
        connection_become_pipe(c);
        break;
    case ARRIVAL_FAILED:
        c->host->totals->tls_failed += c->arrival.shaking != NULL;
        connection_end(c, c->arrival.why.text);
        break;
    }
}

/* ---- reading ---- */

static bool connection_reads_server(const struct connection *c)
{
    if (c->server.ended || c->x.down.out.held.size >= c->x.down.out.most)
        return false;
    return c->phase == PHASE_ARRIVING ? arrival_reads_server(&c->arrival)
                                      : c->phase < PHASE_LEAVING;
}

static void connection_read_server(struct connection *c)
{
    size_t room = c->x.down.out.most - c->x.down.out.held.size, size;

    if (!connection_reads_server(c))
        return;
    size = side_read(&c->server, c->host->scratch, room < TURN_BYTES ? room : TURN_BYTES);
    if (size > 0 && c->phase == PHASE_ARRIVING)
        connection_end_unless(c, bytes_append(&c->x.down.in, c->host->scratch, size));
    else if (size > 0)
        connection_server_says(c, c->host->scratch, size);
    else if (c->server.ended && c->phase == PHASE_ARRIVING && greeting_passes(&c->arrival.greeting))
        /* what was kept until the client answers: it may say why */
        connection_server_says(c, bytes_first(&c->x.down.in), c->x.down.in.size);
}

static bool connection_reads_client(const struct connection *c)
{
    /* what is beyond `most` was said here, because of what the client has said */
    return !c->client.ended && up_has_room(&c->x.up) &&
           c->x.down.out.held.size < c->x.down.out.most + OWN_PUSH_ANSWERS_MOST &&
           (c->phase != PHASE_ARRIVING || arrival_reads_client(&c->arrival));
}

static void connection_read_client(struct connection *c)
{
    size_t size;

    if (!connection_reads_client(c))
        return;
    size = side_read(&c->client, c->host->scratch, UP_MOST / 4);
    connection_end_unless(c, bytes_append(&c->x.up.in, c->host->scratch, size));
    if (c->phase == PHASE_ARRIVING)
        explicit_bzero(c->host->scratch, size); /* a password may be among it */
    else if (size > 0)
        connection_client_says(c);
}

/* What was decrypted and not read: no socket tells of it. */
static void connection_read_pending(struct connection *c)
{
    if (side_pending(&c->server) && c->phase < PHASE_LEAVING)
        connection_read_server(c);
    if (side_pending(&c->client) && c->phase < PHASE_LEAVING)
        connection_read_client(c);
}

static bool connection_has_pending(const struct connection *c)
{
    return c->phase < PHASE_LEAVING && ((side_pending(&c->server) && connection_reads_server(c)) ||
                                        (side_pending(&c->client) && connection_reads_client(c)));
}

/* ---- writing ---- */

/* Writes as much as may leave now. */
static void connection_write_client(struct connection *c, tick_t now)
{
    struct delivery *out = &c->x.down.out;
    size_t size = delivery_ready(out), written;
    const char *why;

    if (c->client.fd < 0 || c->client.shut)
        return;
    why = outlet_write(&c->outlet, &c->client, &out->held, size, now, &written);
    if (why)
        connection_end(c, why);
    if (written == 0)
        return;
    c->host->totals->bytes_down += written;
    c->host->totals->updates += down_left(&c->x.down, written, now);
    c->client.full = delivery_ready(out) > 0;
}

/* The server takes nothing more: what waits for it is dropped. What it has said still comes. */
static void connection_shut_server(struct connection *c)
{
    bytes_take(&c->x.up.out, c->x.up.out.size);
    c->server.shut = true;
    c->server.full = false;
}

static void connection_write_server(struct connection *c)
{
    struct iovec all = {(void *)bytes_first(&c->x.up.out), c->x.up.out.size};
    ssize_t n;

    if (c->server.shut)
        bytes_take(&c->x.up.out, c->x.up.out.size);
    if (c->server.fd < 0 || c->x.up.out.size == 0)
        return;
    n = side_write(&c->server, &all, 1);
    if (n < 0) {
        connection_shut_server(c);
        return;
    }
    bytes_take(&c->x.up.out, (size_t)n);
    c->host->totals->bytes_up += (uint64_t)n;
    c->server.full = c->x.up.out.size > 0;
}

/* ---- what follows ---- */

static bool connection_client_leaves(const struct connection *c)
{
    return c->client.ended || c->client.leaving;
}

static void connection_look_at_deadline(struct connection *c, tick_t now)
{
    if (now < c->deadline)
        return;
    if (c->phase == PHASE_LEAVING)
        connection_cut(c);
    else if (c->phase == PHASE_ARRIVING && !connection_client_leaves(c))
        connection_arrive(c, arrival_is_late(&c->arrival, now));
    else
        connection_end(c, connection_client_leaves(c) ? "the client has left"
                          : c->phase == PHASE_MESSAGES || c->x.up.pushed
                              ? "the client has asked for nothing in time"
                              : "the handshake was not finished in time");
}

/* TLS that is broken on a side ends all of it. */
static void connection_look_at_faults(struct connection *c)
{
    const char *server = c->server.ended ? side_fault(&c->server) : NULL;
    const char *client = c->client.ended ? side_fault(&c->client) : NULL;

    if (server || client)
        connection_end(c, server ? server : client);
}

static void connection_look_at_server_end(struct connection *c)
{
    if (!c->server.ended || c->phase >= PHASE_LEAVING)
        return;
    connection_end(c, connection_client_leaves(c) || c->x.up.goodbye ? "the client has left"
                      : c->phase == PHASE_ARRIVING ? "the server has left during the handshake"
                      : c->x.up.pushed             ? handover_why_over(&c->handed)
                                                   : "the server has closed the connection");
}

static void connection_look_at_client_end(struct connection *c)
{
    if (c->phase >= PHASE_LEAVING || !connection_client_leaves(c))
        return;
    if (c->phase != PHASE_ARRIVING)
        c->deadline = tick_sooner(c->deadline, tick_now() + LEAVE_LIMIT);
    if (!c->client.ended || c->x.up.out.size > 0)
        return;
    if (c->phase == PHASE_ARRIVING)
        connection_end(c, "the client has left during the handshake");
    else
        side_shut(&c->server);
}

/* A side that has ended ends the other one, behind what is still to be said to it. */
static void connection_look_at_ends(struct connection *c)
{
    connection_look_at_faults(c);
    connection_look_at_server_end(c);
    connection_look_at_client_end(c);
    if (c->phase != PHASE_LEAVING)
        return;
    side_close(&c->server);
    if (c->x.down.out.held.size == 0)
        side_shut(&c->client);
    if (c->client.ended)
        connection_cut(c);
}

static void connection_on_client(uv_poll_t *poll, int status, int events);
static void connection_on_server(uv_poll_t *poll, int status, int events);
static void connection_on_timer(uv_timer_t *timer);

static void connection_wait_for_client(struct connection *c)
{
    int reads = connection_reads_client(c) ? UV_READABLE : 0;
    int wants = c->phase == PHASE_ARRIVING ? arrival_wants_client(&c->arrival) : 0;
    bool leaves = !reads && !wants && !connection_client_leaves(c);

    connection_end_unless(c, side_wait(&c->client, c->host->loop,
                                       reads | wants | (leaves ? UV_DISCONNECT : 0) |
                                           (c->client.full ? UV_WRITABLE : 0),
                                       connection_on_client, c));
}

static void connection_wait_for_server(struct connection *c)
{
    int reads = connection_reads_server(c) ? UV_READABLE : 0;
    int wants = c->phase == PHASE_ARRIVING ? arrival_wants_server(&c->arrival) : 0;

    connection_end_unless(c, side_wait(&c->server, c->host->loop,
                                       reads | wants | (c->server.full ? UV_WRITABLE : 0),
                                       connection_on_server, c));
}

static void connection_wait_for_time(struct connection *c, tick_t now)
{
    tick_t next = tick_sooner(c->deadline, outlet_look_again(&c->outlet, now));

    if (c->phase == PHASE_MESSAGES)
        next = tick_sooner(next, exchange_look_again(&c->x, now));
    if (c->phase == PHASE_ARRIVING)
        next = tick_sooner(next, arrival_look_again(&c->arrival, now));
    if (connection_has_pending(c))
        uv_timer_start(&c->timer, connection_on_timer, 0, 0);
    else if (next == TICK_NEVER)
        uv_timer_stop(&c->timer);
    else
        uv_timer_start(&c->timer, connection_on_timer,
                       next <= now ? 1 : (uint64_t)((next - now + TICK_MS - 1) / TICK_MS), 0);
}

static void connection_say_what_is_due(struct connection *c, tick_t now)
{
    if (c->phase != PHASE_MESSAGES)
        return;
    exchange_say(&c->x, now, &c->news);
    connection_hear_news(c);
}

static void connection_ask_server(struct connection *c, tick_t now)
{
    if (c->phase != PHASE_MESSAGES || c->server.shut)
        return;
    exchange_ask(&c->x, now, &c->news);
    connection_hear_news(c);
}

/* The arrival goes on when what was said has left. */
static void connection_move_bytes(struct connection *c, tick_t now)
{
    do {
        if (c->phase == PHASE_ARRIVING)
            connection_arrive(c, arrival_go_on(&c->arrival, now));
        connection_say_what_is_due(c, now);
        connection_write_client(c, now);
        connection_ask_server(c, now);
        connection_write_server(c);
    } while (c->phase == PHASE_ARRIVING && arrival_can_begin_tls(&c->arrival));
}

/* What follows from all that has happened: writes, asks, waits. */
static void connection_settle(struct connection *c)
{
    tick_t now = tick_now();

    connection_read_pending(c);
    if (c->phase != PHASE_GONE)
        connection_look_at_deadline(c, now);
    if (c->phase == PHASE_GONE)
        return;
    connection_move_bytes(c, now);
    connection_look_at_ends(c);
    if (c->phase == PHASE_GONE)
        return;
    connection_wait_for_client(c);
    connection_wait_for_server(c);
    connection_wait_for_time(c, now);
}

/* ---- what happens ---- */

static void connection_on_client(uv_poll_t *poll, int status, int events)
{
    struct connection *c = poll->data;

    if (status < 0) {
        if (c->phase == PHASE_ARRIVING) /* TLS may know more about it */
            connection_arrive(c, arrival_go_on(&c->arrival, tick_now()));
        c->client.ended = c->client.shut = true;
        connection_end(c, "the client has gone");
    } else {
        c->client.full = false;
        if (events & UV_DISCONNECT)
            c->client.leaving = true; /* while its server takes nothing, nothing is read of it */
        if (events & UV_READABLE && c->phase == PHASE_LEAVING)
            side_skip(&c->client, c->host->scratch, SCRATCH_BYTES);
        else if (events & UV_READABLE)
            connection_read_client(c);
    }
    connection_settle(c);
}

static void connection_on_server(uv_poll_t *poll, int status, int events)
{
    struct connection *c = poll->data;

    c->server.full = false;
    if (status < 0)
        c->server.events = 0; /* libuv waits for none any more */
    if (c->phase == PHASE_ARRIVING && c->arrival.step == ARRIVAL_CONNECTING) {
        connection_arrive(c, arrival_server_tells(&c->arrival, tick_now()));
    } else if (status < 0) {
        connection_shut_server(c);
        if (c->phase < PHASE_LEAVING)
            connection_read_server(c); /* its last words, and then the end */
    } else if (events & UV_READABLE && c->phase < PHASE_LEAVING) {
        connection_read_server(c);
    }
    connection_settle(c);
}

static void connection_on_timer(uv_timer_t *timer)
{
    connection_settle(timer->data);
}

/* ---- the beginning ---- */

static void connection_init_objects(struct connection *c, int client_fd,
                                    const struct connection_way *way)
{
    const struct connection_options *o = c->host->options;
    const struct arrival_host host = {.client = &c->client,
                                      .server = &c->server,
                                      .x = &c->x,
                                      .peer = &c->peer,
                                      .ends_tls = o->ends_tls,
                                      .identity = c->host->identity,
                                      .certificate = o->certificate,
                                      .turnstile = &c->host->turnstile};

    side_init(&c->client, client_fd);
    side_init(&c->server, -1);
    outlet_init(&c->outlet);
    exchange_init(&c->x, &c->outlet.flight, o->whole, o->hold_most, o->continuous);
    arrival_init(&c->arrival, &host, way->target, way->by_name,
                 c->journal.begun + o->handshake_limit);
    uv_timer_init(c->host->loop, &c->timer);
    c->timer.data = c;
}

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
    c->peer = *peer;
    c->exposed = way->exposed;
    c->deadline = TICK_NEVER;
    journal_init(&c->journal, id, peer, tick_now());
    connection_init_objects(c, client_fd, way);
    leg_tune_client(client_fd, host->options->congestion);
    LIST_INSERT_HEAD(&host->all, c, others);
    connection_settle(c);
    return c;
}

/* ---- for the service ---- */

void connection_about(const struct connection *c, struct connection_about *about)
{
    about->peer = c->peer;
    about->held = c->x.down.out.held.size;
    about->held_for = about->held > 0 ? tick_now() - c->x.down.out.held_since : 0;
    about->unanswered = c->phase == PHASE_MESSAGES && c->x.relay.unanswered;
    about->pushed = c->phase == PHASE_PIPE && c->x.up.pushed;
    about->accelerated = c->phase == PHASE_MESSAGES && !c->x.relay.passes && !c->x.down.lost;
}

struct connection *connection_next(const struct connection *c)
{
    return LIST_NEXT(c, others);
}
