/* How a session begins: the connection, the handshake, and the messages that come first. A server
 * that was met before is told much of it before it asks (rfb/proto/early.h); when it does not take
 * that, the session connects again and waits for each answer. Receiver thread.
 */
#include <stdlib.h>
#include <string.h>

#include "rfb/clock.h"
#include "rfb/log.h"
#include "rfb/proto/client_messages.h"
#include "rfb/proto/handshake.h"
#include "rfb/secret.h"
#include "rfb/session/messages.h"
#include "rfb/session/session_state.h"

/* What is set up for a handshake and, if that fails, for a second one. */
struct opening {
    struct session *session;
    struct handshake_options handshake;
    uint8_t ahead[EARLY_AHEAD_MAX];
    char *password; /* given in the first handshake, so that nobody is asked twice; NULL: none */
};

_Static_assert(EARLY_AHEAD_MAX >= 3 * CLIENT_WRITE_MAX, "it holds the first three messages");

struct transport_options session_transport(const struct session_options *o)
{
    struct transport_options transport = o->transport;

    if (transport.window_bytes == 0)
        transport.window_bytes = o->memory.window;
    return transport;
}

static bool had_certificate(const struct session_options *o)
{
    return o->had_certificate && security_with_certificate(o->security);
}

security_set session_allows(const struct session_options *o)
{
    bool demanded = o->x509_ca || o->x509_also || o->fingerprint || had_certificate(o);
    security_set none;
    struct reason never;

    if (*o->route.play && security_parse(&none, "None", &never))
        return none;
    return demanded ? security_with_certificate(o->security) : o->security;
}

static struct stream *connect_to_server(struct session *s, struct reason *why)
{
    struct session_options *o = &s->options;
    struct transport_options transport = session_transport(o);

    return o->connector.connect
               ? o->connector.connect(o->connector.user, o, s->deadline, s->cancel_fd, why)
               : stream_connect(&o->route, &o->address, &transport, s->deadline, s->cancel_fd, why);
}

/* Connects, and makes the decoder. */
static bool open_stream(struct session *s, struct reason *why)
{
    struct transport_window window;
    struct stream *stream = connect_to_server(s, why);

    if (!stream)
        return false;
    s->decoder = decoder_create(stream, s->fb, &s->options.encodings.list);
    if (!s->decoder) {
        stream_destroy(stream);
        return reason_set(why, "out of memory");
    }
    stream_window(stream, &window);
    pthread_mutex_lock(&s->lock);
    if (s->options.route.listen) /* the wait for the server is no part of the handshake */
        s->deadline = tick_now() + s->options.connect_timeout;
    s->stream = stream;
    s->window_bytes = session_transport(&s->options).window_bytes > 0 ? window.bytes : 0;
    window_init(&s->window, s->window_bytes > 0 ? window.bytes : window.tuned, window.allowed);
    if (s->stopping)
        session_cut(s);
    pthread_mutex_unlock(&s->lock);
    return true;
}

/* Closes what has failed. */
static void close_stream(struct session *s)
{
    struct stream *stream;

    pthread_mutex_lock(&s->lock);
    stream = s->stream;
    s->stream = NULL;
    pthread_mutex_unlock(&s->lock);
    decoder_destroy(s->decoder);
    s->decoder = NULL;
    stream_destroy(stream);
}

/* Learns the round trip, on which the quality to begin with depends. */
static void learn_round_trip(struct session *s)
{
    struct transport_info info;

    pthread_mutex_lock(&s->lock);
    stream_info(s->stream, &info);
    if (info.bytes_received >= 0)
        session_learn_round_trip(s, &info, tick_now());
    pthread_mutex_unlock(&s->lock);
}

/* Tells the server how to send pixels. Returns the bytes. `ahead`: a request follows at once.
 * TigerVNC would answer it with the list of its screens alone, and the picture would take another
 * round trip. So the server is asked for its screens later (session_untold()). */
static size_t set_up_pixels(struct session *s, bool ahead, uint8_t *out)
{
    struct encoding_options encodings;
    size_t size = client_write_set_pixel_format(out, &pixel_format_xrgb);

    session_encodings(s, &encodings);
    encodings.no_screens = ahead;
    s->told = encodings;
    return size + client_write_set_encodings(out + size, &encodings);
}

/* ---- what is said early ---- */

/* Whether the server is known well enough, and its way in is still allowed. */
static bool may_be_early(const struct session *s, security_set allowed)
{
    const struct session_memory *m = &s->options.memory;
    const struct route *route = &s->options.route;
    uint32_t type = (uint32_t)m->security;
    const struct security *way = security_choose(allowed, 0, &type, 1);

    return m->minor > 0 && !m->waits && !session_plays(s) && !route->listen &&
           !route->repeater.host[0] && !route->repeater.path[0] && way && way->type == m->security;
}

static void plan(struct opening *o)
{
    const struct session_memory *m = &o->session->options.memory;
    struct rect all = {0, 0, m->width, m->height};
    size_t size;

    learn_round_trip(o->session);
    size = set_up_pixels(o->session, true, o->ahead);
    size += client_write_update_request(o->ahead + size, false, all);
    o->handshake.early = (struct early_plan){
        .minor = m->minor, .security = m->security, .ahead = o->ahead, .ahead_size = size};
}

/* As session_ask_credentials(), but what was answered for VNC authentication without encryption is
 * not asked again: whatever way the second attempt takes, it protects a password as well. */
static bool ask_once(void *user, bool want_user, enum security_channel channel, char **name,
                     char **password, struct reason *why)
{
    struct opening *o = user;

    if (o->password && !want_user) {
        *password = strdup(o->password);
        return *password || reason_set(why, "out of memory");
    }
    if (!session_ask_credentials(o->session, want_user, channel, name, password, why))
        return false;
    if (!want_user && channel == CHANNEL_CLEAR && o->handshake.early.minor)
        o->password = strdup(*password);
    return true;
}

static bool ask_trust(void *user, const struct key_doubt *doubt, struct reason *why)
{
    struct opening *o = user;

    return session_ask_trust(o->session, doubt, why);
}

/* An early handshake has half of the time: the other half is for one that waits. TICK_NEVER: there
 * is no limit but that of all. */
static void limit_early(struct session *s, bool early)
{
    tick_t now = tick_now();

    pthread_mutex_lock(&s->lock);
    s->early_until = early ? now + (s->deadline - now) / 2 : TICK_NEVER;
    pthread_mutex_unlock(&s->lock);
}

/* Whether the session goes on connecting. */
static bool goes_on(struct session *s)
{
    bool on;

    pthread_mutex_lock(&s->lock);
    on = !s->stopping && !s->watchdog.text[0];
    pthread_mutex_unlock(&s->lock);
    return on;
}

/* ---- the beginning ---- */

static bool attempt(struct opening *o, bool early, struct server_init *init, struct reason *why)
{
    struct session *s = o->session;
    bool ok;

    if (!open_stream(s, why))
        return false;
    /* who has come to us is known now */
    o->handshake.allowed = session_allows(&s->options);
    o->handshake.had_certificate = had_certificate(&s->options);
    if (early)
        plan(o);
    limit_early(s, early);
    ok = handshake(s->stream, &o->handshake, init, why);
    limit_early(s, false);
    return ok;
}

static bool connect_and_greet(struct opening *o, struct server_init *init, struct reason *why)
{
    struct session *s = o->session;
    bool early = may_be_early(s, session_allows(&s->options));

    if (attempt(o, early, init, why))
        return true;
    if (!init->surprised || !goes_on(s))
        return false;
    log_debug("connecting again, and waiting for each answer: %s", why->text);
    close_stream(s);
    pthread_mutex_lock(&s->lock);
    s->surprised = true;
    pthread_mutex_unlock(&s->lock);
    o->handshake.early = (struct early_plan){0};
    *init = (struct server_init){0}; /* what has failed so far is forgotten */
    return attempt(o, false, init, why);
}

/* What comes behind ServerInit, unless it was said ahead. */
static bool set_up(struct session *s, const struct server_init *init, struct reason *why)
{
    uint8_t setup[2 * CLIENT_WRITE_MAX];
    struct message_source source;

    session_begin_recording(s, init);
    source = session_source(s);
    if (!message_resize(&source, init->width, init->height, why))
        return false;
    pthread_mutex_lock(&s->lock);
    s->handshake_rtt_ms = init->rtt_ms;
    pthread_mutex_unlock(&s->lock);
    if (init->ahead_at != TICK_NEVER) {
        log_debug("told the server early what it took the last time");
        return true;
    }
    learn_round_trip(s);
    return stream_write(s->stream, setup, set_up_pixels(s, false, setup)) ||
           reason_set(why, "the connection broke");
}

bool session_open(struct session *s, struct server_init *init, struct reason *why)
{
    struct opening o = {.session = s,
                        .handshake = {
                            .shared = s->options.shared,
                            .host = s->options.address.host,
                            .x509_ca = s->options.x509_ca,
                            .x509_also = s->options.x509_also,
                            .x509_crl = s->options.x509_crl,
                            .fingerprint = s->options.fingerprint,
                            .credentials = ask_once,
                            .trust = ask_trust,
                        }};
    bool ok;

    o.handshake.user = &o;
    ok = connect_and_greet(&o, init, why);
    secret_free(o.password);
    return ok && (!session_plays(s) || session_can_play(init, why)) && set_up(s, init, why);
}

void session_learn_beginning(struct session *s, const struct server_init *init)
{
    const struct security *way = init->security;
    bool simple = way->type == SECURITY_NONE || way->type == SECURITY_VNC;

    s->learnt =
        (struct session_memory){.minor = simple ? init->minor : 0,
                                .security = way->type,
                                .width = init->width,
                                .height = init->height,
                                .waits = s->surprised || (s->options.memory.waits &&
                                                          init->minor == s->options.memory.minor)};
}

struct session_memory session_memory_now(const struct session *s)
{
    struct session_memory m = s->learnt;
    int step = quality_reached(&s->scheduler.quality);

    m.quality = step < 0 ? s->options.memory.quality : step + 1;
    m.window = s->options.transport.window_bytes > 0 ? s->options.memory.window : s->window_bytes;
    return m;
}
