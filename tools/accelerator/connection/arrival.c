#include "tools/accelerator/connection/arrival.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "rfb/net/repeater.h"
#include "tools/accelerator/transport/leg.h"

/* ---- dialling ---- */

/* The server, or for a repeater those that the client may name. Holds them. */
static void dial_init(struct dial *d, struct target *target, struct targets *by_name)
{
    d->target = target_hold(target);
    d->by_name = targets_hold(by_name);
    d->next = 0;
}

static void dial_deinit(struct dial *d)
{
    target_release(d->target);
    targets_release(d->by_name);
}

/* "ID:1234". */
static bool dial_number(const char *field, unsigned long long *number)
{
    char *end;

    if (strncmp(field, "ID:", 3) != 0)
        return false;
    *number = strtoull(field + 3, &end, 10);
    return end != field + 3 && *end == '\0';
}

/* Takes from `in` the field in which a client names its server. */
static enum dial_name dial_read_name(struct dial *d, struct bytes_held *in)
{
    char field[REPEATER_FIELD + 1] = "";
    unsigned long long number;

    if (in->size < REPEATER_FIELD)
        return DIAL_NAME_WAITS;
    memcpy(field, bytes_first(in), REPEATER_FIELD);
    bytes_take(in, REPEATER_FIELD);
    if (dial_number(field, &number))
        d->target = target_hold(targets_find(d->by_name, number));
    return d->target ? DIAL_NAME_KNOWN : DIAL_NAME_UNKNOWN;
}

/* Begins to connect to the next address. The socket, and whether it is connected already. -1: none
 * can be tried any more, and `error` has the cause of the last one, if there was an attempt. */
static int dial_next(struct dial *d, bool *connected, int *error)
{
    int fd = d->target->connection;

    if (fd >= 0) {
        d->target->connection = -1;
        *connected = true;
        d->next++;
    }
    while (fd < 0 && d->next < d->target->count) {
        const struct sockaddr_storage *address = &d->target->at[d->next].address;

        fd = leg_connect((const struct sockaddr *)address, d->target->at[d->next].size, connected);
        if (fd < 0)
            *error = errno;
        d->next++;
    }
    return fd;
}

/* Whether the address that was tried last is this machine's. */
static bool dial_is_local(const struct dial *d)
{
    const struct sockaddr_storage *address = &d->target->at[d->next - 1].address;

    return address->ss_family == AF_UNIX || leg_is_loopback(address);
}

/* ---- arriving ---- */

void arrival_init(struct arrival *a, const struct arrival_host *host, struct target *target,
                  struct targets *by_name, tick_t greeting_ends)
{
    memset(a, 0, sizeof *a);
    a->host = *host;
    a->limit = a->greeting_ends = greeting_ends;
    a->step = ARRIVAL_NAMING;
    dial_init(&a->dial, target, by_name);
}

static void arrival_leave_turnstile(struct arrival *a)
{
    if (a->inside)
        turnstile_leave(a->host.turnstile, a->host.peer);
    a->inside = a->queues = false;
}

void arrival_deinit(struct arrival *a)
{
    arrival_leave_turnstile(a);
    dial_deinit(&a->dial);
}

static enum arrival_answer arrival_fail(struct arrival *a, const char *why)
{
    arrival_leave_turnstile(a);
    reason_set(&a->why, "%s", why);
    return ARRIVAL_FAILED;
}

/* ---- the server ---- */

static enum arrival_answer arrival_refuse(struct arrival *a, const char *why, tick_t now)
{
    if (!greeting_refuse(&a->host.x->down, why, now))
        return arrival_fail(a, "out of memory");
    return arrival_fail(a, why);
}

static enum arrival_answer arrival_no_server(struct arrival *a, int error, tick_t now)
{
    char why[200];

    snprintf(why, sizeof why, HANDSHAKE_NO_SERVER ": %s", strerror(error));
    return arrival_refuse(a, why, now);
}

/* VeNCrypt can be ended towards a server of this machine, or one whose certificate is known. */
static enum arrival_answer arrival_greet(struct arrival *a)
{
    struct target *t = a->dial.target;
    const struct vencrypt_plan plan = {.pinned = t->has_key,
                                       .certificate = a->host.certificate,
                                       .passes =
                                           a->host.identity && a->host.identity->anonymous_only,
                                       .known = &t->inside};
    bool ends = a->host.ends_tls && a->host.identity && (t->has_key || dial_is_local(&a->dial));

    a->step = ARRIVAL_GREETING;
    a->limit = a->greeting_ends;
    leg_tune_server(a->host.server->fd);
    if (!t->proven)
        greeting_begin(&a->greeting, ends ? &plan : NULL);
    else if (!greeting_begin_proven(&a->greeting, &a->host.x->down))
        return arrival_fail(a, "out of memory");
    return ARRIVAL_WAITS;
}

/* Tries the addresses that are left. `error`: why none was reached so far. */
static enum arrival_answer arrival_connect(struct arrival *a, int error, tick_t now)
{
    bool connected = false;
    int fd = dial_next(&a->dial, &connected, &error);

    side_init(a->host.server, fd);
    if (fd < 0)
        return arrival_no_server(a, error, now);
    a->step = ARRIVAL_CONNECTING;
    a->limit = now + ARRIVAL_CONNECT_LIMIT;
    return connected ? arrival_greet(a) : ARRIVAL_WAITS;
}

/* The attempt has failed for this cause of errno. */
static enum arrival_answer arrival_attempt_failed(struct arrival *a, int error, tick_t now)
{
    side_close(a->host.server);
    return arrival_connect(a, error, now);
}

static enum arrival_answer arrival_find_server(struct arrival *a, tick_t now)
{
    if (!a->dial.target && !a->asked) {
        a->asked = true;
        if (!greeting_ask_name(&a->host.x->down, now))
            return arrival_fail(a, "out of memory");
    }
    if (!a->dial.target)
        switch (dial_read_name(&a->dial, &a->host.x->up.in)) {
        case DIAL_NAME_WAITS:
            return ARRIVAL_WAITS;
        case DIAL_NAME_UNKNOWN:
            return arrival_refuse(a, "the accelerator knows no server with this ID", now);
        case DIAL_NAME_KNOWN:
            break;
        }
    return arrival_connect(a, EHOSTUNREACH, now);
}

/* ---- TLS ---- */

static bool arrival_shakes_client(const struct arrival *a)
{
    return a->shaking == a->host.client;
}

/* What was said before TLS has left. */
static bool arrival_may_shake(const struct arrival *a)
{
    return arrival_shakes_client(a) ? a->host.x->down.out.held.size == 0
                                    : a->host.x->up.out.size == 0;
}

static bool arrival_passes_turnstile(struct arrival *a)
{
    if (!arrival_shakes_client(a) || a->inside)
        return true;
    a->inside = turnstile_enter(a->host.turnstile, a->host.peer);
    a->queues = !a->inside;
    return a->inside;
}

static bool arrival_make_cipher(struct arrival *a, tick_t now, struct reason *why)
{
    const struct vencrypt *v = &a->greeting.vencrypt;
    const struct target *t = a->dial.target;
    struct exchange *x = a->host.x;
    int fd = a->shaking->fd;

    a->limit = tick_sooner(a->greeting_ends, now + ARRIVAL_TLS_LIMIT);
    a->shaking->cipher =
        arrival_shakes_client(a)
            ? cipher_serve(a->host.identity, fd, v->client->channel == CHANNEL_CERTIFICATE,
                           &x->up.in, why)
            : cipher_join(a->host.identity, fd, v->server->channel == CHANNEL_CERTIFICATE,
                          t->has_key ? t->key : NULL, &x->down.in, why);
    return a->shaking->cipher != NULL;
}

static enum arrival_answer arrival_shaken(struct arrival *a, tick_t now)
{
    arrival_leave_turnstile(a);
    a->shaking = NULL;
    a->step = ARRIVAL_GREETING;
    a->limit = a->greeting_ends;
    if (!greeting_tls_begun(&a->greeting, &a->host.x->down, now))
        return arrival_fail(a, "out of memory");
    return ARRIVAL_WAITS;
}

static enum arrival_answer arrival_shake(struct arrival *a, tick_t now)
{
    enum cipher_state state;
    struct reason why;

    if (!arrival_may_shake(a) || !arrival_passes_turnstile(a))
        return ARRIVAL_WAITS;
    if (!a->shaking->cipher && !arrival_make_cipher(a, now, &why))
        return arrival_fail(a, why.text);
    state = cipher_shake(a->shaking->cipher, &why);
    if (state == CIPHER_STANDS)
        return arrival_shaken(a, now);
    a->shaking->full = state == CIPHER_WRITES;
    if (state != CIPHER_FAILED)
        return ARRIVAL_WAITS;
    greeting_tls_failed(&a->greeting, &a->host.x->down, now);
    return arrival_fail(a, why.text);
}

/* ---- the handshake ---- */

static enum arrival_answer arrival_begin_tls(struct arrival *a, struct side *with)
{
    a->step = ARRIVAL_TLS;
    a->shaking = with;
    return ARRIVAL_WAITS;
}

static enum arrival_answer arrival_hear_greeting(struct arrival *a, tick_t now)
{
    struct exchange *x = a->host.x;

    switch (greeting_go_on(&a->greeting, &x->down, &x->up, now)) {
    case GREETING_WAITS:
        return ARRIVAL_WAITS;
    case GREETING_TLS_SERVER:
        return arrival_begin_tls(a, a->host.server);
    case GREETING_TLS_CLIENT:
        return arrival_begin_tls(a, a->host.client);
    case GREETING_DONE:
        return ARRIVAL_SESSION;
    case GREETING_PLAIN:
        return ARRIVAL_PLAIN;
    case GREETING_REFUSED:
        return ARRIVAL_REFUSED;
    case GREETING_FAILED:
        break;
    }
    return arrival_fail(a, greeting_why(&a->greeting));
}

/* ---- the interface ---- */

static enum arrival_answer arrival_take_step(struct arrival *a, tick_t now)
{
    switch (a->step) {
    case ARRIVAL_NAMING:
        return arrival_find_server(a, now);
    case ARRIVAL_CONNECTING:
        return ARRIVAL_WAITS;
    case ARRIVAL_GREETING:
        return arrival_hear_greeting(a, now);
    case ARRIVAL_TLS:
        return arrival_shake(a, now);
    }
    return ARRIVAL_WAITS;
}

enum arrival_answer arrival_go_on(struct arrival *a, tick_t now)
{
    enum arrival_answer answer;
    enum arrival_step before;

    do {
        before = a->step;
        answer = arrival_take_step(a, now);
    } while (answer == ARRIVAL_WAITS && a->step != before);
    return answer;
}

enum arrival_answer arrival_server_tells(struct arrival *a, tick_t now)
{
    int error = 0;
    socklen_t size = sizeof error;
    enum arrival_answer answer;

    if (a->step != ARRIVAL_CONNECTING)
        return ARRIVAL_WAITS;
    getsockopt(a->host.server->fd, SOL_SOCKET, SO_ERROR, &error, &size);
    answer = error == 0 ? arrival_greet(a) : arrival_attempt_failed(a, error, now);
    return answer == ARRIVAL_WAITS ? arrival_go_on(a, now) : answer;
}

enum arrival_answer arrival_is_late(struct arrival *a, tick_t now)
{
    if (a->step == ARRIVAL_CONNECTING)
        return arrival_attempt_failed(a, ETIMEDOUT, now);
    if (a->step == ARRIVAL_TLS)
        return arrival_fail(a, arrival_shakes_client(a)
                                   ? "the client did not finish its TLS handshake in time"
                                   : "the server did not finish its TLS handshake in time");
    return arrival_fail(a, "the handshake was not finished in time");
}

int arrival_wants_client(const struct arrival *a)
{
    return arrival_shakes_client(a) && !a->queues ? UV_READABLE : 0;
}

int arrival_wants_server(const struct arrival *a)
{
    if (a->step == ARRIVAL_CONNECTING)
        return UV_WRITABLE;
    return a->shaking && !arrival_shakes_client(a) ? UV_READABLE : 0;
}

bool arrival_reads_client(const struct arrival *a)
{
    return a->shaking != a->host.client;
}

bool arrival_reads_server(const struct arrival *a)
{
    return a->step >= ARRIVAL_GREETING && a->shaking != a->host.server;
}

tick_t arrival_look_again(const struct arrival *a, tick_t now)
{
    return a->queues ? now + TURNSTILE_AGAIN : TICK_NEVER;
}

bool arrival_can_begin_tls(const struct arrival *a)
{
    return a->shaking && !a->shaking->cipher && !a->queues && arrival_may_shake(a);
}

const char *arrival_why_plain(const struct arrival *a)
{
    const struct handshake_framing *h = &a->greeting.framing;

    if (h->security != SECURITY_VENCRYPT || h->ends_vencrypt)
        return greeting_why(&a->greeting);
    if (!a->host.ends_tls)
        return "TLS is passed on: security = pass";
    if (!a->host.identity)
        return "TLS is passed on: there is no key for it here, see event=no-identity";
    return "TLS is passed on: the server is on another machine, and has no server-key";
}
