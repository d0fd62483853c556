#include "rfb/session/session.h"

#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

#include "rfb/decode/framebuffer.h"
#include "rfb/decode/picture_memory.h"
#include "rfb/film/decoder.h"
#include "rfb/session/constants.h"
#include "rfb/session/pacing/responses.h"
#include "rfb/session/pictures/preview.h"
#include "rfb/session/threads/receiver.h"
#include "rfb/session/threads/sender.h"
#include "rfb/system/clock.h"

struct session {
    struct session_options options; /* the receiver's, once it runs */
    struct session_hooks hooks;
    struct framebuffer *fb;
    struct framebuffer_reader *reader; /* owner; it shows the same picture */
    struct events *events;
    struct life *life;
    struct link *link;
    struct outbox *outbox;
    struct pacing *pacing;
    struct pushed *pushed;
    struct responses *responses;
    struct weights *weights;
    struct old_picture *old;
    struct datagrams *datagrams;
    struct questions *questions;
    struct recorder *recorder;
    struct preview *preview;
    struct sound *sound;
    struct receiver *receiver;
    struct sender *sender;
};

/* ---- its end ---- */

static void session_cut(struct session *s)
{
    link_cut(s->link);
    questions_stop(s->questions);
}

static void session_end(struct session *s)
{
    bool ran = life_stop(s->life);

    /* Releases of keys may still wait. So a sender that runs cuts the connection itself, once they
     * have left. */
    if (!ran)
        session_cut(s);
    outbox_wake(s->outbox);
}

static void session_free(void *user)
{
    struct session *s = user;

    receiver_destroy(s->receiver);
    sender_destroy(s->sender);
    preview_destroy(s->preview);
    sound_destroy(s->sound);
    recorder_destroy(s->recorder);
    questions_destroy(s->questions);
    old_picture_destroy(s->old);
    datagrams_destroy(s->datagrams);
    responses_destroy(s->responses);
    weights_destroy(s->weights);
    pushed_destroy(s->pushed);
    pacing_destroy(s->pacing);
    outbox_destroy(s->outbox);
    link_destroy(s->link);
    life_destroy(s->life);
    events_destroy(s->events);
    framebuffer_unmap(s->reader);
    framebuffer_destroy(s->fb);
    free(s);
}

/* Leaves the session to its receiver, which still decodes what the server sent, and which frees the
 * session at its end. False when the receiver will end at once. */
static bool session_abandon(struct session *s)
{
    if (life_phase(s->life) != LIFE_RUNNING)
        return false;
    /* once it is abandoned, the receiver may free it at any time */
    events_silence(s->events);
    pacing_end_trace(s->pacing);
    return life_abandon(s->life);
}

void session_destroy(struct session *s)
{
    if (!s)
        return;
    session_end(s);
    if (!sender_join(s->sender, SESSION_LAST_WORDS)) {
        session_cut(s);
        sender_join(s->sender, TICK_NEVER);
    }
    if (!receiver_join(s->receiver, SESSION_DECODER_PATIENCE)) {
        if (session_abandon(s))
            return;
        receiver_join(s->receiver, TICK_NEVER);
    }
    session_free(s);
}

/* ---- its beginning ---- */

static bool session_make_threads(struct session *s)
{
    const struct receiver_parts receiver = {.open = {&s->options, &s->hooks, s->events, s->fb,
                                                     s->life, s->link, s->pacing, s->questions,
                                                     s->recorder, s->preview},
                                            .events = s->events,
                                            .outbox = s->outbox,
                                            .pushed = s->pushed,
                                            .old = s->old,
                                            .datagrams = s->datagrams,
                                            .responses = s->responses,
                                            .weights = s->weights,
                                            .sound = s->sound,
                                            .free_all = session_free,
                                            .user = s};
    const struct sender_parts sender = {s->life,     s->link, s->outbox,    s->pacing,    s->pushed,
                                        s->recorder, s->old,  s->datagrams, s->responses, s->sound};

    s->receiver = receiver_create(&receiver);
    s->sender = sender_create(&sender);
    return s->receiver && s->sender;
}

static bool session_make_parts(struct session *s)
{
    const struct session_options *o = &s->options;
    const struct session_hooks *h = &s->hooks;
    const struct life_options life = {o->connect_timeout, o->stall_timeout,
                                      route_is_relayed(&o->route)};
    struct pacing_options pacing = {o->scheduler, o->encodings, route_is_relayed(&o->route),
                                    h->trace};

    pacing.scheduler.first_quality = o->memory.quality;
    s->fb = framebuffer_create(h->picture_fd > 0 ? h->picture_fd : -1);
    s->reader = s->fb ? framebuffer_reader_of(s->fb) : NULL;
    s->events = events_create(&h->callbacks);
    s->life = life_create(&life, tick_now());
    s->link = link_create(session_transport(o).window_bytes, o->transport.window_bytes == 0);
    s->outbox = s->events ? outbox_create(o->clipboard, s->events) : NULL;
    s->pacing = pacing_create(&pacing);
    s->pushed = pushed_create(&o->encodings, &o->scheduler);
    s->responses = responses_create(s->pacing);
    s->weights = weights_create();
    s->old = old_picture_create();
    s->datagrams = datagrams_create(o->datagrams);
    s->questions = s->events && s->life ? questions_create(o, s->events, s->life) : NULL;
    s->recorder = s->events ? recorder_create(h->recording, s->events) : NULL;
    s->preview = s->fb && s->events ? preview_create(s->fb, s->events) : NULL;
    s->sound = s->events ? sound_create(o->sound, s->events) : NULL;
    return s->reader && s->preview && s->sound && s->events && s->life && s->link && s->outbox &&
           s->pacing && s->pushed && s->responses && s->weights && s->old && s->datagrams &&
           s->questions && s->recorder && session_make_threads(s);
}

static bool session_start(struct session *s)
{
    if (!receiver_start(s->receiver)) /* which ends the preview, perhaps before it begins */
        return false;
    if (sender_start(s->sender)) {
        preview_start(s->preview, &s->options.ticket, s->hooks.preview_path);
        return true;
    }
    session_end(s);
    session_cut(s);
    receiver_join(s->receiver, TICK_NEVER);
    return false;
}

bool session_wants_h264(const struct encoding_options *e)
{
    return e->jpeg && encoding_list_has(&e->list, ENCODING_H264);
}

bool session_wants_film(const struct encoding_options *e)
{
    return e->blocks && e->jpeg && e->quality == LEVEL_AUTO;
}

struct session *session_create(const struct session_options *options,
                               const struct session_hooks *hooks)
{
    struct session *s = calloc(1, sizeof *s);

    if (!s)
        return NULL;
    s->options = *options;
    s->hooks = *hooks;
    s->options.encodings.clipboard = options->clipboard != 0 || open_plays(options);
    s->options.encodings.sound =
        (options->sound != SOUND_WISH_OFF && !hooks->recording) || open_plays(options);
    if (options->scheduler.max_fps > 0 || options->scheduler.max_rate > 0)
        s->options.encodings.push = false; /* ContinuousUpdates know no limit: it is asked */
    s->options.encodings.film = session_wants_film(&options->encodings) && film_decoder_works();
    if (!session_wants_h264(&options->encodings) || !film_decoder_works())
        encoding_list_drop(&s->options.encodings.list, ENCODING_H264);
    if (session_make_parts(s) && session_start(s))
        return s;
    session_free(s);
    return NULL;
}

/* ---- its owner ---- */

struct session_event *session_next_event(struct session *s)
{
    return events_take(s->events);
}

bool session_server(struct session *s, struct address *out)
{
    *out = s->options.address; /* in this process nobody but a test names another one meanwhile */
    return true;
}

void session_confined_by(struct session *s, char *out, size_t size)
{
    (void)s;
    (void)size;
    *out = '\0';
}

struct framebuffer_reader *session_framebuffer(struct session *s)
{
    return s->reader;
}

void session_give_old_picture(struct session *s, struct framebuffer_reader *old)
{
    if (old_picture_give(s->old, old, NULL))
        outbox_wake(s->outbox);
}

void session_give_path(struct session *s, int fd)
{
    if (datagrams_give(s->datagrams, fd))
        outbox_wake(s->outbox);
}

static void session_tune_to(struct session *s, const struct session_command *c)
{
    tick_t now = tick_now();

    switch ((enum session_command_type)c->type) {
    case COMMAND_TUNE:
        pacing_tune(s->pacing, session_command_tuning(c), now);
        pushed_tune(s->pushed, session_command_tuning(c));
        break;
    case COMMAND_ASK_ALL:
        pacing_ask_all(s->pacing, now);
        break;
    case COMMAND_SOUND:
        sound_want(s->sound, c->down);
        break;
    case COMMAND_HIDE:
        pacing_hide(s->pacing, c->down, now);
        pushed_hide(s->pushed, c->down);
        break;
    default:
        break;
    }
    outbox_wake(s->outbox);
}

static void session_play_as(struct session *s, const struct session_playing *p)
{
    link_play(s->link, &(struct play_wish){p->paused, p->seeks, p->place});
    outbox_wake(s->outbox);
}

/* What a session that is up is told. */
static void session_take(struct session *s, const struct session_command *c)
{
    switch ((enum session_command_type)c->type) {
    case COMMAND_KEY:
    case COMMAND_POINTER:
    case COMMAND_STEP:
        outbox_add(s->outbox, c);
        break;
    case COMMAND_CUT_TEXT:
        if (s->options.clipboard & CLIPBOARD_SEND)
            outbox_add(s->outbox, c);
        break;
    case COMMAND_RESIZE:
        outbox_want_size(s->outbox, c->x, c->y);
        break;
    case COMMAND_PLAY:
        session_play_as(s, session_command_playing(c));
        break;
    default:
        session_tune_to(s, c);
        break;
    }
}

void session_send(struct session *s, const struct session_command *c)
{
    assert(session_command_valid(c, sizeof *c + c->size));
    switch ((enum session_command_type)c->type) {
    case COMMAND_STOP:
        session_end(s);
        break;
    case COMMAND_ANSWER:
        questions_answer(s->questions, session_command_answer(c));
        break;
    case COMMAND_WATCH: /* the sender looks at it once a second anyway */
        life_watch(s->life, c->down, tick_now());
        break;
    default:
        if (life_phase(s->life) == LIFE_RUNNING)
            session_take(s, c);
        break;
    }
}

/* ---- figures ---- */

bool session_stats(struct session *s, bool row, struct session_stats *out)
{
    tick_t now = tick_now();
    struct life_stats life = life_stats(s->life, pacing_waits_for_room(s->pacing), now);
    struct outbox_forms forms = outbox_forms(s->outbox);
    const struct session_options *o = &s->options;
    struct transport_info info;
    struct datagrams_figures datagrams;
    struct pushed_figures figures;
    struct responses_figures responses;

    link_info(s->link, &info);
    datagrams_figures(s->datagrams, &datagrams);
    if (info.bytes_received >= 0) {
        info.bytes_received += (int64_t)datagrams.received;
        info.bytes_sent += (int64_t)datagrams.sent;
    }
    *out = (struct session_stats){
        .heard_at = life.heard_at,
        .silent = life.silent,
        .rests = life.rests,
        .answer_ms = tick_to_ms(life.answer_time),
        .bytes_received = info.bytes_received,
        .bytes_sent = info.bytes_sent,
        .window_bytes = link_window(s->link),
        .play = info.play,
        .key_codes = forms.key_codes,
        .more_buttons = forms.more_buttons,
        .extended_clipboard = forms.extended_clipboard,
        .ticket_used = preview_is_answered(s->preview),
        .preview = preview_is_whole(s->preview),
    };
    receiver_stats(s->receiver, out);
    pacing_stats(s->pacing, &info, row, tick_sooner(now, life.ended), out);
    weights_stats(s->weights, out);
    sound_stats(s->sound, out);
    responses_figures(s->responses, now - TICK_S, &responses);
    out->response_ms = tick_to_ms(responses.response);
    out->response = responses.parts;
    out->response_drawn = responses.drawn;
    out->response_mean = responses.mean;
    out->responses = responses.count;
    out->blocks = pushed_figures(s->pushed, now - TICK_S, &figures);
    if (out->blocks) {
        out->datagrams = datagrams.work;
        out->jpeg = figures.quality;
        out->film_frames = figures.film_frames;
        out->film = figures.film;
        out->pushing = figures.pushing;
        out->references = figures.references;
        out->quality = out->compress = -1;
    }
    out->memory.quality = pacing_quality(s->pacing);
    if (out->memory.quality == 0)
        out->memory.quality = o->memory.quality;
    out->memory.window = o->transport.window_bytes > 0 ? o->memory.window : out->window_bytes;
    return true;
}

_Static_assert(sizeof(struct session_stats) % 8 == 0, "figures are copied in words");
_Static_assert(sizeof(struct session_stats) <= PICTURE_FIGURES_MAX, "figures have their place");

tick_t session_publish(struct session *s, double cpu_s)
{
    struct session_stats stats;

    session_stats(s, false, &stats);
    stats.cpu_s = cpu_s;
    framebuffer_put_figures(s->fb, &stats, sizeof stats);
    if (stats.play.seeking) /* and ends when there may be no picture to tell of it */
        return SESSION_SEEK_LOOK;
    /* a recording's place moves while nothing comes, and its length is known at some time */
    if (open_plays(&s->options) && (!stats.play.paused || stats.play.length == 0))
        return TICK_S;
    return stats.rests ? TICK_NEVER : TICK_S;
}
