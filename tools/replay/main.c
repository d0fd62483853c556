/* vnchl-replay: runs traces through the scheduler again. docs/trace.md is the manual. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/replay/replay.h"

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
    char why[256];

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
