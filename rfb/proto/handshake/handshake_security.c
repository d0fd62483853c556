#include "rfb/proto/handshake/handshake_security.h"

#include "rfb/proto/bytes.h"
#include "rfb/system/clock.h"

/* A server that is ready for TLS has the ClientHello, if it keeps what comes early. Until then as
 * much time has passed as a round trip and its work take. So often it is waited for once more, and
 * so much longer, ns. Chosen: a lost packet, or a slow machine that signs. */
#define HELLO_ROUND_TRIPS 4
#define HELLO_PATIENCE    TICK_S

/* A list of types, one byte each, as RFB 3.7 has it. An empty one is a refusal. */
static bool get_types(struct talk *t, uint32_t *types, size_t *count)
{
    uint8_t length, bytes[SECURITY_TYPES_MAX];

    if (!talk_get(t, &length, 1))
        return false;
    if (length == 0)
        return talk_refused(t, "the server refused the connection");
    if (!talk_get(t, bytes, length))
        return false;
    for (size_t i = 0; i < length; i++)
        types[i] = bytes[i];
    *count = length;
    return true;
}

static const struct security *agreement_choose(struct agreement *a, enum security_number type,
                                               const uint32_t *offered, size_t count)
{
    const struct security_terms *terms = a->terms;
    const struct security *s = security_choose(terms->allowed, type, offered, count);

    if (!s) {
        a->talk->failure = terms->certified_before ? FAILURE_TRUST : FAILURE_SECURITY;
        security_refuse(terms->allowed, terms->certified_before, offered, count, a->talk->why);
    }
    return s;
}

static bool create_tls(struct agreement *a, bool certificate)
{
    struct tls_options options = a->terms->tls;
    struct talk *t = a->talk;

    options.certificate = certificate;
    a->tls = tls_create(&options, t->why);
    if (!a->tls)
        t->failure = t->why->kind;
    return a->tls;
}

static bool start_tls(struct agreement *a, bool certificate)
{
    struct talk *t = a->talk;
    const uint8_t *hello;
    size_t size;

    if (!a->tls && !create_tls(a, certificate))
        return false;
    size = tls_hello(a->tls, &hello);
    if (!talk_put(t, hello, size))
        return false;
    if (a->hello_early)
        tls_answer_until(a->tls, tick_now() + HELLO_PATIENCE +
                                     HELLO_ROUND_TRIPS * (tick_now() - t->early_at));
    if (!stream_lay(t->stream, tls_begin, a->tls, t->why))
        return false;
    a->tls = NULL;
    if (certificate && a->terms->certified)
        a->terms->certified(a->terms->tls.user);
    early_encrypted(&t->early);
    return talk_put_early(t);
}

/* What VeNCrypt holds is known only once it has been chosen, and then there is no way back. So the
 * connection ends where something better, or the only thing allowed, stands beside it. */
static bool better_inside(struct agreement *a, const struct security *inside)
{
    const struct security *beside =
        security_choose(a->terms->allowed, 0, a->others, a->others_count);

    bool bare = inside && inside->channel == CHANNEL_CLEAR && inside->proof == PROOF_PLAIN;

    if (inside && (!beside || (!bare && inside->channel >= beside->channel)))
        return true;
    if (!beside)
        return false;
    a->beside = beside;
    a->talk->failure = FAILURE_SECURITY;
    return reason_set(a->talk->why,
                      "the server has %s beside VeNCrypt, and inside it %s: to take it, connect "
                      "with --security-types %s",
                      beside->name, inside ? "weaker types" : "none that is allowed", beside->name);
}

/* Version 0.2 of VeNCrypt: a list of subtypes; those with TLS are confirmed by one byte. */
static const struct security *enter_vencrypt(struct agreement *a)
{
    static const uint8_t version[] = {0, 2};
    struct talk *t = a->talk;
    uint8_t theirs[2], answer, count, bytes[SECURITY_TYPES_MAX * 4];
    uint32_t subtypes[SECURITY_TYPES_MAX];
    const struct security *s;

    if (!talk_get(t, theirs, sizeof theirs) || !talk_put(t, version, sizeof version) ||
        !talk_get(t, &answer, 1))
        return NULL;
    if (answer != 0) {
        reason_set(t->why, "the server has VeNCrypt %d.%d: this client has 0.2", theirs[0],
                   theirs[1]);
        return NULL;
    }
    if (!talk_get(t, &count, 1) || !talk_get(t, bytes, (size_t)count * 4))
        return NULL;
    for (size_t i = 0; i < count; i++)
        subtypes[i] = get32(bytes + 4 * i);
    s = agreement_choose(a, SECURITY_VENCRYPT, subtypes, count);
    if (!better_inside(a, s) || !talk_put_number(t, s->subtype))
        return NULL;
    if (s->channel == CHANNEL_CLEAR)
        return s;
    if (!talk_get(t, &answer, 1))
        return NULL;
    if (answer != 1) {
        reason_set(t->why, "the server cannot begin TLS for %s", s->name);
        return NULL;
    }
    return start_tls(a, s->channel == CHANNEL_CERTIFICATE) ? s : NULL;
}

static const struct security *enter_rsa(struct agreement *a, const struct security *s)
{
    const struct tls_options *tls = &a->terms->tls;
    const struct rsa_terms terms = {
        .host = tls->host, .fingerprint = tls->fingerprint, .trust = tls->trust, .user = tls->user};

    if (!rsa_entry_reach(&a->rsa, a->talk, s, &terms))
        return NULL;
    if (s->channel == CHANNEL_KEY && a->terms->certified)
        a->terms->certified(tls->user);
    return s;
}

/* Anonymous TLS (type 18), then types as at the beginning. */
static const struct security *enter_tls(struct agreement *a)
{
    struct talk *t = a->talk;
    uint32_t types[SECURITY_TYPES_MAX];
    const struct security *s;
    size_t count = 0;
    uint8_t chosen;

    if (!start_tls(a, false) || !get_types(t, types, &count) ||
        !(s = agreement_choose(a, SECURITY_TLS, types, count)))
        return NULL;
    chosen = (uint8_t)s->subtype;
    return talk_put(t, &chosen, 1) ? s : NULL;
}

/* RFB 3.3: the server has chosen. */
static const struct security *accept_type(struct agreement *a)
{
    struct talk *t = a->talk;
    uint32_t type;

    if (!talk_get_number(t, &type))
        return NULL;
    if (type == SECURITY_FAILED) {
        talk_refused(t, "the server refused the connection");
        return NULL;
    }
    if (type != SECURITY_NONE && type != SECURITY_VNC) {
        t->failure = FAILURE_SECURITY;
        reason_set(t->why, "the server insists on security type %u, which this client lacks", type);
        return NULL;
    }
    return agreement_choose(a, 0, &type, 1);
}

static const struct security *choose_type(struct agreement *a)
{
    struct talk *t = a->talk;
    uint32_t types[SECURITY_TYPES_MAX];
    const struct security *s;
    size_t count = 0;
    uint8_t chosen;

    if (!get_types(t, types, &count) || !(s = agreement_choose(a, 0, types, count)))
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (types[i] != SECURITY_VENCRYPT)
            a->others[a->others_count++] = types[i];
    chosen = (uint8_t)s->type;
    if (!talk_put(t, &chosen, 1))
        return NULL;
    return s->type == SECURITY_VENCRYPT          ? enter_vencrypt(a)
           : s->type == SECURITY_TLS             ? enter_tls(a)
           : security_channel_is_rsa(s->channel) ? enter_rsa(a, s)
                                                 : s;
}

bool agreement_prepare(struct agreement *a)
{
    const struct early_plan *plan = a->talk->early.plan;
    const uint8_t *hello;
    size_t size;

    if (!early_wants_hello(plan))
        return true;
    if (!create_tls(a, plan->way->channel == CHANNEL_CERTIFICATE))
        return false;
    size = tls_hello(a->tls, &hello);
    early_add_hello(&a->talk->early, hello, size);
    stream_read_singly(a->talk->stream);
    a->hello_early = true;
    return true;
}

const struct security *agreement_reach(struct agreement *a)
{
    return a->talk->minor == 3 ? accept_type(a) : choose_type(a);
}

void agreement_deinit(struct agreement *a)
{
    tls_destroy(a->tls);
    a->tls = NULL;
}
