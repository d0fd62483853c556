#include "viewer/headless/headless.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "rfb/system/clock.h"
#include "rfb/system/log.h"
#include "rfb/system/thread.h"
#include "viewer/desktop/connection/reconnect.h"
#include "viewer/headless/marks.h"
#include "viewer/servers/hosts.h"
#include "viewer/trust/trust.h"

#define COMPARE_DURATION_S 10.0
#define ROW_PERIOD         TICK_S

/* A row whose figures did not come in time is asked for again this much later. */
#define ROW_AGAIN (100 * TICK_MS)

/* With --marks or --warm-up: how long the first picture may take. */
#define FIRST_PICTURE_LIMIT (30 * TICK_S)

/* Marks that are not found yet are looked for so often even when nothing changes. */
#define SEARCH_PERIOD (50 * TICK_MS)

struct run {
    struct credentials *credentials;
    struct session *session;
    struct report *report;
    struct session_hooks hooks; /* of each session */
    const char *label, *prp;
    const struct options *options;
    double duration_s;   /* 0: no end */
    struct marks *marks; /* of this session; NULL: not asked for */
    int wake_fd;         /* eventfd: the session has something to tell */
    int signal_fd;
    bool progress;    /* a line on the terminal */
    tick_t connected; /* TICK_NEVER before, as all these: */
    tick_t first;     /* the first picture was there */
    tick_t warm;      /* when the warm-up is over */
    tick_t counted;   /* the warm-up is over: the figures and the duration count from here */
    tick_t next_row;
    unsigned tried; /* servers, of several */
    bool failed, interrupted, ended;
    enum failure failure; /* of the session that has ended */
};

static void headless_wake(void *user)
{
    struct run *r = user;

    eventfd_wake(r->wake_fd, "the run");
}

static void show_progress(struct run *r, const struct session_stats *now, double fps,
                          double bytes_per_s)
{
    fprintf(stderr, "\r%s  %5.1f s  %5.1f fps  %7.1f kB/s  RTT %.0f ms  PRP %.0f ms   ", r->label,
            tick_to_s(now->elapsed), fps, bytes_per_s / 1e3, now->rtt_ms, now->prp_ms);
}

/* False: the session's process, which is busy, gave no new figures; there is no row. */
static bool headless_row(struct run *r)
{
    struct session_stats before = r->report->last, now;
    double seconds;

    report_row(r->report, r->prp, r->session, &now);
    trace_log_flush(r->hooks.trace);
    seconds = tick_to_s(now.elapsed - before.elapsed);
    if (r->progress && seconds > 0)
        show_progress(r, &now, (double)(now.meter.updates - before.meter.updates) / seconds,
                      (double)(now.bytes_received - before.bytes_received) / seconds);
    return seconds > 0;
}

static void row_if_due(struct run *r, tick_t now)
{
    if (now < r->next_row)
        return;
    if (!headless_row(r)) {
        r->next_row = now + ROW_AGAIN;
        return;
    }
    r->next_row += ROW_PERIOD;
    if (r->next_row <= now) /* the machine was asleep */
        r->next_row = now + ROW_PERIOD;
}

/* Marks count from the first whole picture: with a warm-up of 0 s if need be. */
static bool has_warm_up(const struct run *r)
{
    return r->options->marks || r->options->warm_up_s > 0;
}

/* Says it below the line of progress. */
static void headless_say(const struct run *r, const char *text)
{
    if (r->progress && r->connected != TICK_NEVER)
        fputc('\n', stderr);
    log_line("%s", text);
}

static void say_end(const struct run *r, const char *text)
{
    struct reason why;

    reason_set(&why, "%s", text);
    trust_add_advice(&why);
    if (r->connected == TICK_NEVER)
        route_add_advice(&r->options->route, &why);
    headless_say(r, why.text);
}

static void handle_event(struct run *r, const struct session_event *e)
{
    const char *text = session_event_text(e);

    switch (e->type) {
    case SESSION_CONNECTED:
        credentials_accepted(r->credentials);
        r->connected = tick_now();
        report_begin(r->report); /* what connecting cost is no part of the run */
        r->next_row = r->connected + ROW_PERIOD;
        if (!has_warm_up(r))
            r->counted = r->connected;
        break;
    case SESSION_QUESTION:
        credentials_answer(r->credentials, r->session, session_event_question(e));
        break;
    case SESSION_CLOSED:
        if (text)
            say_end(r, text);
        r->failed = e->failure != FAILURE_PLAYED;
        r->failure = e->failure;
        r->ended = true;
        break;
    case SESSION_NOTICE:
        headless_say(r, text);
        break;
    default: /* nobody looks at cursors, bells and titles */
        break;
    }
}

static void headless_take_events(struct run *r)
{
    struct framebuffer_view view;
    struct session_event *e;
    uint64_t count;
    int taken = 0;

    if (read(r->wake_fd, &count, sizeof count) < 0 && errno != EAGAIN)
        log_debug("cannot read the wake-up: %s", strerror(errno));
    credentials_continue(r->credentials);
    while (taken < SESSION_EVENT_TYPES && (e = session_next_event(r->session))) {
        handle_event(r, e);
        free(e);
        taken++;
    }
    if (taken == SESSION_EVENT_TYPES) /* there may be more, for which nobody wakes us */
        headless_wake(r);
    /* what a window would do: take the damage, so that the next picture wakes us again */
    if (!framebuffer_lock(session_framebuffer(r->session), &view, true))
        return;
    if (r->marks)
        marks_look(r->marks, &view, tick_now());
    framebuffer_unlock(session_framebuffer(r->session));
}

static tick_t headless_after(tick_t start, double seconds)
{
    return start == TICK_NEVER ? TICK_NEVER : start + (tick_t)(seconds * (double)TICK_S);
}

/* Not before a picture has come: without one there are no figures. */
static tick_t end_of(const struct run *r)
{
    tick_t end = r->duration_s > 0 ? headless_after(r->counted, r->duration_s) : TICK_NEVER;

    if (end == TICK_NEVER || r->first != TICK_NEVER)
        return end;
    return tick_later(end, r->connected + FIRST_PICTURE_LIMIT);
}

/* When something has to be done even if the session has nothing to tell. */
static tick_t next_due(const struct run *r)
{
    tick_t due = tick_sooner(end_of(r), r->next_row);

    if (r->counted == TICK_NEVER)
        due = tick_sooner(due, r->warm);
    if (r->marks && r->first == TICK_NEVER)
        due = tick_sooner(due, tick_now() + SEARCH_PERIOD);
    return r->marks ? tick_sooner(due, marks_next_press(r->marks)) : due;
}

static void wait_until(struct run *r, tick_t until)
{
    struct pollfd p[2] = {{.fd = r->wake_fd, .events = POLLIN},
                          {.fd = r->signal_fd, .events = POLLIN}};
    struct timespec timeout = tick_to_timespec(until - tick_now());

    ppoll(p, 2, until == TICK_NEVER ? NULL : &timeout, NULL);
    if (p[1].revents) {
        r->interrupted = true;
        r->ended = true;
    }
    headless_take_events(r);
}

static void headless_fail(struct run *r, const char *why)
{
    headless_say(r, why);
    r->failed = true;
    r->ended = true;
}

static tick_t first_picture(const struct run *r, tick_t now)
{
    struct session_stats stats;

    if (r->marks)
        return marks_first(r->marks, now);
    session_stats(r->session, false, &stats);
    return stats.meter.first_update;
}

static void look_for_picture(struct run *r, tick_t now)
{
    if (r->connected == TICK_NEVER || r->first != TICK_NEVER || r->ended)
        return;
    r->first = first_picture(r, now);
    r->warm = headless_after(r->first, r->options->warm_up_s);
    if (r->first != TICK_NEVER && r->marks)
        marks_start_presses(r->marks, now);
    if (r->first == TICK_NEVER && has_warm_up(r) && now >= r->connected + FIRST_PICTURE_LIMIT)
        headless_fail(r, r->marks
                             ? "no marks came into the picture: start the lab's content on the "
                               "server's screen, or leave out --marks"
                             : "the server sent no picture to warm up with");
}

/* Before the figures count: waits for the warm-up to be over. */
static void warm_up(struct run *r, tick_t now)
{
    struct reason why;

    if (r->connected == TICK_NEVER || r->counted != TICK_NEVER || r->ended)
        return;
    if (now < r->warm)
        return;
    if (!report_count(r->report, r->prp, r->session)) {
        r->warm = now + ROW_AGAIN;
        return;
    }
    if (r->marks && !marks_begin(r->marks, now, &why)) {
        headless_fail(r, why.text);
        return;
    }
    r->counted = now;
    r->next_row = now + ROW_PERIOD;
}

static void headless_loop(struct run *r)
{
    while (!r->ended) {
        tick_t now;

        wait_until(r, next_due(r));
        now = tick_now();
        look_for_picture(r, now);
        warm_up(r, now);
        if (r->marks && !r->ended)
            marks_press_if_due(r->marks, r->session, now);
        row_if_due(r, now);
        if (now >= end_of(r))
            r->ended = true;
    }
}

/* The last presses may still be on their way. */
static void await_answers(struct run *r)
{
    tick_t until = tick_now() + SIGHTINGS_GRACE;

    while (marks_waiting(r->marks) && !r->failed && !r->interrupted && tick_now() < until)
        wait_until(r, until);
}

static void headless_summarise(struct run *r, struct summary *out)
{
    if (r->marks)
        marks_end(r->marks, tick_now());
    report_summary(r->report, r->prp, r->session, out);
    if (!r->marks)
        return;
    await_answers(r);
    out->marks = marks_take(r->marks);
}

static bool headless_start(struct run *r, struct session_options *options)
{
    r->connected = r->first = r->warm = r->counted = r->next_row = TICK_NEVER;
    r->ended = false;
    if (r->options->marks && !(r->marks = marks_create(r->options->press_every_ms)))
        return false;
    return (r->session = session_create(options, &r->hooks)) != NULL;
}

static void drop_session(struct run *r)
{
    credentials_cancel(r->credentials);
    session_destroy(r->session);
    marks_destroy(r->marks);
    r->session = NULL;
    r->marks = NULL;
}

/* With --listen: what has connected was not the server that is waited for. */
static bool was_stranger(const struct run *r)
{
    return r->options->route.listen && r->connected == TICK_NEVER && r->failed && !r->interrupted &&
           r->failure != FAILURE_NAME && reconnect_may_help(r->failure, true);
}

/* Of several servers: it went wrong with this one, before anything was shown. */
static bool has_another(const struct run *r, const struct session_options *options)
{
    return r->connected == TICK_NEVER && r->failed && !r->interrupted &&
           reconnect_has_another(r->failure, options->candidates.count, r->tried);
}

static void pass_server(struct run *r, struct session_options *options)
{
    struct address lost;

    headless_say(r, "trying the next server");
    if (session_server(r->session, &lost))
        candidates_pass(&options->candidates, &lost);
    r->failed = false;
    drop_session(r);
}

/* Runs a session to its end; after a stranger another one, and one with the next of several
 * servers. False when none could be started. */
static bool run_session(struct run *r, struct session_options *options)
{
    for (r->tried = 0; headless_start(r, options);) {
        tick_t next = tick_now() + RECONNECT_FIRST;

        r->tried++;
        headless_loop(r);
        if (has_another(r, options)) {
            pass_server(r, options);
            continue;
        }
        if (!was_stranger(r))
            return true;
        r->failed = r->ended = false;
        while (!r->ended && tick_now() < next) /* strangers shall not keep the machine busy */
            wait_until(r, next);
        drop_session(r);
        if (r->ended) /* stopped from outside */
            return false;
    }
    log_line("out of memory or threads");
    r->failed = true;
    return false;
}

/* One connection. False when there is nothing to report: the session could not be begun, or ended
 * before its figures counted. */
static bool headless_measure(struct run *r, struct session_options *options, struct summary *out)
{
    struct address server = options->address;
    bool counted = false;

    if (run_session(r, options)) {
        counted = r->counted != TICK_NEVER;
        if (counted)
            headless_summarise(r, out);
        if (r->connected != TICK_NEVER && r->progress)
            fputs(r->failed ? "" : "\n", stderr);
        if (!counted && r->connected != TICK_NEVER && !r->failed)
            headless_fail(r, "stopped before the warm-up was over: nothing to report");
    }
    if (r->session && r->options->recent &&
        (options->candidates.count == 0 || session_server(r->session, &server))) {
        hosts_learn(&server, &options->route, r->session);
        options->memory = hosts_recall(&server, &options->route);
    }
    drop_session(r);
    return counted;
}

static bool uses_stdout(const struct options *o)
{
    return (o->log && strcmp(o->log, "-") == 0) || (o->json && strcmp(o->json, "-") == 0);
}

static int headless_finish(const struct run *r, bool written, const struct reason *why)
{
    if (!written)
        log_line("%s", why->text);
    return r->failed || !written ? 1 : 0;
}

static int run_compare(const struct options *o, struct run *r, struct session_options *options)
{
    struct summary *both = calloc(2, sizeof *both), *plain = &both[0], *ahead = &both[1];
    const char *prp = r->prp;
    struct reason why;
    bool ok;
    int status = 1;

    if (!both) {
        log_line("out of memory");
        return 1;
    }
    r->label = "plain VNC     ";
    r->prp = "off";
    options->scheduler.policy = PRP_OFF;
    ok = headless_measure(r, options, plain) && !r->failed && !r->interrupted;
    if (ok) {
        r->label = "pre-requesting";
        r->prp = prp;
        options->scheduler.policy = o->policy;
        ok = headless_measure(r, options, ahead);
        if (ok && (r->failed || r->interrupted))
            log_line("the second run was cut short, after %.1f s", tick_to_s(ahead->stats.elapsed));
    }
    if (ok) {
        report_table(uses_stdout(o) ? stderr : stdout, plain, ahead);
        status =
            headless_finish(r, !o->json || report_json_compare(o->json, plain, ahead, &why), &why);
    } else if (r->interrupted) {
        log_line("stopped before both runs were done: nothing to compare");
    }
    summary_deinit(plain);
    summary_deinit(ahead);
    free(both);
    return status;
}

static int run_single(const struct options *o, struct run *r, struct session_options *options)
{
    struct summary *run = calloc(1, sizeof *run);
    struct reason why;
    int status;

    if (!run) {
        log_line("out of memory");
        return 1;
    }
    r->label = "";
    if (headless_measure(r, options, run)) {
        if (!r->failed || run->stats.meter.updates > 0)
            report_table(uses_stdout(o) ? stderr : stdout, NULL, run);
        status = headless_finish(r, !o->json || report_json(o->json, run, &why), &why);
    } else {
        status = r->failed ? 1 : 0;
    }
    summary_deinit(run);
    free(run);
    return status;
}

int headless_run(const struct options *o, struct session_options *options,
                 const struct session_hooks *hooks, struct credentials *credentials)
{
    struct report report;
    struct reason why;
    struct run r = {.credentials = credentials,
                    .report = &report,
                    .hooks = *hooks,
                    .options = o,
                    .duration_s = o->duration_s,
                    .progress = isatty(STDERR_FILENO)};
    char prp[24];
    sigset_t signals;
    int status;

    if (!report_open(&report, o->log, &why)) {
        log_line("%s", why.text);
        return 1;
    }
    options_prp_text(o, prp, sizeof prp);
    r.prp = prp;
    if (o->compare && r.duration_s <= 0)
        r.duration_s = COMPARE_DURATION_S;
    /* before any thread starts: they inherit the mask, so the signals come here only */
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    r.signal_fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    r.wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    r.hooks.callbacks = (struct session_callbacks){headless_wake, &r};
    credentials_set_wake(credentials, headless_wake, &r);
    status = o->compare ? run_compare(o, &r, options) : run_single(o, &r, options);
    credentials_set_wake(credentials, NULL, NULL);
    close(r.wake_fd);
    close(r.signal_fd);
    return report_close(&report) ? status : 1;
}
