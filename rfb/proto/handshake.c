#include "rfb/proto/handshake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prerequest/tick.h"
#include "rfb/clock.h"
#include "rfb/log.h"
#include "rfb/proto/bytes.h"
#include "rfb/proto/handshake_talk.h"
#include "rfb/proto/vncauth.h"
#include "rfb/secret.h"

#define GREETING_BYTES   12
#define NAME_MAX_BYTES   (1u << 20)
#define REASON_MAX_BYTES 300u

static bool closed(struct talk *t)
{
    return reason_set(t->why, "the server closed the connection during the handshake");
}

bool talk_get(struct talk *t, void *out, size_t size)
{
    t->round_trips += t->written;
    t->written = false;
    return stream_read(t->stream, out, size, t->why) ||
           (stream_ended(t->stream) ? closed(t) : false);
}

bool talk_put(struct talk *t, const void *bytes, size_t size)
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

bool talk_get_number(struct talk *t, uint32_t *out)
{
    uint8_t b[4];

    if (!talk_get(t, b, sizeof b))
        return false;
    *out = get32(b);
    return true;
}

bool talk_put_number(struct talk *t, uint32_t v)
{
    uint8_t b[4];

    put32(b, v);
    return talk_put(t, b, sizeof b);
}

bool talk_refused(struct talk *t, const char *what)
{
    char text[REASON_MAX_BYTES + 1] = "";
    uint32_t length;

    /* some close without a word */
    if (!talk_get_number(t, &length) ||
        !talk_get(t, text, length < REASON_MAX_BYTES ? length : REASON_MAX_BYTES))
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

    if (!talk_get(t, greeting, GREETING_BYTES))
        return false;
    if (sscanf(greeting, "RFB %*3d.%3d", &minor) != 1)
        return reason_set(t->why, "not a VNC server: it greets with '%s'", greeting);
    t->minor = handshake_is_33(greeting) ? 3 : strncmp(greeting, "RFB 003.007", 11) == 0 ? 7 : 8;
    snprintf(answer, sizeof answer, "RFB 003.%03d\n", t->minor);
    return talk_put(t, answer, GREETING_BYTES);
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
    return talk_put(t, proof, size);
}

static bool prove_by_vnc(struct talk *t, enum security_channel channel)
{
    uint8_t challenge[VNCAUTH_CHALLENGE];
    char *name = NULL, *password = NULL;
    bool ok = talk_get(t, challenge, sizeof challenge) && ask(t, false, channel, &name, &password);

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
        ok = talk_put(t, lengths, sizeof lengths) && talk_put(t, name, strlen(name)) &&
             talk_put(t, password, strlen(password));
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
    if (!talk_get_number(t, &result))
        return false;
    if (result == 0)
        return true;
    if (t->minor < 8) {
        t->failure = FAILURE_AUTHENTICATION;
        return reason_set(t->why, "the server refused the password");
    }
    return talk_refused(t, t->asked ? "the server refused the password"
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

    if (!talk_get(t, head, sizeof head) || !talk_get_number(t, &length))
        return false;
    if (length > NAME_MAX_BYTES)
        return reason_set(t->why, "the server's desktop name is %u bytes long", length);
    if (!(init->name = malloc(length + 1)))
        return reason_set(t->why, "out of memory");
    init->width = (int)get16(head);
    init->height = (int)get16(head + 2);
    memcpy(init->format, head + 4, sizeof init->format);
    init->name[length] = '\0';
    if (talk_get(t, init->name, length))
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
    if (!(init->security = talk_choose_security(t)))
        return false;
    if (t->early_at != TICK_NEVER && init->security->type != t->options->early.security)
        return reason_set(t->why, "the server does not take what it took before");
    log_debug("security type: %s", init->security->name);
    if (!prove(t, init->security) || !await_result(t, init->security) ||
        !talk_put(t, &client_init, 1) || !get_server_init(t, init))
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
