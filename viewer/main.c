/* vnchl: the program. Reads the command line and hands over to the window or to headless mode. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "rfb/decode/picture_memory.h"
#include "rfb/net/crypto/certificate.h"
#include "rfb/net/recording/playback.h"
#include "rfb/system/log.h"
#include "viewer/desktop/app.h"
#include "viewer/desktop/chosen.h"
#include "viewer/desktop/pages/alert.h"
#include "viewer/headless/headless.h"
#include "viewer/headless/report.h"
#include "viewer/options/options.h"
#include "viewer/servers/hosts.h"
#include "viewer/trust/credentials.h"
#include "viewer/trust/seen_servers.h"
#include "viewer/trust/trust.h"

/* Silence inside a message after which the server is given up. A link that loses a third of all
 * packets may be silent for 20 s and more while TCP tries again. */
#define STALL_TIMEOUT (60 * TICK_S)

/* A recording may begin with a long silence, and have one inside of a message. */
#define PLAY_TIMEOUT (366 * 86400 * TICK_S)

#define EXIT_USAGE 2

/* What the window asks for: one-second ticks, and what is chosen in its start window. */
struct window {
    const struct options *options;
    struct credentials *credentials;
    struct seen_servers *seen;
    struct chosen chosen;
    struct form_source form; /* of what was chosen */
    struct session_options session;
    struct app_options ui;
    struct report report;
    struct session_hooks hooks;
    struct session *running; /* which the report follows; NULL: none yet */
    char prp[24];
    bool failed;
};

/* Says it where somebody will see it. */
static void viewer_say(const struct reason *why, bool alert, enum ui_theme theme)
{
    log_line("%s", why->text);
    if (alert && alert_is_needed())
        alert_show(why->text, theme);
}

static void viewer_tick(void *user, struct session *s, bool last)
{
    struct window *w = user;
    struct session_stats stats;
    struct summary summary;
    struct reason why;

    if (w->running && s != w->running)
        report_begin(&w->report);
    w->running = s;
    report_row(&w->report, w->prp, s, &stats);
    trace_log_flush(w->hooks.trace);
    if (!last || !w->options->json)
        return;
    report_summary(&w->report, w->prp, s, &summary);
    if (!report_json(w->options->json, &summary, &why)) {
        log_line("%s", why.text);
        w->failed = true;
    }
}

/* enum clipboard_way */
static unsigned viewer_ways(bool send, bool receive)
{
    return (send ? CLIPBOARD_SEND : 0) | (receive ? CLIPBOARD_RECEIVE : 0);
}

/* A longer name was refused before: such a file cannot be opened. */
static void set_file(char out[SESSION_FILE_MAX], const char *file)
{
    snprintf(out, SESSION_FILE_MAX, "%s", file ? file : "");
}

/* Changes options that are for a server (--play): a recording says itself when it has ended, it is
 * asked for nothing, it takes and gives no clipboard, and it may have been made with any encodings.
 */
static void viewer_play(struct session_options *session)
{
    session->connect_timeout = session->stall_timeout = PLAY_TIMEOUT;
    session->scheduler.lossless_refresh = false;
    session->clipboard = 0;
    session->sound = SOUND_WISH_OFF;
    encoding_list_all(&session->encodings.list);
    session->encodings.jpeg = true; /* what comes is chosen already */
}

static struct session_options session_of(const struct options *o)
{
    struct session_options session = {
        .address = o->address,
        .candidates = o->candidates,
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
        .clipboard = o->headless ? 0 : viewer_ways(o->send_clipboard, o->accept_clipboard),
        .security = o->security,
        .datagrams = o->datagrams,
        .sound = o->headless || o->record ? SOUND_WISH_OFF : o->sound,
        .sandbox = o->sandbox,
        .pinned = o->pinned,
    };

    set_file(session.x509_ca, o->x509_ca);
    set_file(session.x509_also, o->x509_also);
    set_file(session.x509_crl, o->x509_crl);
    memcpy(session.fingerprint, o->fingerprint, sizeof session.fingerprint);
    if (o->recent && o->candidates.count == 0)
        session.memory = hosts_recall(&o->address, &o->route);
    if (o->play)
        viewer_play(&session);
    return session;
}

static bool viewer_choose(void *user, const struct ui_choice *choice,
                          const struct session_options **session, const struct app_options **ui,
                          struct reason *why);

static struct app_options ui_of(struct window *w, const struct options *o)
{
    return (struct app_options){
        .view_only = o->view_only || o->play,
        .primary = viewer_ways(o->send_primary, o->set_primary),
        .full_screen = o->full_screen,
        .monitors = o->monitors,
        .maximize = o->maximize,
        .place = o->place,
        .scale = chosen_scale(o),
        .remote_resize = o->remote_resize,
        .desktop_width = o->desktop_width,
        .desktop_height = o->desktop_height,
        .grab_keyboard = o->grab_keyboard,
        .dot_cursor = o->dot_cursor,
        .vsync = o->vsync,
        .reconnect = o->reconnect,
        .start = w->options->start,
        .recent = o->recent,
        .keep_picture = o->keep_picture,
        .ask = o->ask != ASK_TERMINAL,
        .alert = o->alert,
        .theme = o->theme,
        .menu_key = o->menu_key,
        .statistics = o->statistics,
        .verbose = o->verbose,
        .notice = o->notice.text[0] ? o->notice.text : NULL,
        .credentials = w->credentials,
        .choose = viewer_choose,
        .form = &w->form,
        .tick = o->log || o->trace || o->record || o->verbose || o->json ? viewer_tick : NULL,
        .user = w,
    };
}

/* As other viewers do: what the environment says takes the place of our own way to run ssh. */
static bool take_via_command(struct gateway *g, struct reason *why)
{
    const char *command = getenv("VNC_VIA_CMD");

    return g->host[0] == '\0' || g->far_end || !command || gateway_set_command(g, command, why);
}

/* The path of a socket of this machine, which a server makes before anybody connects to it. */
static bool path_exists(const struct options *o, struct reason *why)
{
    const char *path = o->address.path;

    return path[0] == '\0' || o->route.gateway.far_end || access(path, F_OK) == 0 ||
           errno != ENOENT ||
           reason_set(why,
                      "there is no file %s: it can be the connection file of a viewer (.tigervnc, "
                      ".vnc) or the Unix socket of a server that runs",
                      path);
}

static struct credentials_options credentials_of(const struct options *o, struct seen_servers *seen)
{
    return (struct credentials_options){
        .user = o->user,
        .passwd_file = o->passwd_file,
        .named = o->typed.passwd_file,
        .password = o->has_password ? o->password : NULL,
        .asked = o->asked,
        .listens = o->route.listen,
        .types = o->typed.security,
        .save = o->save_password,
        .noted = o->recent,
        .seen = seen,
    };
}

/* What cannot be read or written later is said at the beginning. */
static bool viewer_prepare(struct options *o, struct seen_servers *seen,
                           struct credentials *credentials, struct reason *why)
{
    const struct credentials_options c = credentials_of(o, seen);

    log_set_verbose(o->verbose);
    return picture_memory_allowed(why) && path_exists(o, why) &&
           take_via_command(&o->route.gateway, why) &&
           (!o->json || report_writable(o->json, why)) &&
           (!o->x509_ca || certificate_file_check(o->x509_ca, why)) &&
           (!o->x509_also || certificate_file_check(o->x509_also, why)) &&
           (!o->play || playback_check(o->play, why)) &&
           (!o->x509_crl || certificate_list_check(o->x509_crl, why)) &&
           credentials_init(credentials, &c, why);
}

/* What was chosen counts from now on. `choice` is NULL: the same server again. */
static bool viewer_choose(void *user, const struct ui_choice *choice,
                          const struct session_options **session, const struct app_options **ui,
                          struct reason *why)
{
    struct window *w = user;
    struct credentials credentials;
    struct options o;

    if (!chosen_read(&w->chosen, choice, &o, why) ||
        !viewer_prepare(&o, w->seen, &credentials, why)) {
        options_deinit(&o);
        return false;
    }
    if (!choice)
        credentials_keep_typed(w->credentials, &credentials);
    credentials_replace(w->credentials, &credentials);
    chosen_take(&w->chosen, choice, &o);
    w->session = session_of(&w->chosen.now);
    seen_servers_set_written(w->seen, w->chosen.now.recent);
    w->ui = ui_of(w, &w->chosen.now);
    options_prp_text(&w->chosen.now, w->prp, sizeof w->prp);
    *session = &w->session;
    *ui = &w->ui;
    return true;
}

static int run_window(struct window *w, const struct session_options *session)
{
    const struct options *o = w->options;
    const struct app_options ui = ui_of(w, o);
    struct reason why;
    int status;

    w->form = chosen_form_source(&w->chosen);
    if (!report_open(&w->report, o->log, &why)) {
        viewer_say(&why, o->alert, o->theme);
        return EXIT_FAILURE;
    }
    options_prp_text(o, w->prp, sizeof w->prp);
    report_begin(&w->report);
    status = app_run(session, &w->hooks, &ui);
    chosen_deinit(&w->chosen);
    w->failed = !report_close(&w->report) || w->failed;
    return w->failed ? EXIT_FAILURE : status;
}

/* Says what was not written. */
static bool viewer_closed(bool written, const struct reason *why)
{
    if (!written)
        log_line("%s", why->text);
    return written;
}

static int viewer_run(const struct options *o, int argc, char **argv, struct seen_servers *seen,
                      struct credentials *credentials)
{
    struct session_options session = session_of(o);
    struct window w = {
        .options = o,
        .chosen = {.base = o, .argc = argc, .argv = argv},
        .credentials = credentials,
        .seen = seen,
        .hooks = {.look_back = {trust_had_certificate, trust_saw_certificate, seen}}};
    struct session_hooks *hooks = &w.hooks;
    struct reason why;
    int status;

    if ((o->trace && !(hooks->trace = trace_log_open(o->trace, &why))) ||
        (o->record && !(hooks->recording = recording_create(o->record, &why)))) {
        viewer_say(&why, o->alert && !o->headless, o->theme);
        trace_log_close(hooks->trace, &why);
        return EXIT_FAILURE;
    }
    status = o->headless ? headless_run(o, &session, hooks, credentials) : run_window(&w, &session);
    if (!viewer_closed(trace_log_close(hooks->trace, &why), &why))
        status = EXIT_FAILURE;
    if (!viewer_closed(recording_close(hooks->recording, &why), &why))
        status = EXIT_FAILURE;
    return status;
}

/* Everything that is known of servers and their secrets is known for this one run. */
static int run_with_secrets(struct options *o, int argc, char **argv)
{
    struct seen_servers *seen = seen_servers_create();
    struct credentials credentials;
    struct reason why;
    int status = EXIT_FAILURE;

    if (seen)
        seen_servers_set_written(seen, o->recent);
    if (!seen) {
        log_line("out of memory");
    } else if (!viewer_prepare(o, seen, &credentials, &why)) {
        viewer_say(&why, o->alert && !o->headless, o->theme);
    } else {
        status = viewer_run(o, argc, argv, seen, &credentials);
        credentials_deinit(&credentials);
    }
    seen_servers_destroy(seen);
    return status;
}

/* Passwords are in this process's memory. So the kernel writes no core dump of it, and other
 * programs of the same user cannot read it. Without a sandbox a debugger is wanted. */
static void keep_memory_private(const struct options *o)
{
    if (o->sandbox != SANDBOX_OFF)
        prctl(PR_SET_DUMPABLE, 0);
}

/* What was said on standard output may be lost only now. Somebody else has said so already when
 * the status is a failure. */
static int viewer_finish(int status)
{
    if (status != EXIT_SUCCESS || (fflush(stdout) == 0 && !ferror(stdout)))
        return status;
    log_line("cannot write standard output: %s", strerror(errno));
    return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    struct options o;
    struct reason why;
    int status;

    log_guard_descriptors();
    signal(SIGPIPE, SIG_IGN); /* a pipe whose reader has gone is an error that is said */
    signal(SIGXFSZ, SIG_IGN); /* so is a file that may not grow any more */
    switch (options_parse(&o, argc, argv, &why)) {
    case OPTIONS_DONE:
        return viewer_finish(EXIT_SUCCESS);
    case OPTIONS_BAD:
        viewer_say(&why, options_alert(argc, argv), o.theme);
        options_deinit(&o);
        return EXIT_USAGE;
    case OPTIONS_RUN:
        break;
    }
    keep_memory_private(&o);
    if (o.notice.text[0] && o.headless)
        log_line("%s", o.notice.text);
    if (o.keep_picture && o.headless)
        log_line("no picture is kept: --keep-picture is for a window, not for --headless");
    status = run_with_secrets(&o, argc, argv);
    options_deinit(&o);
    return viewer_finish(status);
}
