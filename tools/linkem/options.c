#include "tools/linkem/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/linkem/units.h"

#define DEFAULT_MTU  1500
#define MTU_MIN      68
#define MTU_MAX      65535
#define DEFAULT_SEED 1
#define DEFAULT_WAIT (30 * TICK_S)

static const char help[] =
    "Usage: vnchl-linkem [OPTION]... [--] COMMAND [ARGUMENT]...\n"
    "       vnchl-linkem --server [--pid PID] [--] COMMAND [ARGUMENT]...\n"
    "Runs COMMAND at one end of an emulated link, with the kernel's own TCP/IP at both ends.\n\n"
    "The link, each way; down-NAME (server to client) or up-NAME sets one way only:\n"
    "  --rtt TIME               round trip time, half of it each way (no down- or up-)\n"
    "  --delay TIME             one-way delay: 150ms, 0.2s, 500us\n"
    "  --jitter TIME            a uniform 0..TIME more for each packet\n"
    "  --rate RATE              bit/s of IP packets: 8mbit, 500k (0, the default: unlimited)\n"
    "  --queue BYTES            tail-drop queue before the rate: 256k (default: 100 ms of the\n"
    "                           rate, at least 64k; 0: unlimited)\n"
    "  --loss P%                random loss\n"
    "  --gemodel P%,R%[,LOSS%]  bursty loss (Gilbert-Elliott): probability of going from good to\n"
    "                           bad (p), and back (r), per packet; loss in the bad state (default\n"
    "                           100%); --loss is the loss in the good one\n"
    "  --udp pass|drop|BYTES    drop: no UDP packet gets through, as at a firewall; BYTES: none\n"
    "                           that is larger, with its heads, as where a link is narrower\n"
    "  --at TIME:NAME=VALUE     one of these later, counted from COMMAND's start:\n"
    "                           --at 10s:rate=5mbit --at 10s:up-loss=1%\n"
    "  --control FIFO           one of these whenever a line NAME=VALUE is written into FIFO\n"
    "  --reorder                jitter lets packets overtake each other\n"
    "  --seed NUMBER            of loss and jitter (default 1)\n\n"
    "The two hosts:\n"
    "  --mtu BYTES              68..65535 (default 1500; IPv6 needs 1280)\n"
    "  --congestion NAME        TCP congestion control of both; --client-congestion,\n"
    "                           --server-congestion: of one\n"
    "  --server-command CMD     shell command run at the server's end from before COMMAND until\n"
    "                           after it; may be given more than once\n"
    "  --wait-for PORT|/PATH    start COMMAND when the server's end listens on the TCP port, or\n"
    "                           when the path exists; may be given more than once\n"
    "  --wait-limit TIME        and give up after this time (default 30s)\n"
    "  --server                 run COMMAND at the server's end of the link that runs already:\n"
    "                           that of LINKEM_SERVER_PID, or of --pid PID\n\n"
    "Reports:\n"
    "  --stats FILE             what went through, as JSON, when the link ends (-: stdout)\n"
    "  --packets FILE           a table of all packets: when, which way, what became of each\n"
    "  --verbose                the same in words on stderr, and what is being done\n"
    "  --no-realtime            do not ask for real-time scheduling\n"
    "  --help, --version\n\n"
    "COMMAND finds the other end's address in LINKEM_SERVER (IPv6: LINKEM_SERVER6), its own in\n"
    "LINKEM_CLIENT. The exit status is COMMAND's; 125 when the link failed.\n";

/* An option of the link is known by its name alone. */
enum {
    OPT_LINK = 256,
    OPT_AT,
    OPT_CONTROL,
    OPT_REORDER,
    OPT_SEED,
    OPT_MTU,
    OPT_CONGESTION,
    OPT_CLIENT_CONGESTION,
    OPT_SERVER_CONGESTION,
    OPT_SERVER_COMMAND,
    OPT_WAIT_FOR,
    OPT_WAIT_LIMIT,
    OPT_SERVER,
    OPT_PID,
    OPT_STATS,
    OPT_PACKETS,
    OPT_VERBOSE,
    OPT_NO_REALTIME,
    OPT_HELP,
    OPT_VERSION
};

static const struct option longs[] = {
    {"rtt", required_argument, NULL, OPT_LINK},
    {"delay", required_argument, NULL, OPT_LINK},
    {"down-delay", required_argument, NULL, OPT_LINK},
    {"up-delay", required_argument, NULL, OPT_LINK},
    {"jitter", required_argument, NULL, OPT_LINK},
    {"down-jitter", required_argument, NULL, OPT_LINK},
    {"up-jitter", required_argument, NULL, OPT_LINK},
    {"rate", required_argument, NULL, OPT_LINK},
    {"down-rate", required_argument, NULL, OPT_LINK},
    {"up-rate", required_argument, NULL, OPT_LINK},
    {"queue", required_argument, NULL, OPT_LINK},
    {"down-queue", required_argument, NULL, OPT_LINK},
    {"up-queue", required_argument, NULL, OPT_LINK},
    {"loss", required_argument, NULL, OPT_LINK},
    {"down-loss", required_argument, NULL, OPT_LINK},
    {"up-loss", required_argument, NULL, OPT_LINK},
    {"gemodel", required_argument, NULL, OPT_LINK},
    {"down-gemodel", required_argument, NULL, OPT_LINK},
    {"up-gemodel", required_argument, NULL, OPT_LINK},
    {"udp", required_argument, NULL, OPT_LINK},
    {"down-udp", required_argument, NULL, OPT_LINK},
    {"up-udp", required_argument, NULL, OPT_LINK},
    {"at", required_argument, NULL, OPT_AT},
    {"control", required_argument, NULL, OPT_CONTROL},
    {"reorder", no_argument, NULL, OPT_REORDER},
    {"seed", required_argument, NULL, OPT_SEED},
    {"mtu", required_argument, NULL, OPT_MTU},
    {"congestion", required_argument, NULL, OPT_CONGESTION},
    {"client-congestion", required_argument, NULL, OPT_CLIENT_CONGESTION},
    {"server-congestion", required_argument, NULL, OPT_SERVER_CONGESTION},
    {"server-command", required_argument, NULL, OPT_SERVER_COMMAND},
    {"wait-for", required_argument, NULL, OPT_WAIT_FOR},
    {"wait-limit", required_argument, NULL, OPT_WAIT_LIMIT},
    {"server", no_argument, NULL, OPT_SERVER},
    {"pid", required_argument, NULL, OPT_PID},
    {"stats", required_argument, NULL, OPT_STATS},
    {"packets", required_argument, NULL, OPT_PACKETS},
    {"verbose", no_argument, NULL, OPT_VERBOSE},
    {"no-realtime", no_argument, NULL, OPT_NO_REALTIME},
    {"help", no_argument, NULL, OPT_HELP},
    {"version", no_argument, NULL, OPT_VERSION},
    {0}};

static bool list_add(struct linkem_list *l, const char *option, const char *item)
{
    if (l->count == LINKEM_LIST_MAX) {
        linkem_error("%s is given more than %d times", option, LINKEM_LIST_MAX);
        return false;
    }
    l->items[l->count++] = item;
    return true;
}

static bool parse_wait(struct linkem_list *l, const char *text)
{
    uint64_t port;
    if (*text != '/' &&
        !units_integer("--wait-for (a port, or a path from /)", text, 1, 65535, &port)) {
        return false;
    }
    return list_add(l, "--wait-for", text);
}

/* The name becomes part of a path under /proc/sys, or of a route. */
static bool is_name(const char *option, const char *text)
{
    size_t length =
        strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
    if (length == 0 || length > 15 || text[length]) {
        linkem_error("%s '%.40s' is not the name of a TCP congestion control", option, text);
        return false;
    }
    return true;
}

static bool parse_congestion(struct linkem_options *o, int code, const char *text)
{
    /* One side's own option wins wherever it stands. */
    static const char *const names[] = {"--congestion", "--client-congestion",
                                        "--server-congestion"};
    if (!is_name(names[code - OPT_CONGESTION], text)) {
        return false;
    }
    if (code == OPT_CONGESTION) {
        o->congestion_both = text;
    } else {
        o->congestion[code == OPT_CLIENT_CONGESTION ? LINKEM_CLIENT : LINKEM_SERVER] = text;
    }
    return true;
}

static bool parse_one(struct linkem_options *o, int code, const char *name, const char *text)
{
    char option[32];
    uint64_t number = 0;
    bool good = true;
    switch (code) {
    case OPT_LINK:
        snprintf(option, sizeof option, "--%s", name);
        return linkem_changes_add(&o->changes, option, name, text, LINKEM_AT_START);
    case OPT_AT:
        return linkem_changes_add_later(&o->changes, text);
    case OPT_CONTROL:
        o->control = text;
        return true;
    case OPT_REORDER:
        o->reorder = true;
        return true;
    case OPT_SEED:
        return units_integer("--seed", text, 0, UINT64_MAX, &o->seed);
    case OPT_MTU:
        good = units_integer("--mtu", text, MTU_MIN, MTU_MAX, &number);
        o->mtu = (unsigned)number;
        return good;
    case OPT_CONGESTION:
    case OPT_CLIENT_CONGESTION:
    case OPT_SERVER_CONGESTION:
        return parse_congestion(o, code, text);
    case OPT_SERVER_COMMAND:
        return list_add(&o->server_commands, "--server-command", text);
    case OPT_WAIT_FOR:
        return parse_wait(&o->waits, text);
    case OPT_WAIT_LIMIT:
        return units_time("--wait-limit", text, LINKEM_DELAY_MAX, &o->wait_limit);
    case OPT_SERVER:
        o->join = true;
        return true;
    case OPT_PID:
        good = units_integer("--pid", text, 1, INT32_MAX, &number);
        o->join_pid = (pid_t)number;
        return good;
    case OPT_STATS:
        o->stats = text;
        return true;
    case OPT_PACKETS:
        o->packets = text;
        return true;
    case OPT_VERBOSE:
        o->verbose = true;
        return true;
    case OPT_NO_REALTIME:
        o->realtime = false;
        return true;
    }
    return false;
}

static bool parse_all(struct linkem_options *o, int argc, char **argv, int *status)
{
    int index = 0;
    /* "+": what follows COMMAND is COMMAND's. */
    for (int code; (code = getopt_long(argc, argv, "+", longs, &index)) != -1;) {
        switch (code) {
        case OPT_HELP:
            fputs(help, stdout);
            *status = 0;
            return true;
        case OPT_VERSION:
            printf("vnchl-linkem %s\n", VNCHL_VERSION);
            *status = 0;
            return true;
        case '?':
            return false; /* getopt has said why */
        }
        if (!parse_one(o, code, longs[index].name, optarg)) {
            return false;
        }
    }
    o->command = argv + optind;
    return true;
}

static bool check_join(struct linkem_options *o)
{
    if (!o->join && o->join_pid) {
        linkem_error("--pid needs --server");
        return false;
    }
    if (!o->join || o->join_pid) {
        return true;
    }
    const char *text = getenv("LINKEM_SERVER_PID");
    uint64_t pid;
    if (!text) {
        linkem_error("--server: no link to join; run it inside one, or name it with --pid PID");
        return false;
    }
    if (!units_integer("LINKEM_SERVER_PID", text, 1, INT32_MAX, &pid)) {
        return false;
    }
    o->join_pid = (pid_t)pid;
    return true;
}

int linkem_options_parse(struct linkem_options *o, int argc, char **argv)
{
    int status = -1;
    *o = (struct linkem_options){
        .seed = DEFAULT_SEED, .mtu = DEFAULT_MTU, .wait_limit = DEFAULT_WAIT, .realtime = true};
    if (!parse_all(o, argc, argv, &status)) {
        return LINKEM_EXIT_FAILED;
    }
    if (status >= 0) {
        return status;
    }
    if (!*o->command) {
        linkem_error("no COMMAND to run; try --help");
        return LINKEM_EXIT_FAILED;
    }
    if (!check_join(o)) {
        return LINKEM_EXIT_FAILED;
    }
    for (int i = 0; i < LINKEM_SIDES; i++) {
        o->congestion[i] = o->congestion[i] ? o->congestion[i] : o->congestion_both;
    }
    linkem_changes_sort(&o->changes);
    return -1;
}
