#include "prerequest/trace.h"

#include <string.h>

#include "prerequest/decide/quality.h"

static const char magic[8] = "vnchl-tr";
#define VERSION 1

/* The first byte of a record: the event's type, and these. A type that is not less than TYPE_END is
 * written less TYPE_END and with TYPE_LATER. */
#define TYPE_BITS  0x0f
#define TYPE_END   0x0f
#define TYPE_LATER 0x40
_Static_assert(EVENT_TYPES <= 2 * TYPE_END, "types have four bits, twice, and the end is one");
#define NEXT_CHANGED    0x10
#define QUALITY_CHANGED 0x20

/* The byte that tells why a request is due. */
#define CAUSE_BITS  0x07
#define CAUSE_NEVER 0x10

/* ---- bytes ---- */

struct writer {
    uint8_t *out;
    size_t size;
};

static void put_byte(struct writer *w, unsigned byte)
{
    w->out[w->size++] = (uint8_t)byte;
}

/* Seven bits a byte, the lowest first; the highest bit says that more follow. */
static void trace_put(struct writer *w, uint64_t value)
{
    for (; value > 0x7f; value >>= 7)
        put_byte(w, 0x80 | (unsigned)(value & 0x7f));
    put_byte(w, (unsigned)value);
}

/* Small numbers of either sign take few bytes: 0, -1, 1, -2 become 0, 1, 2, 3. */
static void put_signed(struct writer *w, int64_t value)
{
    trace_put(w, value < 0 ? ~(uint64_t)value << 1 | 1 : (uint64_t)value << 1);
}

static void put_double(struct writer *w, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 8; i++)
        put_byte(w, (unsigned)(bits >> 8 * i & 0xff));
}

struct reader {
    const uint8_t *in;
    size_t size, used;
    bool cut, bad;
};

static unsigned get_byte(struct reader *r)
{
    if (r->used == r->size)
        r->cut = true;
    return r->cut ? 0 : r->in[r->used++];
}

/* A byte that may not be more than `most`. */
static unsigned get_small(struct reader *r, unsigned most)
{
    unsigned byte = get_byte(r);

    r->bad = r->bad || byte > most;
    return byte > most ? 0 : byte;
}

static uint64_t trace_get(struct reader *r)
{
    uint64_t value = 0;

    for (unsigned shift = 0; shift < 63; shift += 7) {
        unsigned byte = get_byte(r);

        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
    r->bad = true; /* nothing takes more than 63 bits */
    return 0;
}

/* 36 years in ns, or an exabyte: no time or count of a real trace reaches it. So sums of a few do
 * not overflow. */
#define MOST ((int64_t)1 << 60)

/* A count of bytes, pixels or ns. */
static uint64_t get_count(struct reader *r)
{
    uint64_t value = trace_get(r);

    r->bad = r->bad || value > (uint64_t)MOST;
    return value;
}

/* A duration. */
static tick_t get_us(struct reader *r)
{
    uint64_t us = trace_get(r);

    r->bad = r->bad || us > UINT32_MAX;
    return r->bad ? 0 : (tick_t)us * 1000;
}

static int64_t get_signed(struct reader *r)
{
    uint64_t value = trace_get(r);

    return value & 1 ? -(int64_t)(value >> 1) - 1 : (int64_t)(value >> 1);
}

/* `base` and a change of it. */
static int64_t get_changed(struct reader *r, int64_t base)
{
    int64_t change = get_signed(r), sum;

    if (__builtin_add_overflow(base, change, &sum) || sum < 0 || sum > MOST) {
        r->bad = true;
        return 0;
    }
    return sum;
}

static double get_double(struct reader *r)
{
    uint64_t bits = 0;
    double value;

    for (int i = 0; i < 8; i++)
        bits |= (uint64_t)get_byte(r) << 8 * i;
    memcpy(&value, &bits, sizeof value);
    if (!(value >= 0 && value < 1e15)) { /* refuses NaN, too */
        r->bad = true;
        return 0;
    }
    return value;
}

static enum trace_result result(const struct reader *r, size_t *used)
{
    *used = r->used;
    return r->bad ? TRACE_BAD : r->cut ? TRACE_CUT : TRACE_RECORD;
}

/* ---- head and end ---- */

static void trace_begin(struct trace *t)
{
    *t = (struct trace){.decision = {.next = {.at = TICK_NEVER}}};
}

size_t trace_write_head(struct trace *t, const struct scheduler_options *options, uint8_t *out)
{
    struct writer w = {out, sizeof magic};

    trace_begin(t);
    memcpy(out, magic, sizeof magic);
    put_byte(&w, VERSION);
    put_byte(&w, options->policy);
    put_byte(&w, (unsigned)options->lossless_refresh | (unsigned)options->quality_pinned << 1 |
                     (unsigned)options->first_quality << 2);
    trace_put(&w, (uint64_t)options->fixed_prp);
    put_double(&w, options->max_fps);
    put_double(&w, options->max_rate);
    return w.size;
}

/* A limit that the user may set: 0, or a number with which a period can be computed. */
static bool sane_limit(double limit)
{
    return limit == 0 || (limit > 1e-3 && limit < 1e15);
}

enum trace_result trace_read_head(struct trace *t, struct scheduler_options *options,
                                  const uint8_t *in, size_t size, size_t *used)
{
    struct reader r = {.in = in, .size = size};
    unsigned flags;

    trace_begin(t);
    for (size_t i = 0; i < sizeof magic; i++)
        r.bad = (get_byte(&r) != (uint8_t)magic[i] && !r.cut) || r.bad;
    r.bad = (get_byte(&r) != VERSION && !r.cut) || r.bad;
    options->policy = (enum prp_policy)get_small(&r, PRP_POLICIES - 1);
    flags = get_small(&r, QUALITY_STEPS << 2 | 3);
    options->lossless_refresh = flags & 1;
    options->quality_pinned = flags & 2;
    options->first_quality = (int)(flags >> 2);
    options->fixed_prp = (tick_t)get_count(&r);
    options->max_fps = get_double(&r);
    options->max_rate = get_double(&r);
    r.bad = r.bad || (!r.cut && !(sane_limit(options->max_fps) && sane_limit(options->max_rate)));
    return result(&r, used);
}

size_t trace_write_end(const struct trace *t, bool lost, uint8_t *out)
{
    struct writer w = {out, 0};

    put_byte(&w, TYPE_END);
    put_byte(&w, lost);
    trace_put(&w, t->records);
    return w.size;
}

/* ---- records ---- */

/* In whole µs and hundredths of a percent. The total is the sum. */
static void put_response(struct writer *w, const struct response_parts *p)
{
    put_byte(w, p->far);
    trace_put(w, p->loss < 0 ? 0 : 1 + (uint64_t)(p->loss * 10000 + 0.5));
    trace_put(w, (uint64_t)p->path_queue / 1000);
    for (int i = 0; i < RESPONSE_PARTS; i++)
        trace_put(w, (uint64_t)p->part[i] / 1000);
}

static void get_response(struct reader *r, struct response_parts *p)
{
    uint64_t loss;

    p->far = get_small(r, 1);
    loss = get_count(r);
    p->loss = loss == 0 ? -1 : (double)(loss - 1) / 10000;
    p->path_queue = get_us(r);
    p->total = 0;
    for (int i = 0; i < RESPONSE_PARTS; i++)
        p->total += p->part[i] = get_us(r);
    r->bad = r->bad || !response_parts_valid(p);
}

static void put_event(struct writer *w, struct trace *t, const struct scheduler_event *e)
{
    switch (e->type) {
    case EVENT_ROUND_TRIP:
        put_signed(w, e->round_trip - t->round_trip);
        t->round_trip = e->round_trip;
        break;
    case EVENT_ARRIVED:
        put_signed(w, (int64_t)(e->arrived - t->arrived));
        t->arrived = e->arrived;
        break;
    case EVENT_UPDATE_FINISHED:
        put_byte(w, (unsigned)e->update.pixels | (unsigned)e->update.more << 1 |
                        (unsigned)e->update.news << 2);
        trace_put(w, e->update.bytes);
        break;
    case EVENT_LOSS:
        put_byte(w, (unsigned)e->loss.asked | (unsigned)e->loss.again << 1);
        trace_put(w, e->loss.pixels);
        break;
    case EVENT_INPUT_SENT:
        put_byte(w, e->acts);
        break;
    case EVENT_REQUEST_SENT:
    case EVENT_REQUEST_SKIPPED:
        put_byte(w, e->cause);
        break;
    case EVENT_REFRESH_SENT:
        trace_put(w, e->pixels);
        break;
    case EVENT_PUSH:
        put_byte(w, e->pushed);
        break;
    case EVENT_SERVER_KIND:
        put_byte(w, e->counts);
        break;
    case EVENT_TUNED:
        put_byte(w, e->tuning.policy);
        put_byte(w, e->tuning.quality_pinned);
        trace_put(w, (uint64_t)e->tuning.fixed_prp);
        break;
    case EVENT_HIDDEN:
        put_byte(w, e->hidden);
        break;
    case EVENT_RESPONSE:
        put_response(w, &e->response);
        break;
    default: /* the type says all */
        break;
    }
}

static void get_event(struct reader *r, struct trace *t, struct scheduler_event *e)
{
    unsigned flags;

    switch (e->type) {
    case EVENT_ROUND_TRIP:
        e->round_trip = t->round_trip = get_changed(r, t->round_trip);
        break;
    case EVENT_ARRIVED:
        e->arrived = t->arrived = (uint64_t)get_changed(r, (int64_t)t->arrived);
        break;
    case EVENT_UPDATE_FINISHED:
        flags = get_small(r, 7);
        e->update = (struct scheduler_update){flags & 1, flags & 2, flags & 4, get_count(r)};
        break;
    case EVENT_LOSS:
        flags = get_small(r, 3);
        e->loss = (struct scheduler_loss){get_count(r), flags & 1, flags & 2};
        break;
    case EVENT_INPUT_SENT:
        e->acts = get_small(r, 1);
        break;
    case EVENT_REQUEST_SENT:
    case EVENT_REQUEST_SKIPPED:
        e->cause = (enum request_cause)get_small(r, REQUEST_CAUSES - 1);
        break;
    case EVENT_REFRESH_SENT:
        e->pixels = get_count(r);
        break;
    case EVENT_PUSH:
        e->pushed = get_small(r, 1);
        break;
    case EVENT_SERVER_KIND:
        e->counts = get_small(r, 1);
        break;
    case EVENT_TUNED:
        e->tuning.policy = (enum prp_policy)get_small(r, PRP_POLICIES - 1);
        e->tuning.quality_pinned = get_small(r, 1);
        e->tuning.fixed_prp = (tick_t)get_count(r);
        break;
    case EVENT_HIDDEN:
        e->hidden = get_small(r, 1);
        break;
    case EVENT_RESPONSE:
        get_response(r, &e->response);
        break;
    default:
        break;
    }
}

static void put_next(struct writer *w, const struct scheduler_next *n, tick_t now)
{
    bool never = n->at == TICK_NEVER;

    put_byte(w, (unsigned)n->cause | (never ? CAUSE_NEVER : 0));
    if (!never)
        put_signed(w, n->at - now);
}

static struct scheduler_next get_next(struct reader *r, tick_t now)
{
    unsigned byte = get_byte(r);
    unsigned cause = byte & CAUSE_BITS;

    r->bad = r->bad || cause >= REQUEST_CAUSES || (byte & ~(unsigned)(CAUSE_BITS | CAUSE_NEVER));
    return (struct scheduler_next){
        .at = byte & CAUSE_NEVER ? TICK_NEVER : get_changed(r, now),
        .cause = cause < REQUEST_CAUSES ? (enum request_cause)cause : REQUEST_FIRST,
    };
}

static bool same_next(const struct scheduler_next *a, const struct scheduler_next *b)
{
    return a->at == b->at && a->cause == b->cause;
}

static unsigned type_bits(enum scheduler_event_type type)
{
    return type < TYPE_END ? type : (type - TYPE_END) | TYPE_LATER;
}

size_t trace_write(struct trace *t, const struct trace_record *r, uint8_t *out)
{
    const struct scheduler_decision *before = &t->decision, *now = &r->decision;
    bool next = !same_next(&before->next, &now->next);
    bool quality = before->quality != now->quality || before->lossless != now->lossless;
    struct writer w = {out, 0};

    put_byte(&w, type_bits(r->event.type) | (next ? NEXT_CHANGED : 0) |
                     (quality ? QUALITY_CHANGED : 0));
    put_signed(&w, r->at - t->at);
    put_event(&w, t, &r->event);
    if (next)
        put_next(&w, &now->next, r->at);
    if (quality)
        put_byte(&w, (unsigned)now->quality | (now->lossless ? TRACE_STEPS : 0));
    t->at = r->at;
    t->decision = r->decision;
    t->records++;
    return w.size;
}

static enum trace_result read_end(const struct trace *t, struct reader *r, bool *lost, size_t *used)
{
    enum trace_result got;

    *lost = get_small(r, 1);
    r->bad = (trace_get(r) != t->records && !r->cut) || r->bad;
    got = result(r, used);
    return got == TRACE_RECORD ? TRACE_END : got;
}

enum trace_result trace_read(struct trace *t, struct trace_record *out, bool *lost,
                             const uint8_t *in, size_t size, size_t *used)
{
    struct reader r = {.in = in, .size = size};
    unsigned head = get_small(&r, TYPE_BITS | TYPE_LATER | NEXT_CHANGED | QUALITY_CHANGED);
    unsigned type = head & TYPE_BITS, quality;
    struct trace after = *t;
    enum trace_result got;

    *out = (struct trace_record){.decision = t->decision};
    if (type == TYPE_END && !(head & TYPE_LATER))
        return read_end(t, &r, lost, used);
    type += head & TYPE_LATER ? TYPE_END : 0;
    r.bad = r.bad || type >= EVENT_TYPES;
    out->event.type = (enum scheduler_event_type)type;
    out->at = after.at = get_changed(&r, t->at);
    get_event(&r, &after, &out->event);
    if (head & NEXT_CHANGED)
        out->decision.next = get_next(&r, out->at);
    if (head & QUALITY_CHANGED) {
        quality = get_small(&r, 2 * TRACE_STEPS - 1);
        out->decision.quality = (int)(quality % TRACE_STEPS);
        out->decision.lossless = quality >= TRACE_STEPS;
    }
    got = result(&r, used);
    if (got == TRACE_RECORD) {
        after.decision = out->decision;
        after.records++;
        *t = after;
    }
    return got;
}

bool trace_same(const struct scheduler_decision *a, const struct scheduler_decision *b)
{
    return a->next.at == b->next.at &&
           (a->next.at == TICK_NEVER || a->next.cause == b->next.cause) &&
           a->quality == b->quality && a->lossless == b->lossless;
}

const char *trace_event_name(enum scheduler_event_type type)
{
    static const char *const names[EVENT_TYPES] = {
        [EVENT_ROUND_TRIP] = "round trip",
        [EVENT_NEW_PICTURE] = "new picture",
        [EVENT_UPDATE_BEGUN] = "update begun",
        [EVENT_ARRIVED] = "bytes arrived",
        [EVENT_UPDATE_FINISHED] = "update finished",
        [EVENT_RAN_DRY] = "ran dry",
        [EVENT_LOSS] = "loss",
        [EVENT_INPUT_SENT] = "input sent",
        [EVENT_REQUEST_SENT] = "request sent",
        [EVENT_REQUEST_SKIPPED] = "request skipped",
        [EVENT_ROOM] = "room",
        [EVENT_REFRESH_SENT] = "refresh sent",
        [EVENT_PUSH] = "push",
        [EVENT_TIME] = "time",
        [EVENT_SERVER_KIND] = "server kind",
        [EVENT_TUNED] = "tuned",
        [EVENT_HIDDEN] = "hidden",
        [EVENT_RESPONSE] = "response",
    };

    return names[type];
}

const char *request_cause_name(enum request_cause cause)
{
    static const char *const names[REQUEST_CAUSES] = {
        [REQUEST_FIRST] = "first", [REQUEST_REACTIVE] = "reactive", [REQUEST_TIMER] = "timer",
        [REQUEST_INPUT] = "input", [REQUEST_REFRESH] = "refresh",
    };

    return names[cause];
}
