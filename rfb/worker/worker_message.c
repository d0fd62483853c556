#include "rfb/worker/worker_message.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "prerequest/decide/quality.h" /* QUALITY_STEPS */
#include "prerequest/decide/window.h"  /* WINDOW_MAX */
#include "rfb/decode/picture_memory.h" /* FRAMEBUFFER_MAX_SIDE */
#include "rfb/proto/encodings/cursor.h"
#include "rfb/proto/extensions/qemu_audio.h"
#include "rfb/system/log.h"

/* Bytes of one piece of a trace. Chosen: more than a second of it has. */
#define TRACE_MAX (2 << 20)
_Static_assert(CURSOR_MAX_SIDE *CURSOR_MAX_SIDE * 4 <= SESSION_CUT_TEXT_MAX,
               "a pointer's shape is no larger than a text");
/* No figure of a session is larger. */
#define FIGURE_MAX 1e15

int64_t worker_limit_of_viewer(uint32_t type)
{
    switch (type) {
    case WORKER_START:
        return sizeof(struct worker_start);
    case WORKER_LINK:
        return sizeof(struct worker_link);
    case WORKER_NO_LINK:
    case WORKER_EXPLAINED:
        return sizeof(struct worker_reason);
    case WORKER_COMMAND:
        return sizeof(struct session_command) + SESSION_COPIED_MAX;
    case WORKER_WANT_ROW:
    case WORKER_PING:
    case WORKER_END:
    case WORKER_OLD_PICTURE:
    case WORKER_PATH:
        return 0;
    case WORKER_FILE:
        return SESSION_FILE_MAX;
    default:
        return -1;
    }
}

int64_t worker_limit_of_process(uint32_t type)
{
    switch (type) {
    case WORKER_CONFINED:
        return sizeof(struct worker_layers);
    case WORKER_CONNECT:
        return sizeof(tick_t);
    case WORKER_DATAGRAMS:
        return sizeof(uint16_t);
    case WORKER_HEARD:
    case WORKER_EXPLAIN:
    case WORKER_WAKE:
    case WORKER_ALIVE:
        return 0;
    case WORKER_EVENT: /* the largest bulk is a text, or a pointer's shape */
        return sizeof(struct session_event) + SESSION_CUT_TEXT_MAX;
    case WORKER_STATS:
        return sizeof(struct session_stats);
    case WORKER_LINE:
        return LOG_LINE_MAX;
    case WORKER_TRACE:
    case WORKER_TRACE_END:
        return TRACE_MAX;
    case WORKER_SOUND:
        return SOUND_PIECE_MAX;
    case WORKER_RECORD_BEGIN:
    case WORKER_RECORD:
        return WORKER_RECORD_MAX;
    default:
        return -1;
    }
}

/* ---- layers ---- */

static void list_layers(const struct worker_layers *l, bool holds, char *out, size_t size)
{
    const struct {
        bool on;
        const char *name;
    } all[] = {{l->files, "Landlock"},
               {l->calls, "seccomp"},
               {l->namespaces, "namespaces"},
               {l->limits, "limits"}};
    size_t used = 0;

    *out = '\0';
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].on == holds && used < size)
            used +=
                (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "", all[i].name);
}

void worker_describe_layers(const struct worker_layers *layers, char *out, size_t size)
{
    char holds[64], lacks[64];

    list_layers(layers, true, holds, sizeof holds);
    list_layers(layers, false, lacks, sizeof lacks);
    snprintf(out, size, "%s%s%s", *holds ? holds : "nothing", *lacks ? "; not: " : "", lacks);
}

/* ---- figures ---- */

static void repair_number(double *n)
{
    if (!isfinite(*n) || *n < 0 || *n > FIGURE_MAX)
        *n = 0;
}

static void repair_text(char *text, size_t size)
{
    text[size - 1] = '\0';
    sanitise(text);
}

/* A time that has passed, or the value for "never". */
static void repair_time(tick_t *t, tick_t now)
{
    if (*t != TICK_NEVER && (*t < 0 || *t > now))
        *t = now;
}

static void repair_bytes(int64_t *n)
{
    if (*n < -1 || *n > (int64_t)FIGURE_MAX)
        *n = -1;
}

static void repair_side(int *n)
{
    if (*n < 0 || *n > FRAMEBUFFER_MAX_SIDE)
        *n = 0;
}

static void repair_counter(uint64_t *n)
{
    if (*n > (uint64_t)FIGURE_MAX)
        *n = 0;
}

/* Counts that cannot be become none. */
static void repair_percentile(struct percentile *p)
{
    uint64_t count = 0;

    for (int i = 0; i < PERCENTILE_BUCKETS; i++)
        count += p->bucket[i];
    if (p->count != count)
        percentile_init(p);
    repair_number(&p->sum);
    repair_number(&p->max);
}

static void repair_meter(struct meter *m, tick_t now)
{
    repair_counter(&m->updates);
    repair_counter(&m->pseudo_updates);
    repair_counter(&m->skipped);
    repair_counter(&m->input_events);
    for (int i = 0; i < REQUEST_CAUSES; i++)
        repair_counter(&m->requests[i]);
    repair_time(&m->first_update, now);
    repair_time(&m->last_update, now);
    repair_percentile(&m->gaps);
    repair_percentile(&m->gaps_row);
}

static void repair_memory(struct session_memory *m)
{
    bool known =
        m->minor >= 3 && m->minor <= 8 && security_find(SECURITY_ALL, m->security, m->subtype);

    repair_side(&m->width);
    repair_side(&m->height);
    if (m->quality < 0 || m->quality > QUALITY_STEPS)
        m->quality = 0;
    if (m->window < 0 || m->window > WINDOW_MAX)
        m->window = 0;
    m->minor = known && m->width > 0 && m->height > 0 ? m->minor : 0;
}

/* A bool of another process may be any byte. */
static void repair_flag(bool *flag)
{
    uint8_t byte;

    memcpy(&byte, flag, sizeof byte);
    *flag = byte != 0;
}

/* Parts that do not add up are none. */
static void repair_response(struct response_parts *p)
{
    repair_flag(&p->far);
    if (!response_parts_valid(p))
        *p = (struct response_parts){.total = 0};
}

void worker_stats_repair(struct session_stats *s, tick_t now)
{
    double *const numbers[] = {&s->fps,           &s->prp_ms,      &s->rtt_ms,    &s->queue_ms,
                               &s->delivery_rate, &s->busy,        &s->answer_ms, &s->decode_s,
                               &s->rtt_now_ms,    &s->response_ms, &s->cpu_s};
    bool *const flags[] = {&s->pushed,       &s->blocks,
                           &s->h264,         &s->datagrams,
                           &s->silent,       &s->rests,
                           &s->recording,    &s->played,
                           &s->certificate,  &s->fingerprinted,
                           &s->accelerated,  &s->key_codes,
                           &s->more_buttons, &s->extended_clipboard,
                           &s->memory.waits, &s->memory.hello_waits,
                           &s->ticket_used,  &s->preview,
                           &s->film,         &s->play.paused,
                           &s->play.seeking};

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        repair_number(numbers[i]);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        repair_flag(flags[i]);
    repair_meter(&s->meter, now);
    repair_memory(&s->memory);
    repair_response(&s->response);
    repair_response(&s->response_mean);
    if (s->responses < 0 || s->response_mean.total == 0)
        s->responses = 0;
    repair_time(&s->response_drawn, now);
    repair_time(&s->heard_at, now);
    if (s->elapsed < 0 || s->elapsed > now)
        s->elapsed = 0;
    repair_bytes(&s->bytes_received);
    repair_bytes(&s->bytes_sent);
    repair_bytes(&s->window_bytes);
    repair_side(&s->width);
    repair_side(&s->height);
    repair_counter(&s->pixels);
    repair_counter(&s->h264_unread);
    for (int row = 0; row < ENCODINGS_MAX; row++) {
        repair_counter(&s->weights[row].rectangles);
        repair_counter(&s->weights[row].bytes);
    }
    if (s->quality < -1 || s->quality > 9)
        s->quality = -1;
    if (s->jpeg < 0 || s->jpeg > 100)
        s->jpeg = 0;
    if (s->compress < -1 || s->compress > 9)
        s->compress = -1;
    if (s->pushing.jpeg > 100)
        s->pushing.jpeg = 0;
    if (s->pushing.film_qp > 51)
        s->pushing.film_qp = 0;
    repair_text(s->pushing.policy, sizeof s->pushing.policy);
    if (s->sound >= SOUND_STATES)
        s->sound = SOUND_NONE;
    repair_counter(&s->sound_bytes);
    repair_counter(&s->sound_late);
    repair_text(s->name, sizeof s->name);
    repair_text(s->quality_why, sizeof s->quality_why);
    repair_text(s->security, sizeof s->security);
    repair_text(s->congestion, sizeof s->congestion);
    repair_text(s->rule, sizeof s->rule);
}

bool worker_question_allowed(const struct session_options *o, const struct session_question *q)
{
    security_set allowed = session_allows(o);

    if (q->kind != QUESTION_TRUST)
        return security_has(allowed, q->channel, q->proof);
    if (q->channel == CHANNEL_CERTIFICATE)
        return !*o->x509_ca && !o->pinned && security_with_certificate(allowed);
    return !o->pinned && security_has(allowed, q->channel, PROOF_PLAIN);
}
