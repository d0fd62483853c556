/* vnchl-linkem: an emulated link between two hosts on one machine, with the kernel's TCP at both
 * ends, and a command that runs at one of them (docs/linkem.md).
 *
 * This process starts the keeper, which does all the work, and waits for it. There are two so that
 * one can be killed outright, or even its whole process group: the keeper ends everything when this
 * process is gone (its PR_SET_PDEATHSIG), this process does when the keeper is (both are
 * subreapers).
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/linkem/hosts/children.h"
#include "tools/linkem/keeper.h"
#include "tools/linkem/options.h"
#include "tools/linkem/units.h"

static int linkem_join(const struct linkem_options *o)
{
    return linkem_host_enter_of(o->join_pid) ? children_exec(o->command) : LINKEM_EXIT_FAILED;
}

static void linkem_block_signals(sigset_t *set)
{
    static const int numbers[] = {SIGCHLD, SIGINT, SIGTERM, SIGQUIT, SIGHUP};
    struct sigaction old;
    sigemptyset(set);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (numbers[i] == SIGHUP && sigaction(SIGHUP, NULL, &old) == 0 &&
            old.sa_handler == SIG_IGN) {
            continue; /* nohup */
        }
        sigaddset(set, numbers[i]);
        signal(numbers[i], SIG_DFL); /* an ignored one would stay so in the programs */
    }
    sigprocmask(SIG_BLOCK, set, NULL);
}

/* The keeper has died of something it could not handle. Its children are ours now. */
static void end_children(const sigset_t *set)
{
    struct children_ending ending = {0};
    struct timespec step = {.tv_nsec = 20 * TICK_MS};
    while (!children_end(&ending, LINKEM_GRACE)) {
        sigtimedwait(set, NULL, &step);
        while (waitpid(-1, NULL, WNOHANG) > 0) {
        }
    }
}

/* Passes signals on until the keeper has ended; its status as waitpid() gives it. `last` is the
 * last signal that was to end us, 0 for none. */
static int wait_for_keeper(pid_t keeper, const sigset_t *set, int *last)
{
    *last = 0;
    for (;;) {
        int number = sigwaitinfo(set, NULL), status;
        if (number == SIGCHLD) {
            if (waitpid(keeper, &status, WNOHANG) == keeper) {
                return status;
            }
        } else if (number > 0) {
            *last = number;
            kill(keeper, number);
        }
    }
}

/* A shell script goes on after Ctrl+C unless its child died of it. */
static void die_of(int number, const sigset_t *set)
{
    fflush(NULL);
    raise(number);
    sigprocmask(SIG_UNBLOCK, set, NULL);
}

int main(int argc, char **argv)
{
    struct linkem_options o;
    int status = linkem_options_parse(&o, argc, argv);
    if (status >= 0) {
        return status;
    }
    if (o.join) {
        return linkem_join(&o);
    }
    FILE *stats = NULL;
    if (o.stats && strcmp(o.stats, "-") == 0) {
        stats = stdout;
    } else if (o.stats && !(stats = fopen(o.stats, "we"))) {
        linkem_error("--stats: cannot write %.200s: %s", o.stats, strerror(errno));
        return LINKEM_EXIT_FAILED;
    }
    sigset_t set;
    linkem_block_signals(&set);
    prctl(PR_SET_CHILD_SUBREAPER, 1UL);
    pid_t self = getpid(), keeper = fork();
    if (keeper < 0) {
        linkem_error("cannot start a process: %s", strerror(errno));
        return LINKEM_EXIT_FAILED;
    }
    if (keeper == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        return getppid() == self ? linkem_keeper_run(&o, stats) : LINKEM_EXIT_FAILED;
    }
    int last;
    status = wait_for_keeper(keeper, &set, &last);
    if (WIFSIGNALED(status)) {
        linkem_error("the link was ended by signal %d", WTERMSIG(status));
        end_children(&set);
    }
    status = children_status(status);
    if (last && status == 128 + last) {
        die_of(last, &set);
    }
    return status;
}
