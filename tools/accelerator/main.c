/* vnchl-accel: stands beside a VNC server and lets any viewer far away have its pictures as fast as
 * the path carries them (docs/accelerator.md).
 */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rfb/log.h"
#include "rfb/spelling.h"
#include "tools/accelerator/config.h"
#include "tools/accelerator/events.h"
#include "tools/accelerator/service.h"

#define EXIT_USAGE 2

static const char help[] =
    "Usage: vnchl-accel --listen [ADDRESS:]PORT --server ADDRESS [OPTION]...\n"
    "       vnchl-accel --config FILE [OPTION]...\n"
    "Stands beside a VNC server. Viewers connect to it as to the server. It asks the server for\n"
    "pictures, and sends them as fast as the viewer and the way to it can take them.\n\n"
    "  --listen [ADDRESS:]PORT   where viewers connect; without ADDRESS only from this machine,\n"
    "                            * for every address\n"
    "  --server ADDRESS          where their server is: HOST, HOST:DISPLAY, HOST::PORT, /SOCKET;\n"
    "                            --listen and --server may be given several times, in pairs\n"
    "  --config FILE             ports, servers and settings\n"
    "  --check-config            say what is wrong with the settings, and end\n\n"
    "Settings (also in FILE, as NAME = VALUE below [accelerator]):\n"
    "  --congestion NAME         TCP congestion control towards viewers (default: bbr if the\n"
    "                            kernel has it)\n"
    "  --continuous-updates own|hide|pass\n"
    "                            for viewers that know them: the accelerator's own, none, or the\n"
    "                            server's (default: own)\n"
    "  --accelerate yes|no       no: pass everything on as it is (default: yes)\n"
    "  --forward at-once|whole   whether updates leave as they come, or when they have come whole\n"
    "                            (default: at-once)\n"
    "  --hold KIB                what waits for one viewer at most (default: 4096)\n"
    "  --clients N               viewers at a time (default: 256)\n"
    "  --clients-per-address N   of them, from one address, or one /64 of IPv6 (default: 32)\n"
    "  --handshake-limit S       time from the connection to the first request, key or pointer\n"
    "                            event (default: 60)\n"
    "  --drain S                 how long sessions may go on after SIGTERM (default: 30)\n"
    "  --metrics [ADDRESS:]PORT  figures for Prometheus, by HTTP\n\n"
    "  --help, --version\n";

enum { OPT_LISTEN = 256, OPT_SERVER, OPT_CONFIG, OPT_CHECK, OPT_SETTING, OPT_HELP, OPT_VERSION };

static const struct option longs[] = {{"listen", required_argument, NULL, OPT_LISTEN},
                                      {"server", required_argument, NULL, OPT_SERVER},
                                      {"config", required_argument, NULL, OPT_CONFIG},
                                      {"check-config", no_argument, NULL, OPT_CHECK},
                                      {"congestion", required_argument, NULL, OPT_SETTING},
                                      {"continuous-updates", required_argument, NULL, OPT_SETTING},
                                      {"accelerate", required_argument, NULL, OPT_SETTING},
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
    bool check;
};

/* Settings of the command line win over those of the file, so they come last. */
static bool apply_settings(struct config *c, const struct command_line *line, struct reason *why)
{
    const char *listen = NULL;
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
            listen = NULL;
        } else if (code == OPT_SETTING && !config_set(c, longs[index].name, optarg, &cause)) {
            ok = reason_set(why, "--%s: %s", longs[index].name, cause.text);
        }
    }
    if (ok && listen)
        ok = reason_set(why, "--listen %s has no --server behind it", listen);
    return ok;
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

static struct config *read_config(void *user, int cancel_fd, struct reason *why)
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
static const char *nearest(const char *name)
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
static int unknown(const char *word)
{
    char name[SPELLING_MAX];
    const char *meant;

    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    meant = nearest(name + strspn(name, "-"));
    if (meant)
        fprintf(stderr, "vnchl-accel: unknown option '%s': did you mean --%s?\n", name, meant);
    else
        fprintf(stderr, "vnchl-accel: '%s' is no option; try --help\n", name);
    return EXIT_USAGE;
}

/* What getopt does not understand. */
static int misused(const struct command_line *line, int code)
{
    const char *word = line->argv[optind - 1];

    if (code == ':' || (code == '?' && optopt >= OPT_LISTEN)) {
        fprintf(stderr, "vnchl-accel: option '%s' %s\n", word,
                code == ':' ? "needs a value" : "takes no value");
        return EXIT_USAGE;
    }
    return unknown(word);
}

/* The exit status; -1: go on. */
static int look_at(struct command_line *line)
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
        case '?':
        case ':':
            return misused(line, code);
        }
    }
    if (optind == line->argc)
        return -1;
    return unknown(line->argv[optind]);
}

int main(int argc, char **argv)
{
    static char name[] = "vnchl-accel"; /* getopt puts it in front of what it says */
    struct command_line line = {argc, argv, false};
    struct service service;
    struct config *config;
    struct reason why;
    bool over;
    int status;

    log_guard_descriptors();
    argv[0] = name;
    setvbuf(stderr, NULL, _IOLBF, 0);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a log that may not grow is an error, as one on a full disk */
    status = look_at(&line);
    if (status >= 0)
        return status;
    config = read_config(&line, -1, &why);
    if (config && line.check) {
        printf("%d port%s, nothing wrong\n", config->count, config->count == 1 ? "" : "s");
        config_free(config);
        return EXIT_SUCCESS;
    }
    if (!config) {
        fprintf(stderr, "vnchl-accel: %s\n", why.text);
        return EXIT_USAGE;
    }
    if (!service_init(&service, config, &why)) {
        service_deinit(&service);
        events_end();
        fprintf(stderr, "vnchl-accel: %s\n", why.text);
        return EXIT_FAILURE;
    }
    service.read = read_config;
    service.user = &line;
    service_run(&service);
    over = service_deinit(&service);
    event_log(EVENT_ALWAYS, "ended", "clients=%llu",
              (unsigned long long)service.service_totals.accepted);
    events_end();
    if (!over)
        _exit(EXIT_SUCCESS); /* exit() waits for that thread, too */
    return EXIT_SUCCESS;
}
