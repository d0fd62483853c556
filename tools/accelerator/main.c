/* vnchl-accel: stands beside a VNC server and lets any viewer far away have its pictures as fast as
 * the path carries them (docs/accelerator.md).
 */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rfb/system/log.h"
#include "rfb/texts/duration.h"
#include "rfb/texts/spelling.h"
#include "tools/accelerator/events.h"
#include "tools/accelerator/push/rendezvous.h"
#include "tools/accelerator/service/config.h"
#include "tools/accelerator/service/service.h"
#include "tools/accelerator/ssh/once.h"

#define EXIT_USAGE 2

static const char help[] =
    "Usage: vnchl-accel --listen [ADDRESS:]PORT --server ADDRESS [OPTION]...\n"
    "       vnchl-accel --config FILE [OPTION]...\n"
    "       vnchl-accel --once --stdio [--server ADDRESS] [OPTION]...\n"
    "Stands beside a VNC server. Viewers connect to it as to the server. It asks the server for\n"
    "pictures, and sends them as fast as the viewer and the way to it can take them.\n\n"
    "  --listen [ADDRESS:]PORT   where viewers connect; without ADDRESS only from this machine,\n"
    "                            * for every address\n"
    "  --server ADDRESS          where their server is: HOST, HOST:DISPLAY, HOST::PORT, /SOCKET;\n"
    "                            --listen and --server may be given several times, in pairs\n"
    "  --server-key HEX          fingerprint (SHA-256) of the certificate that the server before "
    "it\n"
    "                            has to show\n"
    "  --announce NAME           tell viewers nearby of the port before it, under this name\n"
    "                            (DNS-SD, by Avahi's daemon)\n"
    "  --config FILE             ports, servers and settings\n"
    "  --check-config            say what is wrong with the settings, and end\n"
    "  --once --stdio            serve one viewer on standard input and output, as vnchl --ssh\n"
    "                            starts it; the server is one of yours on this machine, found\n"
    "                            without --server\n"
    "  --ask                     with --stdio: the viewer has to prove itself to the server, also\n"
    "                            where ~/.vnc/passwd would do\n"
    "  --resume TOKEN            with --stdio: go on with the session that was kept under TOKEN,\n"
    "                            32 hexadecimal digits, or begin one that is\n"
    "  --keep TIME               with --resume: how long a session that pushes waits for its "
    "viewer\n"
    "                            when that has gone without a word, such as 90s, 30m or 2d; off:\n"
    "                            not at all (default: 12h)\n"
    "  --verbose                 with --stdio: say what happens\n\n"
    "Settings (also in FILE, as NAME = VALUE below [accelerator]):\n"
    "  --congestion NAME         TCP congestion control towards viewers (default: bbr if the\n"
    "                            kernel has it)\n"
    "  --continuous-updates own|hide|pass\n"
    "                            for viewers that know them: the accelerator's own, none, or the\n"
    "                            server's (default: own)\n"
    "  --security server|x509|pass\n"
    "                            server: TLS is ended here, and viewers are offered what the "
    "server\n"
    "                            offers; x509: and the same with a certificate, also where the\n"
    "                            server has no TLS; pass: TLS is passed on as it is (default:\n"
    "                            server)\n"
    "  --certificate FILE, --key FILE\n"
    "                            (PEM) for viewers; without them one is made and kept\n"
    "  --state FOLDER            where it is kept\n"
    "  --push yes|no             push blocks to viewers that take them, such as vnchl\n"
    "                            (default: yes)\n"
    "  --push-policy auto|octopus[:MS]\n"
    "                            what leaves as datagrams when: our own rules, or those of "
    "Octopus,\n"
    "                            an update every MS if it is said, for comparisons (default: "
    "auto)\n"
    "  --datagrams yes|no        push them by UDP, too, where viewers can reach it (default: yes)\n"
    "  --udp-ports FIRST-LAST    at which these are awaited, one for each such viewer (default:\n"
    "                            60000-61000)\n"
    "  --accelerate yes|no       no: pass everything on as it is (default: yes)\n"
    "  --algorithm auto|paper    when the server is asked, and what may be on its way: by our own\n"
    "                            rules, or by those of Taylor and Pasquale's paper alone, to\n"
    "                            reproduce it (default: auto)\n"
    "  --forward at-once|whole   whether updates leave as they come, or when they have come whole\n"
    "                            (default: at-once)\n"
    "  --hold KIB                what waits for one viewer at most (default: 4096)\n"
    "  --clients N               viewers at a time (default: 256)\n"
    "  --clients-per-address N   of them, from one address, or one /64 of IPv6 (default: 32)\n"
    "  --handshake-limit S       time from the connection to the first request, key or pointer\n"
    "                            event (default: 60; 3600 with --stdio)\n"
    "  --drain S                 how long sessions may go on after SIGTERM (default: 30)\n"
    "  --metrics [ADDRESS:]PORT  figures for Prometheus, by HTTP\n\n"
    "  --help, --version\n";

enum {
    OPT_LISTEN = 256,
    OPT_SERVER,
    OPT_SERVER_KEY,
    OPT_ANNOUNCE,
    OPT_CONFIG,
    OPT_CHECK,
    OPT_ONCE,
    OPT_STDIO,
    OPT_ASK,
    OPT_KEEP,
    OPT_RESUME,
    OPT_VERBOSE,
    OPT_SETTING,
    OPT_HELP,
    OPT_VERSION
};

static const struct option longs[] = {{"listen", required_argument, NULL, OPT_LISTEN},
                                      {"server", required_argument, NULL, OPT_SERVER},
                                      {"server-key", required_argument, NULL, OPT_SERVER_KEY},
                                      {"announce", required_argument, NULL, OPT_ANNOUNCE},
                                      {"config", required_argument, NULL, OPT_CONFIG},
                                      {"check-config", no_argument, NULL, OPT_CHECK},
                                      {"once", no_argument, NULL, OPT_ONCE},
                                      {"stdio", no_argument, NULL, OPT_STDIO},
                                      {"ask", no_argument, NULL, OPT_ASK},
                                      {"keep", required_argument, NULL, OPT_KEEP},
                                      {"resume", required_argument, NULL, OPT_RESUME},
                                      {"verbose", no_argument, NULL, OPT_VERBOSE},
                                      {"congestion", required_argument, NULL, OPT_SETTING},
                                      {"continuous-updates", required_argument, NULL, OPT_SETTING},
                                      {"security", required_argument, NULL, OPT_SETTING},
                                      {"certificate", required_argument, NULL, OPT_SETTING},
                                      {"key", required_argument, NULL, OPT_SETTING},
                                      {"state", required_argument, NULL, OPT_SETTING},
                                      {"push", required_argument, NULL, OPT_SETTING},
                                      {"push-policy", required_argument, NULL, OPT_SETTING},
                                      {"datagrams", required_argument, NULL, OPT_SETTING},
                                      {"udp-ports", required_argument, NULL, OPT_SETTING},
                                      {"accelerate", required_argument, NULL, OPT_SETTING},
                                      {"algorithm", required_argument, NULL, OPT_SETTING},
                                      {"forward", required_argument, NULL, OPT_SETTING},
                                      {"hold", required_argument, NULL, OPT_SETTING},
                                      {"clients", required_argument, NULL, OPT_SETTING},
                                      {"clients-per-address", required_argument, NULL, OPT_SETTING},
                                      {"handshake-limit", required_argument, NULL, OPT_SETTING},
                                      {"drain", required_argument, NULL, OPT_SETTING},
                                      {"metrics", required_argument, NULL, OPT_SETTING},
                                      {"help", no_argument, NULL, OPT_HELP},
                                      {"version", no_argument, NULL, OPT_VERSION},
                                      {0}};

/* What the command line says, kept so that it can be applied again after a reload. */
struct command_line {
    int argc;
    char **argv;
    bool check, once, stdio, ask, verbose;
    const char *server;        /* with --stdio; NULL: it is to be found */
    const char *keep, *resume; /* with --stdio; NULL: not given */
};

/* Settings of the command line win over those of the file, so they come last. */
static bool apply_settings(struct config *c, const struct command_line *line, struct reason *why)
{
    const char *listen = NULL;
    struct config_port *last = NULL;
    int index = 0;
    bool ok = true;

    optind = 0;
    for (int code;
         ok && (code = getopt_long_only(line->argc, line->argv, "+", longs, &index)) != -1;) {
        struct reason cause;

        if (code == OPT_LISTEN && listen) {
            ok = reason_set(why, "--listen %s has no --server behind it", listen);
        } else if (code == OPT_LISTEN) {
            listen = optarg;
        } else if (code == OPT_SERVER && !listen) {
            ok = reason_set(why, "--server %s has no --listen in front of it", optarg);
        } else if (code == OPT_SERVER) {
            ok = config_add_port(c, listen, optarg, why);
            last = ok ? &c->ports[c->count - 1] : NULL;
            listen = NULL;
        } else if (code == OPT_SERVER_KEY && !last) {
            ok = reason_set(why, "--server-key %s has no --server in front of it", optarg);
        } else if (code == OPT_ANNOUNCE && !last) {
            ok = reason_set(why, "--announce %s has no --server in front of it", optarg);
        } else if (code == OPT_ANNOUNCE) {
            ok = config_set_announce(last, optarg, why);
        } else if (code == OPT_SERVER_KEY) {
            ok = config_set_server_key(last, optarg, why);
        } else if (code == OPT_SETTING && !config_set(c, longs[index].name, optarg, &cause)) {
            ok = reason_set(why, "--%s: %s", longs[index].name, cause.text);
        }
    }
    if (ok && listen)
        ok = reason_set(why, "--listen %s has no --server behind it", listen);
    return ok;
}

/* For one viewer: there is no port, no file, and no key that is kept. */
static bool fits_once(const char *name)
{
    static const char *const others[] = {
        "listen",      "server-key", "announce", "config", "check-config", "key",
        "certificate", "state",      "metrics",  "drain",  "clients",      "clients-per-address"};

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(name, others[i]) == 0)
            return false;
    return true;
}

/* ns: ssh lets in nobody but the user, who may be looking for a password. */
#define ONCE_HANDSHAKE_LIMIT (3600 * TICK_S)
#define ONCE_KEEP            "12h"

/* A viewer that wants to be asked for its proof is asked each time: nothing is kept for it. */
static bool apply_keep(struct config *c, const struct command_line *line, struct reason *why)
{
    if (!duration_parse(line->keep ? line->keep : ONCE_KEEP, &c->connection.keep_s))
        return reason_set(why, "--keep takes " DURATION_FORM ", not '%.40s'", line->keep);
    if (line->resume && !rendezvous_takes(line->resume))
        return reason_set(why, "--resume takes %d hexadecimal digits, not '%.40s'", FAR_END_TOKEN,
                          line->resume);
    c->connection.token = line->ask || c->connection.keep_s == 0 ? NULL : line->resume;
    return true;
}

static bool apply_once(struct config *c, struct command_line *line, struct reason *why)
{
    struct reason cause;
    int index = 0;
    bool ok = true;

    if (!line->once || !line->stdio)
        return reason_set(why, "--once and --stdio go together: one viewer, on standard input and "
                               "output");
    c->once = true;
    c->connection.handshake_limit = ONCE_HANDSHAKE_LIMIT;
    optind = 0;
    for (int code;
         ok && (code = getopt_long_only(line->argc, line->argv, "+", longs, &index)) != -1;) {
        const char *name = longs[index].name;

        if (!fits_once(name))
            ok = reason_set(why, "--%s does not go with --stdio", name);
        else if (code == OPT_SERVER && line->server)
            ok = reason_set(why, "one --server at a time goes with --stdio");
        else if (code == OPT_SERVER)
            line->server = optarg;
        else if (code == OPT_SETTING && !config_set(c, name, optarg, &cause))
            ok = reason_set(why, "--%s: %s", name, cause.text);
    }
    return ok && apply_keep(c, line, why) &&
           (!c->connection.certificate ||
            reason_set(why, "--security x509 does not go with --stdio: no certificate is "
                            "made for one viewer"));
}

static bool apply_files(struct config *c, const struct command_line *line, struct reason *why)
{
    bool ok = true;

    optind = 0;
    for (int code; ok && (code = getopt_long_only(line->argc, line->argv, "+", longs, NULL)) != -1;)
        if (code == OPT_CONFIG)
            ok = config_read(c, optarg, why);
    return ok;
}

static struct config *read_once(struct command_line *line, struct reason *why)
{
    struct config *c = config_create(-1);

    if (!c)
        reason_set(why, "out of memory");
    if (c && apply_once(c, line, why))
        return c;
    config_free(c);
    return NULL;
}

static struct config *accelerator_read_config(void *user, int cancel_fd, struct reason *why)
{
    const struct command_line *line = user;
    struct config *c = config_create(cancel_fd);

    if (!c)
        reason_set(why, "out of memory");
    if (c && apply_files(c, line, why) && apply_settings(c, line, why) && config_check(c, why))
        return c;
    config_free(c);
    return NULL;
}

/* The option that may have been meant; NULL: none is near. */
static const char *accelerator_nearest(const char *name)
{
    size_t best = spelling_near(name);
    const char *found = NULL;

    for (const struct option *o = longs; o->name; o++)
        if (spelling_distance(name, o->name) < best) {
            best = spelling_distance(name, o->name);
            found = o->name;
        }
    return found;
}

/* A word that is no option, or stands for several. */
static int accelerator_unknown(const char *word)
{
    char name[SPELLING_MAX];
    const char *meant;

    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    meant = accelerator_nearest(name + strspn(name, "-"));
    if (meant)
        fprintf(stderr, "vnchl-accel: unknown option '%s': did you mean --%s?\n", name, meant);
    else
        fprintf(stderr, "vnchl-accel: '%s' is no option; try --help\n", name);
    return EXIT_USAGE;
}

/* What getopt does not understand. */
static int accelerator_misused(const struct command_line *line, int code)
{
    const char *word = line->argv[optind - 1];

    if (code == ':' || (code == '?' && optopt >= OPT_LISTEN)) {
        fprintf(stderr, "vnchl-accel: option '%s' %s\n", word,
                code == ':' ? "needs a value" : "takes no value");
        return EXIT_USAGE;
    }
    return accelerator_unknown(word);
}

/* The exit status; -1: go on. */
static int accelerator_look_at(struct command_line *line)
{
    opterr = 0; /* said here */
    for (int code; (code = getopt_long_only(line->argc, line->argv, "+:", longs, NULL)) != -1;) {
        switch (code) {
        case OPT_HELP:
            fputs(help, stdout);
            return EXIT_SUCCESS;
        case OPT_VERSION:
            puts("vnchl-accel " VNCHL_VERSION);
            return EXIT_SUCCESS;
        case OPT_CHECK:
            line->check = true;
            break;
        case OPT_ONCE:
            line->once = true;
            break;
        case OPT_STDIO:
            line->stdio = true;
            break;
        case OPT_ASK:
            line->ask = true;
            break;
        case OPT_KEEP:
            line->keep = optarg;
            break;
        case OPT_RESUME:
            line->resume = optarg;
            break;
        case OPT_VERBOSE:
            line->verbose = true;
            break;
        case '?':
        case ':':
            return accelerator_misused(line, code);
        }
    }
    if (optind == line->argc)
        return -1;
    return accelerator_unknown(line->argv[optind]);
}

static int accelerator_failed(const struct reason *why, int status)
{
    fprintf(stderr, "vnchl-accel: %s\n", why->text);
    return status;
}

static int run_once(struct command_line *line)
{
    struct reason why;
    struct config *config = read_once(line, &why);

    if (!config)
        return accelerator_failed(&why, EXIT_USAGE);
    if (!line->verbose)
        events_keep_quiet();
    return once_run(config, line->server, !line->ask, &why)
               ? EXIT_SUCCESS
               : accelerator_failed(&why, EXIT_FAILURE);
}

static int run_service(struct command_line *line)
{
    struct config *config = NULL;
    struct service service;
    struct reason why;
    bool over;

    if (line->verbose)
        reason_set(&why, "--verbose goes with --stdio: all is said without it");
    else if (line->keep || line->resume)
        reason_set(&why, "--keep and --resume go with --stdio: only ssh says who comes again");
    else if (line->ask)
        reason_set(&why, "--ask goes with --stdio: a viewer that comes to a port is always asked");
    else
        config = accelerator_read_config(line, -1, &why);
    if (config && line->check) {
        printf("%d port%s, nothing wrong\n", config->count, config->count == 1 ? "" : "s");
        config_free(config);
        return EXIT_SUCCESS;
    }
    if (!config)
        return accelerator_failed(&why, EXIT_USAGE);
    if (!service_init(&service, config, &why)) {
        service_deinit(&service);
        events_end();
        return accelerator_failed(&why, EXIT_FAILURE);
    }
    service.read = accelerator_read_config;
    service.user = line;
    service_run(&service);
    over = service_deinit(&service);
    event_log(EVENT_ALWAYS, "ended", "clients=%llu",
              (unsigned long long)service.service_totals.accepted);
    events_end();
    if (!over)
        _exit(EXIT_SUCCESS); /* exit() waits for that thread, too */
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    static char name[] = "vnchl-accel"; /* getopt puts it in front of what it says */
    struct command_line line = {.argc = argc, .argv = argv};
    int status;

    log_guard_descriptors();
    argv[0] = name;
    setvbuf(stderr, NULL, _IOLBF, 0);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a log that may not grow is an error, as one on a full disk */
    status = accelerator_look_at(&line);
    if (status >= 0)
        return status;
    return line.once || line.stdio ? run_once(&line) : run_service(&line);
}
