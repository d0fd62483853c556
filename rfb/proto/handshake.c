#include "rfb/proto/handshake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prerequest/tick.h"
#include "rfb/clock.h"
#include "rfb/log.h"
#include "rfb/proto/bytes.h"
#include "rfb/proto/vncauth.h"
#include "rfb/secret.h"

#define GREETING_BYTES   12
#define TYPES_MAX        255 /* a byte counts them */
#define NAME_MAX_BYTES   (1u << 20)
#define REASON_MAX_BYTES 300u

struct talk {
    struct stream *stream;
    const struct handshake_options *options;
    struct reason *why;
    enum failure failure; /* FAILURE_NONE: the stream's, or that of the protocol */
    int minor;            /* of the version spoken: 3, 7 or 8 */
    bool asked;           /* for a password */
    bool written;         /* since the last read: the next one takes a round trip */
    struct early early;   /* what was said before it was asked for */
    tick_t early_at;      /* when the newest of it was; TICK_NEVER: never */
    int round_trips;
    tick_t prompt_time;         /* spent in the credentials callback */
    uint32_t others[TYPES_MAX]; /* types that the server offers beside VeNCrypt */
    size_t others_count;
};

static bool closed(struct talk *t)
{
    return reason_set(t->why, "the server closed the connection during the handshake");
}

static bool get(struct talk *t, void *out, size_t size)
{
    t->round_trips += t->written;
    t->written = false;
    return stream_read(t->stream, out, size, t->why) ||
           (stream_ended(t->stream) ? closed(t) : false);
}

static bool put(struct talk *t, const void *bytes, size_t size)
{
    switch (early_due(&t->early, bytes, size)) {
    case EARLY_SAME:
        return true;
    case EARLY_OTHER:
        return reason_set(t->why, "the server does not take what it took before");
    case EARLY_NOT:
        break;
    }
    t->written = true;
    return stream_write(t->stream, bytes, size) || closed(t);
}

/* Writes what is to be said early. */
static bool put_early(struct talk *t)
{
    if (t->early.size == 0)
        return true;
    t->written = true;
    t->early_at = tick_now();
    return stream_write(t->stream, t->early.bytes, t->early.size) || closed(t);
}

static bool get_number(struct talk *t, uint32_t *out)
{
    uint8_t b[4];

    if (!get(t, b, sizeof b))
        return false;
    *out = get32(b);
    return true;
}

static bool put_number(struct talk *t, uint32_t v)
{
    uint8_t b[4];

    put32(b, v);
    return put(t, b, sizeof b);
}

/* The server says why it does not go on: `what`, and its text. */
static bool refused(struct talk *t, const char *what)
{
    char text[REASON_MAX_BYTES + 1] = "";
    uint32_t length;

    /* some close without a word */
    if (!get_number(t, &length) ||
        !get(t, text, length < REASON_MAX_BYTES ? length : REASON_MAX_BYTES))
        text[0] = '\0';
    t->failure = t->asked ? FAILURE_AUTHENTICATION : FAILURE_REFUSED;
    return reason_set(t->why, "%s%s%s", what, *text ? ": " : "", text);
}

/* ---- version ---- */

bool handshake_is_33(const char *greeting)
{
    int major = 0, minor = 0;

    sscanf(greeting, "RFB %3d.%3d", &major, &minor);
    if (major != 3)
        return major < 3;
    return minor < 7 || minor == 14 || minor == 16; /* UltraVNC's Single Click numbers */
}

static bool agree_on_version(struct talk *t)
{
    char greeting[GREETING_BYTES + 1] = "", answer[GREETING_BYTES + 1];
    int minor;

    if (!get(t, greeting, GREETING_BYTES))
        return false;
    if (sscanf(greeting, "RFB %*3d.%3d", &minor) != 1)
        return reason_set(t->why, "not a VNC server: it greets with '%s'", greeting);
    t->minor = handshake_is_33(greeting) ? 3 : strncmp(greeting, "RFB 003.007", 11) == 0 ? 7 : 8;
    snprintf(answer, sizeof answer, "RFB 003.%03d\n", t->minor);
    return put(t, answer, GREETING_BYTES);
}

/* ---- security types ---- */

/* A list of types, one byte each, as RFB 3.7 has it. An empty one is a refusal. */
static bool get_types(struct talk *t, uint32_t *types, size_t *count)
{
    uint8_t length, bytes[TYPES_MAX];

    if (!get(t, &length, 1))
        return false;
    if (length == 0)
        return refused(t, "the server refused the connection");
    if (!get(t, bytes, length))
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
                              .crl_file = t->options->x509_crl,
                              .fingerprint = t->options->fingerprint,
                              .trust = t->options->trust,
                              .user = t->options->user};

    return stream_start_tls(t->stream, &tls, t->why);
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

    if (!get(t, theirs, sizeof theirs) || !put(t, version, sizeof version) || !get(t, &answer, 1))
        return NULL;
    if (answer != 0) {
        reason_set(t->why, "the server has VeNCrypt %d.%d: this client has 0.2", theirs[0],
                   theirs[1]);
        return NULL;
    }
    if (!get(t, &count, 1) || !get(t, bytes, (size_t)count * 4))
        return NULL;
    for (size_t i = 0; i < count; i++)
        subtypes[i] = get32(bytes + 4 * i);
    s = choose(t, SECURITY_VENCRYPT, subtypes, count);
    if (!better_inside(t, s) || !put_number(t, s->subtype))
        return NULL;
    if (s->channel == CHANNEL_CLEAR)
        return s;
    if (!get(t, &answer, 1))
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
    size_t count;
    uint8_t chosen;

    if (!start_tls(t, false) || !get_types(t, types, &count) ||
        !(s = choose(t, SECURITY_TLS, types, count)))
        return NULL;
    chosen = (uint8_t)s->subtype;
    return put(t, &chosen, 1) ? s : NULL;
}

static const struct security *choose_security(struct talk *t)
{
    uint32_t types[TYPES_MAX];
    const struct security *s;
    size_t count = 1;
    uint8_t chosen;

    if (t->minor == 3) { /* the server has chosen */
        if (!get_number(t, &types[0]))
            return NULL;
        if (types[0] == SECURITY_FAILED) {
            refused(t, "the server refused the connection");
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
    if (!put(t, &chosen, 1))
        return NULL;
    return s->type == SECURITY_VENCRYPT ? enter_vencrypt(t)
           : s->type == SECURITY_TLS    ? enter_tls(t)
                                        : s;
}

/* ---- proof ---- */

static bool ask(struct talk *t, bool want_user, enum security_channel channel, char **name,
                char **password)
{
    tick_t start = tick_now();
    bool ok = t->options->credentials(t->options->user, want_user, channel, name, password, t->why);

    t->prompt_time += tick_now() - start;
    t->asked = true;
    ok =
        ok && (**password || reason_set(t->why, "the password is empty, and the server wants one"));
    if (!ok)
        t->failure = FAILURE_AUTHENTICATION;
    return ok;
}

/* The proof, and ClientInit and more with it where the server took that before. */
static bool put_proof(struct talk *t, const void *proof, size_t size)
{
    const struct handshake_options *o = t->options;

    if (t->early_at != TICK_NEVER) {
        early_prove(&t->early, &o->early, o->shared, proof, size);
        if (!put_early(t))
            return false;
    }
    return put(t, proof, size);
}

static bool prove_by_vnc(struct talk *t, enum security_channel channel)
{
    uint8_t challenge[VNCAUTH_CHALLENGE];
    char *name = NULL, *password = NULL;
    bool ok = get(t, challenge, sizeof challenge) && ask(t, false, channel, &name, &password);

    if (ok)
        vncauth_answer(challenge, password);
    secret_free(password);
    free(name);
    return ok && put_proof(t, challenge, sizeof challenge);
}

static bool prove_by_password(struct talk *t, enum security_channel channel)
{
    char *name = NULL, *password = NULL;
    bool ok = ask(t, true, channel, &name, &password);
    uint8_t lengths[8];

    if (ok) {
        put32(lengths, (uint32_t)strlen(name));
        put32(lengths + 4, (uint32_t)strlen(password));
        ok = put(t, lengths, sizeof lengths) && put(t, name, strlen(name)) &&
             put(t, password, strlen(password));
    }
    secret_free(password);
    free(name);
    return ok;
}

/* RFB 3.8 confirms every type, the older ones only those with a proof. */
static bool await_result(struct talk *t, const struct security *s)
{
    uint32_t result;

    if (s->proof == PROOF_NONE && t->minor < 8)
        return true;
    if (!get_number(t, &result))
        return false;
    if (result == 0)
        return true;
    if (t->minor < 8) {
        t->failure = FAILURE_AUTHENTICATION;
        return reason_set(t->why, "the server refused the password");
    }
    return refused(t, t->asked ? "the server refused the password"
                               : "the server refused the connection");
}

static bool prove(struct talk *t, const struct security *s)
{
    switch (s->proof) {
    case PROOF_VNC:
        return prove_by_vnc(t, s->channel);
    case PROOF_PLAIN:
        return prove_by_password(t, s->channel);
    case PROOF_NONE:
        break;
    }
    return true;
}

/* ---- initialisation ---- */

static bool get_server_init(struct talk *t, struct server_init *init)
{
    uint8_t head[20];
    uint32_t length;

    if (!get(t, head, sizeof head) || !get_number(t, &length))
        return false;
    if (length > NAME_MAX_BYTES)
        return reason_set(t->why, "the server's desktop name is %u bytes long", length);
    if (!(init->name = malloc(length + 1)))
        return reason_set(t->why, "out of memory");
    init->width = (int)get16(head);
    init->height = (int)get16(head + 2);
    memcpy(init->format, head + 4, sizeof init->format);
    init->name[length] = '\0';
    if (get(t, init->name, length))
        return true;
    free(init->name);
    init->name = NULL;
    return false;
}

static enum failure failure_of(const struct talk *t)
{
    if (t->failure == FAILURE_NONE)
        return stream_failure(t->stream) ? stream_failure(t->stream) : FAILURE_PROTOCOL;
    return t->failure;
}

static bool talk(struct talk *t, struct server_init *init)
{
    uint8_t client_init = t->options->shared;
    tick_t start;

    early_begin(&t->early, &t->options->early, t->options->shared);
    if (!put_early(t))
        return false;
    start = tick_now();
    if (!agree_on_version(t))
        return false;
    if (t->early_at == TICK_NEVER) /* the greeting comes by itself */
        start = tick_now();
    if (!(init->security = choose_security(t)))
        return false;
    if (t->early_at != TICK_NEVER && init->security->type != t->options->early.security)
        return reason_set(t->why, "the server does not take what it took before");
    log_debug("security type: %s", init->security->name);
    if (!prove(t, init->security) || !await_result(t, init->security) || !put(t, &client_init, 1) ||
        !get_server_init(t, init))
        return false;
    init->minor = t->minor;
    if (early_is_ahead(&t->early, &t->options->early))
        init->ahead_at = t->early_at;
    if (init->security->channel == CHANNEL_CLEAR && init->security->proof != PROOF_PLAIN)
        init->rtt_ms = tick_to_ms(tick_now() - start - t->prompt_time) / t->round_trips;
    return true;
}

bool handshake(struct stream *stream, const struct handshake_options *options,
               struct server_init *init, struct reason *why)
{
    struct talk t = {.stream = stream, .options = options, .why = why, .early_at = TICK_NEVER};

    *init = (struct server_init){.ahead_at = TICK_NEVER};
    if (talk(&t, init))
        return true;
    init->failure = failure_of(&t);
    init->surprised = t.early_at != TICK_NEVER && init->failure != FAILURE_AUTHENTICATION;
    return false;
}
