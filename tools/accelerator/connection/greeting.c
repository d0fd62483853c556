#include "tools/accelerator/connection/greeting.h"

#include <string.h>

#include "rfb/proto/bytes.h"

/* In the place of a server that we have proved ourselves to: version and type. */
#define GREETING_ANSWERED (12 + 1)

/* ---- in the place of a server ---- */

static bool greeting_say(struct down *d, const void *bytes, size_t size, tick_t now)
{
    return down_take(d, bytes, size, now) != DOWN_NO_MEMORY;
}

bool greeting_ask_name(struct down *d, tick_t now)
{
    return greeting_say(d, "RFB 000.000\n", 12, now);
}

/* As a server of RFB 3.3 says it. */
bool greeting_refuse(struct down *d, const char *why, tick_t now)
{
    uint8_t head[8];

    put32(put32(head, 0), (uint32_t)strlen(why));
    return greeting_say(d, "RFB 003.003\n", 12, now) && greeting_say(d, head, sizeof head, now) &&
           greeting_say(d, why, strlen(why), now);
}

/* ---- the handshake ---- */

void greeting_begin(struct greeting *g, const struct vencrypt_plan *plan)
{
    *g = (struct greeting){0};
    handshake_framing_begin(&g->framing);
    if (!plan)
        return;
    g->plan = *plan;
    g->framing.ends_vencrypt = true;
    g->framing.holds_list = plan->certificate && !plan->pinned && !plan->passes;
}

/* "RFB 003.008", one type, and that all is well; the client says its version and the type. */
bool greeting_begin_proven(struct greeting *g, struct down *d)
{
    static const uint8_t said[] = {'R', 'F', 'B',  ' ', '0',           '0', '3', '.', '0',
                                   '0', '8', '\n', 1,   SECURITY_NONE, 0,   0,   0,   0};

    greeting_begin(g, NULL);
    g->proven = true;
    g->answered = GREETING_ANSWERED;
    return bytes_append(&d->in, said, sizeof said);
}

static enum greeting_answer greeting_fails(struct greeting *g, const char *why)
{
    reason_set(&g->framing.why, "%s", why);
    return GREETING_FAILED;
}

static enum greeting_answer greeting_waits(struct greeting *g, const struct down *d)
{
    if (d->in.size <= UP_MOST)
        return GREETING_WAITS;
    return greeting_fails(g, "the server says too much before its client has answered");
}

/* Returns how many bytes have been passed on; `room` becomes false when out of memory. */
static size_t greeting_hear_server(struct greeting *g, struct down *d, tick_t now, bool *room)
{
    size_t taken = handshake_framing_server(&g->framing, bytes_first(&d->in), d->in.size);

    *room = *room && down_pass(d, taken, now) != DOWN_NO_MEMORY;
    return taken;
}

static size_t greeting_hear_client(struct greeting *g, struct up *u, bool *room)
{
    size_t taken = handshake_framing_client(&g->framing, bytes_first(&u->in), u->in.size);
    size_t kept = g->framing.state == HANDSHAKE_VENCRYPT ? 1 : 0; /* the choice of VeNCrypt */
    size_t answered = taken < g->answered ? taken : g->answered;

    bytes_take(&u->in, answered);
    g->answered -= answered;
    *room = *room && up_pass(u, taken - answered - kept);
    bytes_take(&u->in, kept);
    return taken;
}

/* Whether VeNCrypt, which this list does not have, can be ended in front of one of its types. */
static bool greeting_can_add(const uint8_t *types, size_t count)
{
    return count <= HANDSHAKE_TYPES_MAX && !memchr(types, SECURITY_VENCRYPT, count) &&
           (memchr(types, SECURITY_NONE, count) || memchr(types, SECURITY_VNC, count));
}

/* Shows the server's list to the client, and VeNCrypt in front of it where that is added: many
 * viewers take the first type that they know. False: not all of it has come. */
static bool greeting_show_list(struct greeting *g, struct down *d, tick_t now, bool *room)
{
    const uint8_t *list = bytes_first(&d->in);
    size_t count = d->in.size > 0 ? list[0] : 0;
    uint8_t head[2] = {(uint8_t)count, SECURITY_VENCRYPT};

    if (d->in.size < 1 + count)
        return false;
    g->adds = greeting_can_add(list + 1, count);
    if (g->adds)
        head[0]++;
    *room = greeting_say(d, head, g->adds ? 2 : 1, now) && greeting_say(d, list + 1, count, now);
    handshake_framing_list(&g->framing, list, 1 + count);
    bytes_take(&d->in, 1 + count);
    return true;
}

/* It was offered RFB 3.8 with None alone. */
static bool greeting_strays(const struct greeting *g)
{
    const struct handshake_framing *h = &g->framing;

    return g->proven &&
           ((h->minor != 0 && h->minor != 8) || (h->security != 0 && h->security != SECURITY_NONE));
}

static bool greeting_server_has(const struct greeting *g, uint8_t type)
{
    return memchr(g->framing.types, type, g->framing.types_count) != NULL;
}

/* The server's list has come, and does not have what its administrator knows of it. */
static bool greeting_has_lost_tls(const struct greeting *g)
{
    return g->plan.pinned && g->framing.types_count > 0 && g->framing.types_left == 0 &&
           !greeting_server_has(g, SECURITY_VENCRYPT);
}

static bool greeting_take_over(struct greeting *g)
{
    g->between = g->adds || greeting_server_has(g, SECURITY_VENCRYPT);
    vencrypt_begin(&g->vencrypt, &g->plan, g->framing.types, g->framing.types_count);
    return g->between;
}

/* VeNCrypt is over: the proof is passed on, as without it. A password that stands in it is kept
 * nowhere. */
static bool greeting_hand_over(struct greeting *g, struct up *u)
{
    uint32_t proof = vencrypt_proof(&g->vencrypt);
    bool secret = proof == VENCRYPT_PLAIN;

    g->between = false;
    handshake_framing_resume(&g->framing, proof);
    return bytes_set_secret(&u->in, secret) && bytes_set_secret(&u->out, secret);
}

/* Whether more may be heard then. */
static bool greeting_hear_both(struct greeting *g, struct down *d, struct up *u, tick_t now,
                               bool *room)
{
    const struct handshake_framing *h = &g->framing;
    size_t heard;

    if (h->state == HANDSHAKE_LIST)
        return greeting_show_list(g, d, now, room);
    if (h->state != HANDSHAKE_GOES_ON)
        return false;
    heard = greeting_hear_server(g, d, now, room) + greeting_hear_client(g, u, room);
    return heard > 0 || h->state == HANDSHAKE_LIST;
}

static enum greeting_answer greeting_pass(struct greeting *g, struct down *d, struct up *u,
                                          tick_t now)
{
    const struct handshake_framing *h = &g->framing;
    bool room = true;

    while (room && greeting_hear_both(g, d, u, now, &room))
        ;
    if (!room)
        return greeting_fails(g, "out of memory");
    if (greeting_strays(g))
        return greeting_fails(g, "the client wants what it was not offered");
    if (greeting_has_lost_tls(g))
        return greeting_fails(g, "the server has lost its TLS, which server-key asks for");
    switch (h->state) {
    case HANDSHAKE_GOES_ON:
    case HANDSHAKE_LIST:
        return greeting_waits(g, d);
    case HANDSHAKE_VENCRYPT:
        return greeting_take_over(g)
                   ? GREETING_WAITS
                   : greeting_fails(g, "the client wants VeNCrypt, which the server does not have");
    case HANDSHAKE_DONE:
        return GREETING_DONE;
    case HANDSHAKE_PLAIN:
        return GREETING_PLAIN;
    case HANDSHAKE_FAILED:
        return h->refused ? GREETING_REFUSED : GREETING_FAILED;
    }
    return GREETING_FAILED;
}

static enum greeting_answer greeting_stand_between(struct greeting *g, struct down *d, struct up *u,
                                                   tick_t now)
{
    switch (vencrypt_go_on(&g->vencrypt, d, u, now)) {
    case VENCRYPT_WAITS:
        return greeting_waits(g, d);
    case VENCRYPT_TLS_SERVER:
        return GREETING_TLS_SERVER;
    case VENCRYPT_TLS_CLIENT:
        return GREETING_TLS_CLIENT;
    case VENCRYPT_PASSES:
        g->between = false;
        reason_set(&g->framing.why, "TLS with the server's own certificate is passed on");
        return GREETING_PLAIN;
    case VENCRYPT_FAILED:
        return greeting_fails(g, g->vencrypt.why.text);
    case VENCRYPT_DONE:
        break;
    }
    if (!greeting_hand_over(g, u))
        return greeting_fails(g, "out of memory");
    return greeting_pass(g, d, u, now);
}

enum greeting_answer greeting_go_on(struct greeting *g, struct down *d, struct up *u, tick_t now)
{
    enum greeting_answer answer = g->between ? GREETING_WAITS : greeting_pass(g, d, u, now);

    if (answer == GREETING_WAITS && g->between)
        answer = greeting_stand_between(g, d, u, now);
    if (answer == GREETING_DONE &&
        !(bytes_set_secret(&u->in, false) && bytes_set_secret(&u->out, false)))
        return greeting_fails(g, "out of memory");
    return answer;
}

bool greeting_tls_begun(struct greeting *g, struct down *d, tick_t now)
{
    return vencrypt_tls_begun(&g->vencrypt, d, now);
}

void greeting_tls_failed(struct greeting *g, struct down *d, tick_t now)
{
    vencrypt_tls_failed(&g->vencrypt, d, now);
}

bool greeting_passes(const struct greeting *g)
{
    return !g->between;
}

const char *greeting_why(const struct greeting *g)
{
    return handshake_framing_why(&g->framing);
}

/* ---- a plain pipe ---- */

static bool greeting_piped_enough(const struct greeting *g)
{
    return g->piped_down >= GREETING_PIPED_LEAST_EACH && g->piped_up >= GREETING_PIPED_LEAST_EACH &&
           g->piped_down + g->piped_up >= GREETING_PIPED_LEAST;
}

bool greeting_piped(struct greeting *g, size_t *way, size_t size)
{
    if (g->framing.refused || greeting_piped_enough(g))
        return false;
    *way += size;
    return greeting_piped_enough(g);
}
