#include "viewer/headless/report.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rfb/system/clock.h"
#include "rfb/system/log.h"
#include "rfb/system/thread.h"
#include "rfb/texts/response_words.h"
#include "viewer/statistics.h"

#define CSV_HEADER                                                                                 \
    "time_s,prp,fps,updates,requests_first,requests_reactive,requests_timer,requests_input,"       \
    "requests_refresh,requests_skipped,cpu_percent,bytes_received,bytes_sent,rtt_ms,prp_ms,gap_"   \
    "p50_ms,gap_p95_ms,"                                                                           \
    "gap_max_ms,queue_ms,delivery_kbit_s,busy_percent,in_flight,quality,compress,response_ms,"     \
    "response_input_ms,response_server_ms,response_encoder_ms,response_queue_ms,response_path_ms," \
    "response_server_and_line_ms,response_decoder_ms,response_why\n"

static bool is_stdout(const char *file)
{
    return strcmp(file, "-") == 0;
}

static const char *report_name_of(const char *file)
{
    return is_stdout(file) ? "standard output" : file;
}

static bool report_cannot_write(const char *file, struct reason *why)
{
    return reason_set(why, "cannot write %s: %s", report_name_of(file), strerror(errno));
}

bool report_writable(const char *file, struct reason *why)
{
    bool existed = access(file, F_OK) == 0;
    char *made;
    FILE *f;

    if (is_stdout(file))
        return true;
    if (!(f = fopen(file, "a")))
        return report_cannot_write(file, why);
    fclose(f);
    if (!existed && (made = realpath(file, NULL))) {
        unlink(made); /* what a link leads to, not the link */
        free(made);
    }
    return true;
}

/* Says once what went wrong with the log, and gives it up. */
static void give_up_log(struct report *r)
{
    log_line("cannot write %s: %s%s", report_name_of(r->log_name), strerror(errno),
             r->log ? "; no more is logged" : "");
    r->log_failed = true;
    if (r->owns_log && r->log)
        fclose(r->log);
    r->log = NULL;
}

static void flush_log(struct report *r)
{
    if (fflush(r->log) != 0 || ferror(r->log))
        give_up_log(r);
}

bool report_open(struct report *r, const char *log, struct reason *why)
{
    memset(r, 0, sizeof *r);
    if (!log)
        return true;
    r->log_name = log;
    r->owns_log = !is_stdout(log);
    r->log = r->owns_log ? fopen(log, "w") : stdout;
    if (!r->log)
        return report_cannot_write(log, why);
    fputs(CSV_HEADER, r->log);
    flush_log(r);
    return true;
}

bool report_close(struct report *r)
{
    FILE *log = r->log;

    r->log = NULL;
    if (log && r->owns_log && fclose(log) != 0)
        give_up_log(r);
    return !r->log_failed;
}

void report_begin(struct report *r)
{
    memset(&r->last, 0, sizeof r->last);
    r->counted = false;
    r->start = tick_now();
    r->start_cpu_s = r->last_cpu_s = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

static int64_t report_grown(int64_t now, int64_t before)
{
    return now < 0 ? -1 : now - (before > 0 ? before : 0);
}

static void say_status(struct report *r, const struct session_stats *stats)
{
    char line[200];

    if (!status_line(&r->said, stats, line, sizeof line))
        return;
    log_debug("%s", line);
    r->said = *stats;
}

/* The columns of a response whose picture was drawn since the row before. */
static void write_response(FILE *log, const struct session_stats *now,
                           const struct session_stats *before)
{
    struct response_parts p = now->response;
    char why[RESPONSE_WORDS];

    if (now->response_drawn == before->response_drawn)
        p = (struct response_parts){.total = 0};
    fprintf(log, ",%.3f", tick_to_ms(p.total));
    for (int i = 0; i < RESPONSE_DISPLAY; i++) /* nothing is displayed here */
        fprintf(log, ",%.3f", tick_to_ms(p.part[i]));
    response_say(why, sizeof why, &p);
    fprintf(log, ",%s\n", *why ? why : "-");
}

bool report_row(struct report *r, const char *prp, struct session *s, struct session_stats *stats)
{
    const struct meter *m = &stats->meter, *l = &r->last.meter;
    double cpu, seconds;
    bool fresh = session_stats(s, true, stats);

    cpu = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) + stats->cpu_s;
    say_status(r, stats);
    seconds = tick_to_s(stats->elapsed - r->last.elapsed);
    if (r->log && seconds > 0) {
        fprintf(r->log, "%.3f,%s,%.2f,%llu", tick_to_s(stats->elapsed), prp,
                (double)(m->updates - l->updates) / seconds,
                (unsigned long long)(m->updates - l->updates));
        for (int i = 0; i < REQUEST_CAUSES; i++)
            fprintf(r->log, ",%llu", (unsigned long long)(m->requests[i] - l->requests[i]));
        fprintf(
            r->log, ",%llu,%.2f,%lld,%lld,%.2f,%.1f,%.1f,%.1f,%.1f,%.1f,%.0f,%.0f,%u,%d,%d",
            (unsigned long long)(m->skipped - l->skipped), 100 * (cpu - r->last_cpu_s) / seconds,
            (long long)report_grown(stats->bytes_received, r->last.bytes_received),
            (long long)report_grown(stats->bytes_sent, r->last.bytes_sent), stats->rtt_ms,
            stats->prp_ms, percentile_get(&m->gaps_row, 0.5), percentile_get(&m->gaps_row, 0.95),
            m->gaps_row.max, stats->queue_ms, stats->delivery_rate * 8 / 1e3, 100 * stats->busy,
            stats->in_flight, stats->quality, stats->compress);
        write_response(r->log, stats, &r->last);
        flush_log(r);
    }
    r->last = *stats;
    r->last_cpu_s = cpu;
    if (m->gaps_row.max > r->gap_max)
        r->gap_max = m->gaps_row.max;
    return fresh;
}

bool report_count(struct report *r, const char *prp, struct session *s)
{
    if (!report_row(r, prp, s, &r->base))
        return false;
    r->counted = true;
    r->gap_max = 0;
    r->start = tick_now();
    r->start_cpu_s = r->last_cpu_s;
    return true;
}

/* Leaves in `now` what came after the warm-up. */
static void subtract_warm_up(const struct report *r, struct session_stats *now)
{
    const struct meter *before = &r->base.meter;
    struct meter *m = &now->meter;

    m->updates -= before->updates;
    m->changes -= before->changes;
    m->pseudo_updates -= before->pseudo_updates;
    for (int i = 0; i < REQUEST_CAUSES; i++)
        m->requests[i] -= before->requests[i];
    m->skipped -= before->skipped;
    m->input_events -= before->input_events;
    for (int i = 0; i < PERCENTILE_BUCKETS; i++)
        m->gaps.bucket[i] -= before->gaps.bucket[i];
    m->gaps.count -= before->gaps.count;
    m->gaps.sum -= before->gaps.sum;
    m->gaps.max = fmax(r->gap_max, m->gaps_row.max);
    now->decode_s -= r->base.decode_s;
    now->pixels -= r->base.pixels;
    now->elapsed -= r->base.elapsed;
    now->bytes_received = report_grown(now->bytes_received, r->base.bytes_received);
    now->bytes_sent = report_grown(now->bytes_sent, r->base.bytes_sent);
    now->fps = now->elapsed > 0 ? (double)m->updates / tick_to_s(now->elapsed) : 0;
}

void summary_deinit(struct summary *s)
{
    if (!s->marks)
        return;
    sightings_deinit(s->marks);
    free(s->marks);
    s->marks = NULL;
}

void report_summary(struct report *r, const char *prp, struct session *s, struct summary *out)
{
    double seconds = tick_to_s(tick_now() - r->start);

    snprintf(out->prp, sizeof out->prp, "%s", prp);
    session_stats(s, false, &out->stats);
    say_status(r, &out->stats); /* a short run has no row */
    if (r->counted)
        subtract_warm_up(r, &out->stats);
    out->marks = NULL;
    session_confined_by(s, out->layers, sizeof out->layers);
    out->cpu_s = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) + out->stats.cpu_s - r->start_cpu_s;
    out->cpu_percent = seconds > 0 ? 100 * out->cpu_s / seconds : 0;
}

/* ---- JSON ---- */

static void report_add(cJSON *to, const char *key, double value)
{
    cJSON_AddNumberToObject(to, key, round(value * 1000) / 1000);
}

static void add_count(cJSON *to, const char *key, int64_t value)
{
    if (value < 0)
        cJSON_AddNullToObject(to, key);
    else
        cJSON_AddNumberToObject(to, key, (double)value);
}

static void add_marks(cJSON *to, const struct sightings *marks)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    if (f) {
        sightings_write(marks, f);
        if (fclose(f) == 0)
            cJSON_AddRawToObject(to, "marks", text);
    }
    free(text);
}

static void report_add_part(cJSON *to, const char *key, tick_t part, bool known)
{
    if (known)
        report_add(to, key, tick_to_ms(part));
    else
        cJSON_AddNullToObject(to, key);
}

/* Which parts are known depends on whether a far end tells its own. */
static void add_response(cJSON *to, const char *key, const struct response_parts *p, int64_t count)
{
    cJSON *all;
    char why[RESPONSE_WORDS];

    if (p->total <= 0) {
        cJSON_AddNullToObject(to, key);
        return;
    }
    all = cJSON_AddObjectToObject(to, key);
    add_count(all, "count", count);
    report_add(all, "total_ms", tick_to_ms(p->total));
    report_add_part(all, "input_ms", p->part[RESPONSE_INPUT], p->far);
    report_add_part(all, "server_ms", p->part[RESPONSE_SERVER], p->far);
    report_add_part(all, "encoder_ms", p->part[RESPONSE_ENCODER], p->far);
    report_add_part(all, "queue_ms", p->part[RESPONSE_QUEUE], p->far);
    report_add_part(all, "path_ms", p->part[RESPONSE_PATH], true);
    report_add_part(all, "path_queue_ms", p->path_queue, p->far);
    report_add_part(all, "server_and_line_ms", p->part[RESPONSE_REST], !p->far);
    report_add_part(all, "decoder_ms", p->part[RESPONSE_DECODER], true);
    if (p->loss >= 0)
        report_add(all, "loss_percent", 100 * p->loss);
    else
        cJSON_AddNullToObject(all, "loss_percent");
    response_say(why, sizeof why, p);
    cJSON_AddStringToObject(all, "why", why);
}

static cJSON *to_json(const struct summary *run)
{
    static const char *const causes[REQUEST_CAUSES] = {"first", "reactive", "timer", "input",
                                                       "refresh"};
    const struct session_stats *s = &run->stats;
    cJSON *all = cJSON_CreateObject(), *part;

    cJSON_AddStringToObject(all, "prp", run->prp);
    report_add(all, "prp_ms", s->prp_ms);
    cJSON_AddBoolToObject(all, "pushed", s->pushed);
    cJSON_AddBoolToObject(all, "blocks", s->blocks);
    cJSON_AddBoolToObject(all, "datagrams", s->datagrams);
    if (s->blocks) {
        part = cJSON_AddObjectToObject(all, "references");
        add_count(part, "moved", (int64_t)s->references.moved);
        add_count(part, "kept", (int64_t)s->references.kept);
        add_count(part, "prefixed", (int64_t)s->references.prefixed);
        add_count(part, "foretold", (int64_t)s->references.foretold);
        add_count(part, "refused", (int64_t)s->references.refused);
    }
    report_add(all, "duration_s", tick_to_s(s->elapsed));
    add_count(all, "updates", (int64_t)s->meter.updates);
    report_add(all, "fps", s->fps);
    part = cJSON_AddObjectToObject(all, "requests");
    for (int i = 0; i < REQUEST_CAUSES; i++)
        add_count(part, causes[i], (int64_t)s->meter.requests[i]);
    add_count(part, "skipped", (int64_t)s->meter.skipped);
    add_count(all, "bytes_received", s->bytes_received);
    add_count(all, "bytes_sent", s->bytes_sent);
    report_add(all, "cpu_percent", run->cpu_percent);
    report_add(all, "rtt_ms", s->rtt_ms);
    add_response(all, "response", &s->response, 1);
    add_response(all, "response_mean", &s->response_mean, s->responses);
    part = cJSON_AddObjectToObject(all, "gap_ms");
    report_add(part, "p50", percentile_get(&s->meter.gaps, 0.5));
    report_add(part, "p95", percentile_get(&s->meter.gaps, 0.95));
    report_add(part, "max", s->meter.gaps.max);
    part = cJSON_AddObjectToObject(all, "path");
    report_add(part, "queue_ms", s->queue_ms);
    report_add(part, "delivery_kbit_s", s->delivery_rate * 8 / 1e3);
    report_add(part, "busy_percent", 100 * s->busy);
    add_count(part, "in_flight", s->in_flight);
    if (s->played) {
        part = cJSON_AddObjectToObject(all, "decode");
        cJSON_AddNumberToObject(part, "cpu_s", s->decode_s);
        add_count(part, "pixels", (int64_t)s->pixels);
    }
    if (s->pushing.policy[0]) {
        part = cJSON_AddObjectToObject(all, "push");
        cJSON_AddStringToObject(part, "policy", s->pushing.policy);
        add_count(part, "rate_kbit_s", s->pushing.rate_kbit);
        add_count(part, "sent_kbit_s", s->pushing.sent_kbit);
        report_add(part, "fps", s->pushing.fps10 / 10.0);
        add_count(part, "jpeg", s->pushing.jpeg);
        add_count(part, "film_qp", s->pushing.film_qp > 0 ? (int64_t)s->pushing.film_qp : -1);
    }
    add_count(all, "quality", s->quality);
    add_count(all, "compress", s->compress);
    add_count(all, "jpeg", s->blocks ? s->jpeg : -1);
    add_count(all, "film_frames", (int64_t)s->film_frames);
    add_count(all, "h264_unread", (int64_t)s->h264_unread);
    cJSON_AddStringToObject(all, "quality_why", s->quality_why);
    add_count(all, "window_bytes", s->window_bytes);
    add_count(all, "width", s->width);
    add_count(all, "height", s->height);
    cJSON_AddStringToObject(all, "server_name", s->name);
    cJSON_AddStringToObject(all, "confined_by", run->layers);
    cJSON_AddBoolToObject(all, "accelerated", s->accelerated);
    cJSON_AddStringToObject(all, "congestion", s->congestion);
    part = cJSON_AddArrayToObject(all, "encodings_seen");
    for (int row = 0; row < ENCODINGS_MAX; row++)
        if (s->encodings_seen >> row & 1)
            cJSON_AddItemToArray(part, cJSON_CreateString(encoding_name(encoding_number(row))));
    part = cJSON_AddObjectToObject(all, "encoding_bytes");
    for (int row = 0; row < ENCODINGS_MAX; row++)
        if (s->weights[row].rectangles > 0)
            add_count(part, encoding_name(encoding_number(row)), (int64_t)s->weights[row].bytes);
    if (run->marks)
        add_marks(all, run->marks);
    return all;
}

static bool write_json(const char *file, cJSON *json, struct reason *why)
{
    char *text = cJSON_Print(json);
    bool ok = text != NULL;
    FILE *f;

    cJSON_Delete(json);
    if (!ok)
        return reason_set(why, "out of memory");
    f = is_stdout(file) ? stdout : fopen(file, "w");
    ok = f && fprintf(f, "%s\n", text) > 0 && fflush(f) == 0;
    if (f && f != stdout)
        ok = fclose(f) == 0 && ok;
    free(text);
    return ok || report_cannot_write(file, why);
}

bool report_json(const char *file, const struct summary *run, struct reason *why)
{
    return write_json(file, to_json(run), why);
}

double report_speedup(const struct summary *plain, const struct summary *prerequest)
{
    return plain->stats.fps > 0 ? prerequest->stats.fps / plain->stats.fps : 0;
}

bool report_json_compare(const char *file, const struct summary *plain,
                         const struct summary *prerequest, struct reason *why)
{
    cJSON *all = cJSON_CreateObject();

    cJSON_AddItemToObject(all, "plain", to_json(plain));
    cJSON_AddItemToObject(all, "prerequest", to_json(prerequest));
    report_add(all, "speedup", report_speedup(plain, prerequest));
    return write_json(file, all, why);
}
