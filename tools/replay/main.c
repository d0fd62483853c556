/* vnchl-replay: runs traces through the scheduler again. docs/trace.md is the manual. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "prerequest/decide/scheduler.h"
#include "prerequest/trace.h"
#include "rfb/texts/response_words.h"

/* ---- a trace through the scheduler, in virtual time, and what it decides compared ---- */

struct replay {
    struct scheduler_options options;
    tick_t first, last; /* the times of the first and the newest record */
    uint64_t records;
    uint64_t events[EVENT_TYPES];
    uint64_t requests[REQUEST_CAUSES];
    uint64_t decisions;         /* records after which the decision was another one than before */
    bool lost;                  /* the trace says that it lacks its end */
    bool differs;               /* a decision was not the recorded one: */
    struct trace_record record; /* where */
    struct scheduler_decision decided;
};

enum replay_result { REPLAY_EQUAL, REPLAY_DIFFERS, REPLAY_REFUSED };

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

/* Reads the trace at `path`, up to the first decision that differs. Every record is listed on
 * `list`, unless that is NULL. `why` (WHY bytes) tells why a file is refused. */
static enum replay_result replay_file(struct replay *r, const char *path, FILE *list, char *why)
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

/* ---- the program ---- */

#define EXIT_USAGE 2

static void replay_usage(void)
{
    puts("Usage: vnchl-replay [--list] FILE...\n"
         "\n"
         "Runs traces that vnchl --trace has written through the scheduler again, without a "
         "network,\n"
         "and compares every decision: when the next request is due, why, and how good the picture "
         "is\n"
         "to be. Ends with status 0 when all are equal, 1 when one differs (the first is shown) or "
         "a\n"
         "file is refused, because it is damaged or no trace.\n"
         "\n"
         "  --list     show every event, and what was decided then\n"
         "  --help     show this text\n"
         "  --version  show the version");
}

static void print_decision(const char *who, const struct trace_record *at,
                           const struct scheduler_decision *d)
{
    printf("  %s: ", who);
    if (d->next.at == TICK_NEVER)
        printf("no request is due");
    else
        printf("a request (%s) is due %.6f ms later", request_cause_name(d->next.cause),
               tick_to_ms(d->next.at - at->at));
    printf(", quality step %d%s\n", d->quality, d->lossless ? ", lossless" : "");
}

static void print_summary(const char *path, const struct replay *r)
{
    printf("%s: %.1f s, %llu events, %llu updates, %llu decisions; requests:", path,
           tick_to_s(r->last - r->first), (unsigned long long)r->records,
           (unsigned long long)r->events[EVENT_UPDATE_FINISHED], (unsigned long long)r->decisions);
    for (int c = 0; c < REQUEST_CAUSES; c++)
        printf(" %llu %s%s", (unsigned long long)r->requests[c],
               request_cause_name((enum request_cause)c), c + 1 < REQUEST_CAUSES ? "," : "");
    printf("%s\n", r->lost ? "; the trace lacks its end" : "");
}

/* Whether all decisions are equal. */
static bool replay(const char *path, bool list)
{
    struct replay r;
    char why[WHY];

    switch (replay_file(&r, path, list ? stdout : NULL, why)) {
    case REPLAY_EQUAL:
        print_summary(path, &r);
        return true;
    case REPLAY_DIFFERS:
        print_summary(path, &r);
        printf("%s: the decision after event %llu (%s, at %.6f ms) differs\n", path,
               (unsigned long long)r.records, trace_event_name(r.record.event.type),
               tick_to_ms(r.record.at - r.first));
        print_decision("recorded", &r.record, &r.record.decision);
        print_decision("now", &r.record, &r.decided);
        return false;
    default:
        fprintf(stderr, "vnchl-replay: %s\n", why);
        return false;
    }
}

int main(int argc, char **argv)
{
    bool list = false, equal = true;
    int files = 0;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            replay_usage();
            return EXIT_SUCCESS;
        }
        if (strcmp(argv[i], "--version") == 0) {
            puts("vnchl-replay " VNCHL_VERSION);
            return EXIT_SUCCESS;
        }
        if (strcmp(argv[i], "--list") == 0) {
            list = true;
        } else if (argv[i][0] == '-') {
            fprintf(stderr, "vnchl-replay: unknown option '%s'; try --help\n", argv[i]);
            return EXIT_USAGE;
        } else {
            files++;
        }
    }
    if (files == 0) {
        fputs("vnchl-replay: which trace? Try --help\n", stderr);
        return EXIT_USAGE;
    }
    for (int i = 1; i < argc; i++)
        if (argv[i][0] != '-')
            equal = replay(argv[i], list) && equal;
    if (fflush(stdout) != 0) {
        fputs("vnchl-replay: cannot write the results\n", stderr);
        return EXIT_FAILURE;
    }
    return equal ? EXIT_SUCCESS : EXIT_FAILURE;
}
