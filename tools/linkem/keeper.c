#include "tools/linkem/keeper.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rfb/system/clock.h"
#include "tools/linkem/control.h"
#include "tools/linkem/hosts/children.h"
#include "tools/linkem/link/link.h"
#include "tools/linkem/link/packet_log.h"
#include "tools/linkem/report.h"
#include "tools/linkem/units.h"

#define READY_STEP (20 * TICK_MS)

enum keeper_state {
    KEEPER_WAITING, /* for the servers */
    KEEPER_RUNNING, /* COMMAND runs */
    KEEPER_ENDING,
    KEEPER_DONE
};

struct keeper {
    const struct linkem_options *options;
    enum keeper_state state;
    struct linkem_host hosts[LINKEM_SIDES];
    struct linkem_link link;
    struct linkem_control control;
    struct packet_log packets;
    struct children_defaults defaults;
    struct children_ending ending;
    int signals; /* signalfd */
    pid_t servers[LINKEM_LIST_MAX];
    int server_count;
    pid_t command;
    bool command_ended;
    tick_t ready_at, ready_limit;      /* the next look, and the last */
    tick_t command_began, command_end; /* 0: not yet */
    int status;
};

static void keeper_say(const struct keeper *k, const char *text)
{
    if (k->options->verbose) {
        linkem_error("%s", text);
    }
}

static bool set_environment(const struct keeper *k)
{
    char pid[16];
    snprintf(pid, sizeof pid, "%d", (int)getpid());
    unsetenv("LINKEM_SERVER6"); /* an outer link's */
    unsetenv("LINKEM_CLIENT6");
    bool good = setenv("LINKEM_SERVER", LINKEM_SERVER4, 1) == 0 &&
                setenv("LINKEM_CLIENT", LINKEM_CLIENT4, 1) == 0 &&
                setenv("LINKEM_SERVER_PID", pid, 1) == 0;
    if (k->hosts[LINKEM_SERVER].ipv6 && k->hosts[LINKEM_CLIENT].ipv6) {
        good = good && setenv("LINKEM_SERVER6", LINKEM_SERVER6, 1) == 0 &&
               setenv("LINKEM_CLIENT6", LINKEM_CLIENT6, 1) == 0;
    }
    if (!good) {
        linkem_error("cannot set the environment: %s", strerror(errno));
    }
    return good;
}

/* Packets are to leave when they are due. Children are started without any of this. */
static void set_timing(const struct keeper *k)
{
    prctl(PR_SET_TIMERSLACK, 1UL);
    struct sched_param p = {.sched_priority = 1};
    if (k->options->realtime && sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &p)) {
        keeper_say(k,
                   "real-time scheduling is not allowed; packets may be late when others are busy");
    }
}

static bool start_servers(struct keeper *k)
{
    const struct linkem_list *all = &k->options->server_commands;
    for (int i = 0; i < all->count; i++) {
        char shell[] = "/bin/sh", flag[] = "-c", *text = strdup(all->items[i]);
        char *const argv[] = {shell, flag, text, NULL};
        pid_t pid = text ? children_start(&k->defaults, argv, NULL, false) : -1;
        free(text);
        if (pid < 0) {
            return false;
        }
        k->servers[k->server_count++] = pid;
    }
    return true;
}

/* This process stays at the server's end: that is what LINKEM_SERVER_PID is about. */
static bool keeper_begin(struct keeper *k)
{
    const struct linkem_options *o = k->options;
    if (!packet_log_open(&k->packets, o->packets) || !linkem_host_permit() ||
        !linkem_host_create(&k->hosts[LINKEM_CLIENT], LINKEM_CLIENT, o->mtu,
                            o->congestion[LINKEM_CLIENT]) ||
        !linkem_host_create(&k->hosts[LINKEM_SERVER], LINKEM_SERVER, o->mtu,
                            o->congestion[LINKEM_SERVER])) {
        return false;
    }
    /* Changing the user namespace may have cleared it. */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    linkem_link_init(&k->link, k->hosts[LINKEM_CLIENT].tun, k->hosts[LINKEM_SERVER].tun, o->mtu,
                     &o->changes, o->reorder, o->seed, tick_now);
    if (o->packets) {
        linkem_link_log(&k->link, &k->packets);
    }
    set_timing(k);
    if (o->verbose) {
        linkem_error("client %s, server %s, server's process %d", LINKEM_CLIENT4, LINKEM_SERVER4,
                     (int)getpid());
    }
    if (!linkem_control_open(&k->control, o->control) || !set_environment(k) || !start_servers(k)) {
        return false;
    }
    k->ready_at = 0;
    k->ready_limit = tick_now() + o->wait_limit;
    return true;
}

static void keeper_finish(struct keeper *k, int status)
{
    if (k->state != KEEPER_ENDING) {
        k->status = status;
        k->state = KEEPER_ENDING;
        k->ending.again_at = 0;
        k->command_end = tick_now();
    }
}

/* The first of what is waited for that is not there yet; NULL when all is. */
static const char *keeper_missing(const struct keeper *k)
{
    const struct linkem_list *all = &k->options->waits;
    for (int i = 0; i < all->count; i++) {
        bool ready = all->items[i][0] == '/' ? access(all->items[i], F_OK) == 0
                                             : linkem_host_listens((unsigned)atoi(all->items[i]));
        if (!ready) {
            return all->items[i];
        }
    }
    return NULL;
}

static void look_whether_ready(struct keeper *k)
{
    const char *what = keeper_missing(k);
    tick_t now = tick_now();
    if (!what) {
        k->command =
            children_start(&k->defaults, k->options->command, &k->hosts[LINKEM_CLIENT], true);
        if (k->command < 0) {
            keeper_finish(k, LINKEM_EXIT_FAILED);
            return;
        }
        k->state = KEEPER_RUNNING;
        k->command_began = now;
        linkem_link_begin(&k->link, now);
    } else if (now >= k->ready_limit) {
        linkem_error("%s%s was not there within %.3g s", *what == '/' ? "" : "a listener on port ",
                     what, tick_to_s(k->options->wait_limit));
        keeper_finish(k, LINKEM_EXIT_FAILED);
    } else {
        k->ready_at = now + READY_STEP;
    }
}

static void server_ended(struct keeper *k, int index, int status)
{
    if (k->state == KEEPER_WAITING && keeper_missing(k)) {
        linkem_error("--server-command '%.80s' ended with status %d before all was ready",
                     k->options->server_commands.items[index], status);
        keeper_finish(k, LINKEM_EXIT_FAILED);
    } else if (k->state == KEEPER_RUNNING && k->options->verbose) {
        linkem_error("--server-command '%.80s' ended with status %d",
                     k->options->server_commands.items[index], status);
    }
}

static void keeper_reap(struct keeper *k)
{
    int raw;
    for (pid_t pid; (pid = waitpid(-1, &raw, WNOHANG)) > 0;) {
        int status = children_status(raw);
        if (pid == k->command) {
            keeper_finish(k, status);
        }
        for (int i = 0; i < k->server_count; i++) {
            if (pid == k->servers[i]) {
                server_ended(k, i, status);
            }
        }
    }
    k->ending.again_at = 0;
}

static void read_signals(struct keeper *k)
{
    struct signalfd_siginfo info;
    while (read(k->signals, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo == SIGCHLD) {
            keeper_reap(k);
        } else {
            keeper_finish(k, 128 + (int)info.ssi_signo);
        }
    }
}

/* Whatever is to be done for the programs. Returns when to look again. */
static tick_t keeper_tend(struct keeper *k)
{
    if (k->state == KEEPER_WAITING && tick_now() >= k->ready_at) {
        look_whether_ready(k);
    }
    if (k->state == KEEPER_ENDING && tick_now() >= k->ending.again_at &&
        children_end(&k->ending, LINKEM_GRACE)) {
        k->state = KEEPER_DONE;
    }
    switch (k->state) {
    case KEEPER_WAITING:
        return k->ready_at;
    case KEEPER_ENDING:
        return k->ending.again_at;
    default:
        return TICK_NEVER;
    }
}

static void keeper_run(struct keeper *k)
{
    struct pollfd fds[] = {{.fd = k->signals, .events = POLLIN},
                           {.fd = k->hosts[LINKEM_CLIENT].tun, .events = POLLIN},
                           {.fd = k->hosts[LINKEM_SERVER].tun, .events = POLLIN},
                           {.fd = k->control.fd, .events = POLLIN}};
    for (;;) {
        tick_t again = keeper_tend(k), due = linkem_link_deliver(&k->link);
        if (k->state == KEEPER_DONE) {
            return;
        }
        due = again < due ? again : due;
        struct timespec ts = tick_to_timespec(due == TICK_NEVER ? 0 : due - tick_now());
        if (ppoll(fds, sizeof fds / sizeof *fds, due == TICK_NEVER ? NULL : &ts, NULL) <= 0) {
            continue;
        }
        if (fds[3].revents) { /* before the packets, which meet the new settings */
            linkem_control_read(&k->control, &k->link);
        }
        if (fds[1].revents) {
            linkem_link_read(&k->link, LINKEM_UP);
        }
        if (fds[2].revents) {
            linkem_link_read(&k->link, LINKEM_DOWN);
        }
        if (fds[0].revents) {
            read_signals(k);
        }
    }
}

static bool keeper_report(struct keeper *k, FILE *stats)
{
    struct linkem_report r = {.link = &k->link,
                              .hosts = k->hosts,
                              .options = k->options,
                              .duration = k->command_began ? k->command_end - k->command_began : 0,
                              .status = k->status};
    if (!stats && !k->options->verbose) {
        return true;
    }
    for (int i = 0; i < LINKEM_SIDES; i++) {
        linkem_host_read_drops(&k->hosts[i]);
    }
    if (k->options->verbose) {
        linkem_report_words(&r, stderr);
    }
    return !stats || linkem_report_json(&r, stats);
}

int linkem_keeper_run(const struct linkem_options *o, FILE *stats)
{
    struct keeper k = {.options = o, .status = LINKEM_EXIT_FAILED, .command = -1, .control.fd = -1};
    for (int i = 0; i < LINKEM_SIDES; i++) {
        k.hosts[i].netns = k.hosts[i].tun = -1;
    }
    prctl(PR_SET_CHILD_SUBREAPER, 1UL);
    children_remember(&k.defaults);
    sigset_t blocked, output;
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    /* In a group of its own: who kills the program's whole group outright must not hit this process
     * too. It may write to the terminal all the same. */
    setpgid(0, 0);
    sigemptyset(&output);
    sigaddset(&output, SIGTTOU);
    sigprocmask(SIG_BLOCK, &output, NULL);
    k.signals = signalfd(-1, &blocked, SFD_CLOEXEC | SFD_NONBLOCK);
    if (k.signals < 0) {
        linkem_error("cannot wait for signals: %s", strerror(errno));
        return LINKEM_EXIT_FAILED;
    }
    bool good = keeper_begin(&k);
    if (!good) {
        keeper_finish(&k, LINKEM_EXIT_FAILED);
    }
    if (good || k.server_count) {
        keeper_run(&k);
    }
    bool told = packet_log_close(&k.packets);
    told = (!good || keeper_report(&k, stats)) && told;
    if (!told && k.status == 0) {
        k.status = LINKEM_EXIT_FAILED;
    }
    linkem_link_deinit(&k.link);
    linkem_control_close(&k.control);
    for (int i = 0; i < LINKEM_SIDES; i++) {
        linkem_host_destroy(&k.hosts[i]);
    }
    close(k.signals);
    return k.status;
}
