#include "rfb/proto/handshake/handshake.h"

#include <gnutls/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prerequest/tick.h"
#include "rfb/proto/bytes.h"
#include "rfb/proto/handshake/apple_login.h"
#include "rfb/proto/handshake/talk.h"
#include "rfb/proto/handshake/vncauth.h"
#include "rfb/system/clock.h"
#include "rfb/system/log.h"
#include "rfb/system/secret.h"

#define GREETING_BYTES 12
#define NAME_MAX_BYTES (1u << 20)

struct handshake {
    struct talk talk;
    struct agreement agreement;
    const struct handshake_options *options;
    tick_t prompt_time; /* spent in the credentials callback */
};

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
        return reason_set(t->why, "not a VNC server: it greets with '%s'%s", greeting,
                          strncmp(greeting, "SSH-", 4) == 0
                              ? ". This port is ssh's: use --ssh HOST, or --via HOST localhost:1"
                              : "");
    t->minor = handshake_is_33(greeting) ? 3 : strncmp(greeting, "RFB 003.007", 11) == 0 ? 7 : 8;
    snprintf(answer, sizeof answer, "RFB 003.%03d\n", t->minor);
    return talk_put(t, answer, GREETING_BYTES);
}

/* ---- proof ---- */

static bool handshake_ask(struct handshake *h, bool want_user, const struct security *way,
                          char **name, char **password)
{
    const struct handshake_options *o = h->options;
    struct talk *t = &h->talk;
    tick_t start = tick_now();
    bool ok = o->credentials(o->user, want_user, way, name, password, t->why);

    h->prompt_time += tick_now() - start;
    t->asked = true;
    ok =
        ok && (**password || reason_set(t->why, "the password is empty, and the server wants one"));
    if (!ok)
        t->failure = FAILURE_AUTHENTICATION;
    return ok;
}

static bool prove_by_vnc(struct handshake *h, const struct security *way)
{
    uint8_t challenge[VNCAUTH_CHALLENGE];
    char *name = NULL, *password = NULL;
    bool ok = talk_get(&h->talk, challenge, sizeof challenge) &&
              handshake_ask(h, false, way, &name, &password);

    if (ok)
        vncauth_answer(challenge, password);
    secret_free(password);
    free(name);
    return ok && talk_put(&h->talk, challenge, sizeof challenge);
}

static bool prove_by_password(struct handshake *h, const struct security *way)
{
    char *name = NULL, *password = NULL;
    bool ok = handshake_ask(h, true, way, &name, &password);
    struct talk *t = &h->talk;
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

static bool get_apple_login(struct talk *t, struct apple_login *a)
{
    uint8_t head[APPLE_LOGIN_HEAD];

    return talk_get(t, head, sizeof head) && apple_login_begin(a, head, t->why) &&
           talk_get(t, a->prime, a->size) && talk_get(t, a->key, a->size) &&
           apple_login_check(a, t->why);
}

static bool put_apple_login(struct talk *t, const struct apple_login *a, const char *name,
                            const char *password)
{
    uint8_t random[APPLE_LOGIN_BYTES_MAX], answer[APPLE_LOGIN_BYTES_MAX];
    size_t size = APPLE_LOGIN_BYTES(a->size);

    if (!apple_login_fits(name, password, t->why)) {
        t->failure = FAILURE_AUTHENTICATION;
        return false;
    }
    if (gnutls_rnd(GNUTLS_RND_KEY, random, size) < 0)
        return reason_set(t->why, "there are no random numbers to encrypt the password with");
    if (!apple_login_answer(a, name, password, random, answer))
        return reason_set(t->why, "out of memory");
    return talk_put(t, answer, size);
}

static bool prove_by_dh(struct handshake *h, const struct security *way)
{
    char *name = NULL, *password = NULL;
    struct apple_login a;
    bool ok = get_apple_login(&h->talk, &a) && handshake_ask(h, true, way, &name, &password) &&
              put_apple_login(&h->talk, &a, name, password);

    secret_free(password);
    free(name);
    return ok;
}

static bool prove_by_key(struct handshake *h, const struct security *way)
{
    const struct rsa_entry *entry = &h->agreement.rsa;
    char *name = NULL, *password = NULL;
    bool ok = handshake_ask(h, entry->wants_user, way, &name, &password) &&
              rsa_entry_prove(entry, &h->talk, way->channel, name, password);

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

static bool give_proof(struct handshake *h, const struct security *s)
{
    if (security_channel_is_rsa(s->channel))
        return prove_by_key(h, s);
    switch (s->proof) {
    case PROOF_NONE:
        return true;
    case PROOF_VNC:
        return prove_by_vnc(h, s);
    case PROOF_PLAIN:
        return prove_by_password(h, s);
    case PROOF_DH:
        return prove_by_dh(h, s);
    case PROOF_COUNT:
        break;
    }
    return false;
}

/* The proof, and ClientInit and more with it where the server took that before. */
static bool handshake_prove(struct handshake *h, const struct security *s)
{
    bool ok = give_proof(h, s);

    if (ok && s->proof != PROOF_NONE)
        early_proved(&h->talk.early);
    return ok && talk_put_early(&h->talk);
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

static bool speak_early(struct handshake *h)
{
    early_begin(&h->talk.early, &h->options->early);
    return agreement_prepare(&h->agreement) && talk_put_early(&h->talk);
}

static bool shake_hands(struct handshake *h, struct server_init *init)
{
    const struct handshake_options *o = h->options;
    struct talk *t = &h->talk;
    uint8_t client_init = o->shared;
    tick_t start;

    if (!speak_early(h))
        return false;
    start = tick_now();
    if (!agree_on_version(t))
        return false;
    if (t->early_at == TICK_NEVER) /* the greeting comes by itself */
        start = tick_now();
    if (!(init->security = agreement_reach(&h->agreement)))
        return false;
    log_debug("security type: %s", init->security->name);
    if (!handshake_prove(h, init->security) || !await_result(t, init->security) ||
        !talk_put(t, &client_init, 1) || !get_server_init(t, init))
        return false;
    init->minor = t->minor;
    if (early_is_ahead(&t->early))
        init->ahead_at = t->early_at;
    /* to look into the list of accounts takes a server long */
    if (init->security->channel == CHANNEL_CLEAR && init->security->proof != PROOF_PLAIN &&
        init->security->proof != PROOF_DH)
        init->rtt_ms = tick_to_ms(tick_now() - start - h->prompt_time) / t->round_trips;
    return true;
}

/* Whether it may have failed because something was said early. What was proved wrong is wrong. A
 * server that has not even greeted did not get as far as the ClientHello. */
static void tell_surprise(const struct handshake *h, struct server_init *init)
{
    const struct talk *t = &h->talk;

    init->surprised = t->early_at != TICK_NEVER && init->failure != FAILURE_AUTHENTICATION &&
                      init->failure != FAILURE_TRUST;
    init->hello_lost = init->surprised && init->failure != FAILURE_SECURITY &&
                       h->agreement.hello_early && t->minor > 0 && !t->differs;
}

bool handshake(struct stream *stream, const struct handshake_options *options,
               struct server_init *init, struct reason *why)
{
    struct handshake h = {.talk = {.stream = stream, .why = why, .early_at = TICK_NEVER},
                          .agreement = {.terms = &options->security},
                          .options = options};
    bool ok;

    *init = (struct server_init){.ahead_at = TICK_NEVER};
    h.agreement.talk = &h.talk;
    ok = shake_hands(&h, init);
    agreement_deinit(&h.agreement);
    if (ok)
        return true;
    init->failure = failure_of(&h.talk);
    init->beside = h.agreement.beside;
    tell_surprise(&h, init);
    return false;
}
