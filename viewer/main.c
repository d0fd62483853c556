/* vnchl: the program. Reads the command line and hands over to the window or to headless mode. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rfb/decode/decoder.h"
#include "rfb/log.h"
#include "rfb/net/certificate.h"
#include "viewer/credentials.h"
#include "viewer/desktop/app.h"
#include "viewer/headless/headless.h"
#include "viewer/headless/report.h"
#include "viewer/options/options.h"
#include "viewer/trust.h"

/* Silence inside a message after which the server is given up. A link that loses a third of all
 * packets may be silent for 20 s and more while TCP tries again. */
#define STALL_TIMEOUT (60 * TICK_S)

#define EXIT_USAGE 2

/* What the window's one-second tick needs. */
struct window_report {
    const struct options *options;
    struct report report;
    struct trace_log *trace; /* NULL: not asked for */
    struct session *session; /* which the report follows; NULL: none yet */
    char prp[24];
    bool failed;
};

static void tick(void *user, struct session *s, bool last)
{
    struct window_report *w = user;
    struct session_stats stats;
    struct summary summary;
    struct reason why;

    if (w->session && s != w->session)
        report_begin(&w->report);
    w->session = s;
    report_row(&w->report, w->prp, s, &stats);
    trace_log_flush(w->trace);
    if (!last || !w->options->json)
        return;
    report_summary(&w->report, w->prp, s, &summary);
    if (!report_json(w->options->json, &summary, &why)) {
        log_line("%s", why.text);
        w->failed = true;
    }
}

/* enum clipboard_way */
static unsigned ways(bool send, bool receive)
{
    return (send ? CLIPBOARD_SEND : 0) | (receive ? CLIPBOARD_RECEIVE : 0);
}

static int run_window(const struct options *o, const struct session_options *session,
                      struct credentials *credentials)
{
    struct window_report w = {.options = o, .trace = session->trace};
    struct app_options ui = {
        .view_only = o->view_only,
        .primary = ways(o->send_primary, o->set_primary),
        .full_screen = o->full_screen,
        .maximize = o->maximize,
        .place = o->place,
        .grab_keyboard = o->grab_keyboard,
        .dot_cursor = o->dot_cursor,
        .vsync = o->vsync,
        .reconnect = o->reconnect,
        .start = o->start,
        .recent = o->recent,
        .ask = o->ask != ASK_TERMINAL,
        .alert = o->alert,
        .theme = o->theme,
        .credentials = credentials,
        .tick = tick,
        .user = &w,
    };
    struct reason why;
    int status;

    if (!report_open(&w.report, o->log, &why)) {
        log_line("%s", why.text);
        return EXIT_FAILURE;
    }
    options_prp_text(o, w.prp, sizeof w.prp);
    report_begin(&w.report);
    status = app_run(session, &ui);
    w.failed = !report_close(&w.report) || w.failed;
    return w.failed ? EXIT_FAILURE : status;
}

static int run(const struct options *o, struct credentials *credentials)
{
    struct session_options session = {
        .address = o->address,
        .route = o->route,
        .transport = {.window_bytes = o->window_bytes},
        .encodings = o->encodings,
        .scheduler = {.policy = o->policy,
                      .fixed_prp = o->fixed_prp,
                      .max_fps = o->max_fps,
                      .max_rate = o->max_rate / 8,
                      .lossless_refresh = o->lossless_refresh,
                      .quality_pinned = o->encodings.quality != LEVEL_AUTO &&
                                        o->encodings.compress != LEVEL_AUTO},
        .connect_timeout = (tick_t)(o->connect_timeout_s * (double)TICK_S),
        .stall_timeout = STALL_TIMEOUT,
        .shared = o->shared,
        .clipboard =
            o->headless ? 0 : ways(o->send_clipboard && !o->view_only, o->accept_clipboard),
        .security = o->security,
        .x509_ca = o->x509_ca,
        .x509_crl = o->x509_crl,
        .fingerprint = o->pinned ? o->fingerprint : NULL,
        .had_certificate = trust_had_certificate(&o->address),
    };

    struct reason why;
    int status;

    if (o->trace && !(session.trace = trace_log_open(o->trace, &why))) {
        log_line("%s", why.text);
        return EXIT_FAILURE;
    }
    status =
        o->headless ? headless_run(o, &session, credentials) : run_window(o, &session, credentials);
    if (!trace_log_close(session.trace, &why)) {
        log_line("%s", why.text);
        status = EXIT_FAILURE;
    }
    return status;
}

/* A file opened later would take the place of a standard descriptor that is closed, and messages
 * would go into it. What is written to one opened for reading fails, and can be said. */
static void fill_standard_descriptors(void)
{
    int fd;

    do
        fd = open("/dev/null", O_RDONLY);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
}

/* What was said on standard output may be lost only now. Somebody else has said so already when
 * the status is a failure. */
static int finish(int status)
{
    if (status != EXIT_SUCCESS || (fflush(stdout) == 0 && !ferror(stdout)))
        return status;
    log_line("cannot write standard output: %s", strerror(errno));
    return EXIT_FAILURE;
}

static bool readable(const char *file, struct reason *why)
{
    return access(file, R_OK) == 0 || reason_set(why, "cannot read %s: %s", file, strerror(errno));
}

/* As other viewers do: what the environment says takes the place of our own way to run ssh. */
static bool take_via_command(struct gateway *g, struct reason *why)
{
    const char *command = getenv("VNC_VIA_CMD");

    return g->host[0] == '\0' || !command || gateway_set_command(g, command, why);
}

int main(int argc, char **argv)
{
    struct credentials credentials;
    struct options o;
    struct reason why;
    int status;

    fill_standard_descriptors();
    signal(SIGPIPE, SIG_IGN); /* a pipe whose reader has gone is an error that is said */
    switch (options_parse(&o, argc, argv, &why)) {
    case OPTIONS_DONE:
        return finish(EXIT_SUCCESS);
    case OPTIONS_BAD:
        log_line("%s", why.text);
        options_deinit(&o);
        return EXIT_USAGE;
    case OPTIONS_RUN:
        break;
    }
    log_set_verbose(o.verbose);
    if (o.notice.text[0])
        log_line("%s", o.notice.text);
    log_debug("pixels are decoded by libvncclient %s; CVE-2026-44988 and CVE-2026-50538 are closed "
              "only in packages that carry their patches, see docs/security.md",
              decoder_library_version());
    /* what cannot be read or written later is said at the beginning */
    if (!take_via_command(&o.route.gateway, &why) || (o.json && !report_writable(o.json, &why)) ||
        (o.x509_ca && !certificate_file_check(o.x509_ca, &why)) ||
        (o.x509_crl && !readable(o.x509_crl, &why)) ||
        !credentials_init(&credentials, o.passwd_file, &why)) {
        log_line("%s", why.text);
        options_deinit(&o);
        return EXIT_FAILURE;
    }
    credentials.saves = o.save_password;
    credentials_give(&credentials, o.user, o.has_password ? o.password : NULL);
    status = run(&o, &credentials);
    credentials_deinit(&credentials);
    options_deinit(&o);
    return finish(status);
}
