#include "rfb/net/tls.h"
#include "rfb/proto/bytes.h"
#include "rfb/proto/handshake_talk.h"

/* A list of types, one byte each, as RFB 3.7 has it. An empty one is a refusal. */
static bool get_types(struct talk *t, uint32_t *types, size_t *count)
{
    uint8_t length, bytes[TYPES_MAX];

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

static const struct security *choose(struct talk *t, enum security_number type,
                                     const uint32_t *offered, size_t count)
{
    const struct security *s = security_choose(t->options->allowed, type, offered, count);

    if (!s) {
        t->failure = t->options->had_certificate ? FAILURE_TRUST : FAILURE_SECURITY;
        security_refuse(t->options->allowed, t->options->had_certificate, offered, count, t->why);
    }
    return s;
}

static bool start_tls(struct talk *t, bool certificate)
{
    struct tls_options tls = {.certificate = certificate,
                              .host = t->options->host,
                              .ca_file = t->options->x509_ca,
                              .also_file = t->options->x509_also,
                              .crl_file = t->options->x509_crl,
                              .fingerprint = t->options->fingerprint,
                              .trust = t->options->trust,
                              .user = t->options->user};

    return stream_lay(t->stream, tls_begin, &tls, t->why);
}

/* What VeNCrypt holds is known only once it has been chosen, and then there is no way back. So the
 * connection ends where something better, or the only thing allowed, stands beside it. */
static bool better_inside(struct talk *t, const struct security *inside)
{
    const struct security *beside =
        security_choose(t->options->allowed, 0, t->others, t->others_count);

    if (inside && (!beside || inside->channel >= beside->channel))
        return true;
    if (!beside)
        return false;
    t->failure = FAILURE_SECURITY;
    return reason_set(t->why,
                      "the server has %s beside VeNCrypt, and inside it %s: to take it, connect "
                      "with --security-types %s",
                      beside->name, inside ? "weaker types" : "none that is allowed", beside->name);
}

/* Version 0.2 of VeNCrypt: a list of subtypes; those with TLS are confirmed by one byte. */
static const struct security *enter_vencrypt(struct talk *t)
{
    static const uint8_t version[] = {0, 2};
    uint8_t theirs[2], answer, count, bytes[TYPES_MAX * 4];
    uint32_t subtypes[TYPES_MAX];
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
    s = choose(t, SECURITY_VENCRYPT, subtypes, count);
    if (!better_inside(t, s) || !talk_put_number(t, s->subtype))
        return NULL;
    if (s->channel == CHANNEL_CLEAR)
        return s;
    if (!talk_get(t, &answer, 1))
        return NULL;
    if (answer != 1) {
        reason_set(t->why, "the server cannot begin TLS for %s", s->name);
        return NULL;
    }
    return start_tls(t, s->channel == CHANNEL_CERTIFICATE) ? s : NULL;
}

/* Anonymous TLS (type 18), then types as at the beginning. */
static const struct security *enter_tls(struct talk *t)
{
    uint32_t types[TYPES_MAX];
    const struct security *s;
    size_t count = 0;
    uint8_t chosen;

    if (!start_tls(t, false) || !get_types(t, types, &count) ||
        !(s = choose(t, SECURITY_TLS, types, count)))
        return NULL;
    chosen = (uint8_t)s->subtype;
    return talk_put(t, &chosen, 1) ? s : NULL;
}

const struct security *talk_choose_security(struct talk *t)
{
    uint32_t types[TYPES_MAX];
    const struct security *s;
    size_t count = 1;
    uint8_t chosen;

    if (t->minor == 3) { /* the server has chosen */
        if (!talk_get_number(t, &types[0]))
            return NULL;
        if (types[0] == SECURITY_FAILED) {
            talk_refused(t, "the server refused the connection");
            return NULL;
        }
        if (types[0] != SECURITY_NONE && types[0] != SECURITY_VNC) {
            t->failure = FAILURE_SECURITY;
            reason_set(t->why, "the server insists on security type %u, which this client lacks",
                       types[0]);
            return NULL;
        }
        return choose(t, 0, types, 1);
    }
    if (!get_types(t, types, &count) || !(s = choose(t, 0, types, count)))
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (types[i] != SECURITY_VENCRYPT)
            t->others[t->others_count++] = types[i];
    chosen = (uint8_t)s->type;
    if (!talk_put(t, &chosen, 1))
        return NULL;
    return s->type == SECURITY_VENCRYPT ? enter_vencrypt(t)
           : s->type == SECURITY_TLS    ? enter_tls(t)
                                        : s;
}
