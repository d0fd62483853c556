#include "tools/replay/replay.h"

#include <errno.h>
#include <string.h>
#include <zlib.h>

#include "rfb/texts/response_words.h"

#define WHY 256

/* A window on the file: what has been read and not used. */
struct input {
    gzFile file;
    uint8_t bytes[64 * 1024];
    size_t used, size;
    bool ended;
};

static enum replay_result replay_refuse(char *why, const char *path, const char *cause)
{
    snprintf(why, WHY, "%s: %s", path, cause);
    return REPLAY_REFUSED;
}

/* Makes room and reads on. False when the file cannot be read. */
static bool replay_fill(struct input *in)
{
    int got;

    memmove(in->bytes, in->bytes + in->used, in->size - in->used);
    in->size -= in->used;
    in->used = 0;
    got = gzread(in->file, in->bytes + in->size, (unsigned)(sizeof in->bytes - in->size));
    if (got < 0)
        return false;
    in->ended = got == 0;
    in->size += (size_t)got;
    return true;
}

static void list_response(FILE *list, const struct response_parts *p)
{
    char parts[200];

    response_list(parts, sizeof parts, p, false);
    fprintf(list, " %10.3f ms: %s;", tick_to_ms(p->total), parts);
}

static void list_record(FILE *list, const struct replay *r, const struct trace_record *record,
                        const struct scheduler_decision *decided)
{
    const struct scheduler_event *e = &record->event;
    double due = tick_to_ms(decided->next.at - record->at);

    if (!list)
        return;
    fprintf(list, "%12.3f ms  %-15s", tick_to_ms(record->at - r->first), trace_event_name(e->type));
    switch (e->type) {
    case EVENT_ROUND_TRIP:
        fprintf(list, " %10.3f ms", tick_to_ms(e->round_trip));
        break;
    case EVENT_ARRIVED:
        fprintf(list, " %10llu B ", (unsigned long long)e->arrived);
        break;
    case EVENT_UPDATE_FINISHED:
        fprintf(list, " %10llu B ", (unsigned long long)e->update.bytes);
        break;
    case EVENT_LOSS:
        fprintf(list, " %10llu px", (unsigned long long)e->loss.pixels);
        break;
    case EVENT_REFRESH_SENT:
        fprintf(list, " %10llu px", (unsigned long long)e->pixels);
        break;
    case EVENT_HIDDEN:
        fprintf(list, " %13s", e->hidden ? "from now on" : "no longer");
        break;
    case EVENT_RESPONSE:
        list_response(list, &e->response);
        break;
    case EVENT_REQUEST_SENT:
    case EVENT_REQUEST_SKIPPED:
        fprintf(list, " %13s", request_cause_name(e->cause));
        break;
    default:
        fprintf(list, " %13s", "");
        break;
    }
    if (decided->next.at == TICK_NEVER)
        fprintf(list, "  nothing is due");
    else
        fprintf(list, "  %s due in %.3f ms (%s)", request_cause_name(decided->next.cause), due,
                rule_name(decided->next.rule));
    fprintf(list, ", quality step %d%s\n", decided->quality, decided->lossless ? ", lossless" : "");
}

static void replay_count(struct replay *r, const struct trace_record *record, bool changed)
{
    if (r->records == 0)
        r->first = record->at;
    r->last = record->at;
    r->records++;
    r->events[record->event.type]++;
    if (record->event.type == EVENT_REQUEST_SENT)
        r->requests[record->event.cause]++;
    else if (record->event.type == EVENT_REFRESH_SENT && record->event.pixels > 0)
        r->requests[REQUEST_REFRESH]++;
    r->decisions += changed;
}

/* One record: what the scheduler does with it, and whether that is what it did then. */
static bool replay_step(struct replay *r, struct scheduler *s, const struct trace_record *record,
                        FILE *list)
{
    struct scheduler_decision before = scheduler_decide(s, record->at), decided;

    scheduler_tell(s, &record->event, record->at);
    decided = scheduler_decide(s, record->at);
    replay_count(r, record, !trace_same(&before, &decided));
    list_record(list, r, record, &decided);
    if (trace_same(&record->decision, &decided))
        return true;
    r->differs = true;
    r->record = *record;
    r->decided = decided;
    return false;
}

static enum replay_result replay_run(struct replay *r, struct input *in, const char *path,
                                     FILE *list, char *why)
{
    struct scheduler scheduler;
    struct trace trace;
    enum trace_result got = TRACE_CUT;
    bool begun = false;

    for (;;) {
        struct trace_record record;
        size_t used = 0;

        if (in->size - in->used <
                (TRACE_HEAD_MAX > TRACE_RECORD_MAX ? TRACE_HEAD_MAX : TRACE_RECORD_MAX) &&
            !in->ended && !replay_fill(in))
            return replay_refuse(why, path, "damaged, or no trace: it cannot be unpacked");
        if (!begun) {
            got = trace_read_head(&trace, &r->options, in->bytes + in->used, in->size - in->used,
                                  &used);
            scheduler_init(&scheduler, &r->options);
            begun = true;
        } else {
            got = trace_read(&trace, &record, &r->lost, in->bytes + in->used, in->size - in->used,
                             &used);
            if (got == TRACE_RECORD && !replay_step(r, &scheduler, &record, list))
                return REPLAY_DIFFERS;
        }
        if (got != TRACE_RECORD)
            break;
        in->used += used;
    }
    switch (got) {
    case TRACE_END:
        return REPLAY_EQUAL;
    case TRACE_CUT:
        return replay_refuse(why, path,
                             r->records > 0
                                 ? "cut short: the program that wrote it did not end by itself"
                                 : "no trace: it is too short");
    default:
        return replay_refuse(
            why, path, r->records > 0 ? "damaged" : "no trace, or of another version of vnchl");
    }
}

enum replay_result replay_file(struct replay *r, const char *path, FILE *list, char *why)
{
    static struct input in; /* large; one file at a time */
    enum replay_result result;

    memset(r, 0, sizeof *r);
    memset(&in, 0, sizeof in);
    errno = ENOMEM;
    if (!(in.file = gzopen(path, "rbe")))
        return replay_refuse(why, path, strerror(errno));
    result = replay_run(r, &in, path, list, why);
    gzclose(in.file);
    return result;
}
