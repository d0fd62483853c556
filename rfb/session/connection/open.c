#include "rfb/session/connection/open.h"

#include <stdlib.h>
#include <string.h>

#include "rfb/proto/client_messages.h"
#include "rfb/proto/handshake/talk.h"
#include "rfb/session/pictures/messages.h"
#include "rfb/system/clock.h"
#include "rfb/system/log.h"
#include "rfb/system/secret.h"

/* What is set up for a handshake and, if that fails, for the next one. */
struct opening {
    const struct open_parts *parts;
    struct stream *stream; /* the link's; NULL: there is none */
    struct handshake_options handshake;
    uint8_t ahead[EARLY_AHEAD_MAX];
    char *password;  /* given in the first handshake, so that nobody is asked twice; NULL: none */
    bool surprised;  /* the server did not take what was said early */
    bool hello_lost; /* or only TLS's ClientHello */
    const struct security *only; /* the way that is better than what VeNCrypt holds; NULL: any */
};

_Static_assert(EARLY_AHEAD_MAX >= PACING_SETUP_MAX + CLIENT_WRITE_MAX,
               "it holds the first three messages");

/* ---- the connection ---- */

static struct stream *open_connect(const struct open_parts *parts, struct reason *why)
{
    struct session_options *o = parts->options;
    struct transport_options transport = session_transport(o);
    int cancel_fd = link_cancel_fd(parts->link);
    tick_t deadline = life_deadline(parts->life);

    return parts->hooks->connect
               ? parts->hooks->connect(o, deadline, cancel_fd, why)
               : stream_connect(&o->route, &o->address, &transport, deadline, cancel_fd, why);
}

static bool open_stream(struct opening *o, struct reason *why)
{
    o->stream = open_connect(o->parts, why);
    if (!o->stream)
        return false;
    if (o->parts->options->route.listen) /* the wait for the server is no part of the handshake */
        life_begin_handshake(o->parts->life, tick_now());
    link_set_stream(o->parts->link, o->stream);
    return true;
}

static void open_close_stream(struct opening *o)
{
    stream_destroy(link_take_stream(o->parts->link));
    o->stream = NULL;
}

/* Learns the round trip, on which the quality to begin with depends. */
static void open_learn_round_trip(struct opening *o)
{
    struct transport_info info;

    if (link_info(o->parts->link, &info))
        pacing_learn_round_trip(o->parts->pacing, &info, tick_now());
}

/* ---- what is said early ---- */

/* Whether the server is known well enough, and its way in is still allowed. */
static bool open_may_be_early(const struct session_options *o)
{
    const struct session_memory *m = &o->memory;
    const struct route *route = &o->route;

    return m->minor > 0 && !m->waits && !open_plays(o) && !route->listen &&
           o->candidates.count == 0 && !route->repeater.host[0] && !route->repeater.path[0] &&
           security_find(session_allows(o), m->security, m->subtype);
}

static void open_plan(struct opening *o)
{
    const struct session_memory *m = &o->parts->options->memory;
    struct rect all = {0, 0, m->width, m->height};
    size_t size;

    open_learn_round_trip(o);
    size = pacing_write_setup(o->parts->pacing, o->ahead, true, tick_now());
    size += client_write_update_request(o->ahead + size, false, all);
    o->handshake.early =
        (struct early_plan){.minor = m->minor,
                            .way = security_find(SECURITY_ALL, m->security, m->subtype),
                            .hello_waits = m->hello_waits,
                            .shared = o->handshake.shared,
                            .ahead = o->ahead,
                            .ahead_size = size};
}

/* As questions_ask_credentials(), but what was answered for VNC authentication without encryption
 * is not asked again for VNC authentication: whatever way the second attempt takes, it protects a
 * password as well. */
static bool open_ask_once(void *user, bool want_user, const struct security *way, char **name,
                          char **password, struct reason *why)
{
    struct opening *o = user;
    bool vnc = way->proof == PROOF_VNC;

    if (o->password && vnc) {
        *password = strdup(o->password);
        return *password || reason_set(why, "out of memory");
    }
    if (!questions_ask_credentials(o->parts->questions, want_user, way, name, password, why))
        return false;
    if (vnc && way->channel == CHANNEL_CLEAR && o->handshake.early.minor)
        o->password = strdup(*password);
    return true;
}

static bool open_ask_trust(void *user, const struct key_doubt *doubt, struct reason *why)
{
    struct opening *o = user;

    return questions_ask_trust(o->parts->questions, doubt, why);
}

static void open_tell_certified(void *user)
{
    const struct session_event certified = {.type = SESSION_CERTIFIED};
    struct opening *o = user;
    struct session_event *event = session_event_create(&certified, NULL, 0);

    if (event)
        events_add(o->parts->events, event);
}

/* ---- the handshake ---- */

static bool open_attempt(struct opening *o, bool early, struct server_init *init,
                         struct reason *why)
{
    const struct session_options *options = o->parts->options;
    struct life *life = o->parts->life;
    bool ok;

    if (!open_stream(o, why))
        return false;
    /* who has come to us is known now */
    o->handshake.security.allowed = session_allows(options);
    if (o->only)
        o->handshake.security.allowed = security_only(o->handshake.security.allowed, o->only);
    o->handshake.security.certified_before =
        options->certified_before && security_with_key(options->security);
    if (!early)
        return handshake(o->stream, &o->handshake, init, why);
    open_plan(o);
    link_begin_early(o->parts->link);
    life_limit_early(life, true, tick_now());
    ok = handshake(o->stream, &o->handshake, init, why);
    life_limit_early(life, false, tick_now());
    if (link_end_early(o->parts->link))
        return ok;
    init->surprised = true;
    return reason_set(why, "the server has not answered what was said early in time");
}

/* A new connection, on which nothing is said early. */
static bool open_again(struct opening *o, struct server_init *init, struct reason *why)
{
    log_debug("connecting again, and waiting for each answer: %s", why->text);
    open_close_stream(o);
    o->handshake.early = (struct early_plan){0};
    *init = (struct server_init){0}; /* what has failed so far is forgotten */
    return open_attempt(o, false, init, why);
}

static bool open_greet(struct opening *o, struct server_init *init, struct reason *why)
{
    const struct session_options *options = o->parts->options;
    struct life *life = o->parts->life;
    bool ok = open_attempt(o, open_may_be_early(options), init, why);

    if (!ok && init->surprised && life_goes_on(life)) {
        o->surprised = !init->hello_lost;
        o->hello_lost = init->hello_lost;
        ok = open_again(o, init, why);
    }
    /* who comes to us comes once */
    if (ok || !init->beside || options->route.listen || !life_goes_on(life))
        return ok;
    o->only = init->beside;
    return open_again(o, init, why);
}

/* What the handshake has shown of the server. */
static void open_learn(const struct opening *o, struct opened *out)
{
    const struct session_memory *memory = &o->parts->options->memory;
    const struct server_init *init = &out->init;
    const struct security *way = init->security;
    bool same = init->minor == memory->minor;
    /* This explains a surprise: what is said early next time is what the server takes now. */
    bool changed = !same || way->type != memory->security || way->subtype != memory->subtype;

    out->learnt = (struct session_memory){
        .minor = init->minor,
        .security = way->type,
        .subtype = way->subtype,
        .width = init->width,
        .height = init->height,
        .waits = (o->surprised && !changed) || (same && memory->waits),
        .hello_waits = (o->hello_lost && !changed) || (same && memory->hello_waits)};
}

/* What comes behind ServerInit, unless it was said ahead. */
static bool open_set_up(struct opening *o, struct opened *out, struct reason *why)
{
    const struct open_parts *parts = o->parts;
    const struct server_init *init = &out->init;
    uint8_t setup[PACING_SETUP_MAX];

    preview_end(parts->preview); /* the picture is the stream's from here on */
    recorder_begin(parts->recorder, init->width, init->height, init->name, o->stream);
    if (!message_source_open(&out->source, o->stream, parts->fb, &parts->options->encodings,
                             init->width, init->height, why))
        return false;
    pacing_set_handshake_rtt(parts->pacing, init->rtt_ms);
    if (init->ahead_at != TICK_NEVER) {
        log_debug("told the server early what it took the last time");
        return true;
    }
    open_learn_round_trip(o);
    return stream_write(o->stream, setup,
                        pacing_write_setup(parts->pacing, setup, false, tick_now())) ||
           reason_set(why, "the connection broke");
}

/* ---- a recording in the server's place ---- */

bool open_plays(const struct session_options *o)
{
    return o->route.play[0];
}

static bool open_can_play(const struct server_init *init, struct reason *why)
{
    uint8_t ours[PIXEL_FORMAT_BYTES], theirs[PIXEL_FORMAT_BYTES];
    struct pixel_format f;

    if (!pixel_format_read(init->format, &f, why))
        return false;
    f.depth = pixel_format_xrgb.depth; /* it says nothing of where the bits of a colour are */
    pixel_format_write(ours, &pixel_format_xrgb);
    pixel_format_write(theirs, &f);
    if (memcmp(ours, theirs, sizeof ours) == 0)
        return true;
    return reason_set(why,
                      "the recording has pixels of %d bits in an order that this viewer cannot "
                      "play: it takes 32 bits with blue in the lowest",
                      f.bits);
}

static bool open_cannot_play(const struct session_options *o, struct reason *why)
{
    struct reason cause = *why;

    return reason_set(why, "cannot play %.300s: %s", o->route.play, cause.text);
}

/* ---- all of it ---- */

/* A repeater that knows no such server takes its name, and goes. */
static void open_blame_repeater(const struct route *route, struct reason *why)
{
    if ((*route->repeater.host || *route->repeater.path) && strcmp(why->text, TALK_CLOSED) == 0)
        reason_set(why, "the repeater, or the server behind it, closed the connection during the "
                        "handshake: check that the repeater knows this server's name or ID");
}

static bool open_rfb(struct opening *o, struct opened *out, struct reason *why)
{
    bool ok = open_greet(o, &out->init, why);

    secret_free(o->password);
    if (!ok) {
        open_blame_repeater(&o->parts->options->route, why);
        return false;
    }
    open_learn(o, out);
    return (!open_plays(o->parts->options) || open_can_play(&out->init, why)) &&
           open_set_up(o, out, why);
}

static bool open_other(struct opening *o, struct opened *out, struct reason *why)
{
    const struct source_opener *opener = o->parts->hooks->source;
    struct server_init *init = &out->init;

    init->ahead_at = TICK_NEVER;
    init->name = calloc(1, SESSION_NAME_MAX);
    if (!init->name)
        return reason_set(why, "out of memory");
    if (!open_stream(o, why) ||
        !opener->open(opener->user, o->stream, o->parts->fb, init->name, &out->source, why))
        return false;
    framebuffer_size(o->parts->fb, &init->width, &init->height);
    recorder_begin(o->parts->recorder, init->width, init->height, init->name, NULL);
    return true;
}

static const char *open_given(const char *text)
{
    return *text ? text : NULL;
}

bool open_session(const struct open_parts *parts, struct opened *out, struct reason *why)
{
    const struct session_options *options = parts->options;
    struct opening o = {
        .parts = parts,
        .handshake = {
            .shared = options->shared,
            .security.tls = {.host = options->address.host,
                             .ca_file = open_given(options->x509_ca),
                             .also_file = open_given(options->x509_also),
                             .crl_file = open_given(options->x509_crl),
                             .fingerprint = options->pinned ? options->fingerprint : NULL,
                             .trust = open_ask_trust,
                             .user = &o},
            .security.certified = open_tell_certified,
            .credentials = open_ask_once,
        }};
    bool ok;

    o.handshake.user = &o;
    ok = parts->hooks->source ? open_other(&o, out, why) : open_rfb(&o, out, why);
    if (ok && open_plays(options)) /* its times, or a pause, count from here on */
        stream_play(o.stream, &options->route.wish);
    return ok || !open_plays(options) ? ok : open_cannot_play(options, why);
}

enum failure open_failure(const struct open_parts *parts, const struct server_init *init,
                          const struct reason *failed, const struct reason *why)
{
    struct stream *stream = link_stream(parts->link);

    if (life_is_stopping(parts->life))
        return FAILURE_NONE;
    if (init->failure)
        return init->failure;
    if (open_plays(parts->options) && stream && stream_failure(stream))
        return FAILURE_PLAYED;
    if (!stream && why->kind)
        return why->kind;
    if (!stream || failed->text[0] || stream_failure(stream))
        return FAILURE_LOST;
    return FAILURE_PROTOCOL;
}
