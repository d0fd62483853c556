#include "tools/linkem/hosts/children.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rfb/system/clock.h"
#include "tools/linkem/units.h"

#define END_STEP    (50 * TICK_MS)
#define END_GIVE_UP (3 * TICK_S)

void children_remember(struct children_defaults *d)
{
    int slack = prctl(PR_GET_TIMERSLACK);
    d->timer_slack = slack > 0 ? (unsigned long)slack : 0;
    d->group = getpgrp();
}

int children_exec(char *const *argv)
{
    execvp(argv[0], argv);
    int status = errno == ENOENT ? CHILDREN_EXIT_NOT_FOUND : CHILDREN_EXIT_NOT_RUN;
    linkem_error("cannot run '%.80s': %s", argv[0], strerror(errno));
    return status;
}

static int children_become(const struct children_defaults *d, char *const *argv,
                           const struct linkem_host *host, bool input)
{
    if (host && !linkem_host_enter(host)) {
        return LINKEM_EXIT_FAILED;
    }
    if (!input) {
        int null = open("/dev/null", O_RDONLY);
        if (null > 0) {
            dup2(null, STDIN_FILENO);
            close(null);
        }
    }
    setpgid(0, d->group);
    prctl(PR_SET_TIMERSLACK, d->timer_slack);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    return children_exec(argv);
}

pid_t children_start(const struct children_defaults *d, char *const *argv,
                     const struct linkem_host *host, bool input)
{
    pid_t parent = getpid(), pid = fork();
    if (pid < 0) {
        linkem_error("cannot start a process: %s", strerror(errno));
    } else if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        _exit(getppid() == parent ? children_become(d, argv, host, input) : LINKEM_EXIT_FAILED);
    }
    return pid;
}

/* The parent of a process, 0 when it is gone. The name, in brackets, may contain anything. */
static pid_t parent_of(pid_t pid)
{
    char path[40], line[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? 0 : read(fd, line, sizeof line - 1);
    if (fd >= 0) {
        close(fd);
    }
    line[length > 0 ? length : 0] = 0;
    char *name_end = strrchr(line, ')');
    int parent = 0;
    char state;
    if (!name_end || sscanf(name_end + 1, " %c %d", &state, &parent) != 2 || state == 'Z') {
        return 0;
    }
    return parent;
}

static bool first_time(struct children_ending *e, pid_t pid)
{
    for (int i = 0; i < e->told_count; i++) {
        if (e->told[i] == pid) {
            return false;
        }
    }
    if (e->told_count < (int)(sizeof e->told / sizeof *e->told)) {
        e->told[e->told_count++] = pid;
    }
    return true;
}

/* Signals all children that run. Returns how many there are. */
static int signal_children(struct children_ending *e, tick_t now)
{
    DIR *all = opendir("/proc");
    pid_t self = getpid();
    int count = 0;
    for (struct dirent *entry; all && (entry = readdir(all));) {
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (pid <= 0 || parent_of(pid) != self) {
            continue;
        }
        count++;
        if (now >= e->kill_at) {
            kill(pid, SIGKILL);
        } else if (first_time(e, pid)) {
            kill(pid, SIGTERM);
            kill(pid, SIGCONT); /* a stopped process would not see it */
        }
    }
    if (all) {
        closedir(all);
    }
    return count;
}

bool children_end(struct children_ending *e, tick_t grace)
{
    tick_t now = tick_now();
    if (!e->active) {
        *e = (struct children_ending){
            .active = true, .kill_at = now + grace, .give_up = now + grace + END_GIVE_UP};
    }
    e->again_at = now + END_STEP;
    int left = signal_children(e, now);
    if (left && now >= e->give_up) {
        linkem_error("%d processes cannot be ended", left);
        return true;
    }
    return left == 0;
}

int children_status(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
