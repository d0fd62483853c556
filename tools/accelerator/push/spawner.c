#include "tools/accelerator/push/spawner.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rfb/pusher/words.h"
#include "rfb/system/descriptors.h"
#include "rfb/worker/spawn.h"
#include "tools/accelerator/events.h"

/* ---- its process ---- */

struct spawner_request {
    struct spawner_push how;
    int server, viewer, door; /* door -1: there is none */
};

/* False: nobody asks any more. */
static bool spawner_hear(int fd, struct spawner_request *r)
{
    int fds[3];
    ssize_t n = descriptors_receive(fd, &r->how, sizeof r->how, fds, 3, 0);

    r->server = fds[0];
    r->viewer = fds[1];
    r->door = fds[2];
    return n == sizeof r->how && r->server >= 0 && r->viewer >= 0;
}

/* `newcomers`: -1, it is not kept. */
static void spawner_start(const struct spawner_request *r, int newcomers)
{
    char size[24], keep[16], policy[24] = PUSH_AUTO;
    const char *const words[PUSH_WORDS + 1] = {
        [PUSH_AT_PUSH] = PUSH_WORD,
        [PUSH_AT_VERSION] = PUSH_VERSION,
        [PUSH_AT_SERVER] = r->how.near ? PUSH_SERVER_NEAR : PUSH_SERVER_FAR,
        [PUSH_AT_SIZE] = size,
        [PUSH_AT_CONGESTION] = r->how.congestion,
        [PUSH_AT_KEEP] = keep,
        [PUSH_AT_DOOR] = r->door >= 0 ? PUSH_DOOR : PUSH_NO_DOOR,
        [PUSH_AT_POLICY] = policy,
    };
    const int fds[SPAWN_FDS] = {r->server, r->viewer, newcomers, r->door};
    bool namespaces = true;
    struct reason why;
    pid_t pid;

    snprintf(size, sizeof size, "%dx%d", r->how.width, r->how.height);
    snprintf(keep, sizeof keep, "%u", newcomers >= 0 ? r->how.keep_s : 0);
    if (r->how.octopus)
        snprintf(policy, sizeof policy, PUSH_OCTOPUS "%u", r->how.interval_ms);
    pid = spawn_program(words, fds, &namespaces, &why);
    if (pid < 0)
        fprintf(stderr, "vnchl-accel: %s\n", why.text);
    else if (!namespaces)
        event_log(EVENT_LIMITED, "no-namespaces", "pid=%ld", (long)pid);
}

/* The keeper, if this one is to be kept. */
static bool spawner_keeps(struct keeper *k, const struct spawner_request *r, int *newcomers)
{
    struct reason why;

    *newcomers = -1;
    if (r->how.keep_s == 0)
        return false;
    if (keeper_begin(k, r->how.token, r->how.name, &r->how.way, newcomers, &why)) {
        event_log(EVENT_ALWAYS, "kept", "seconds=%u", r->how.keep_s);
        return true;
    }
    event_log(EVENT_ALWAYS, "not-kept", "why=\"%s\"", event_text(why.text));
    return false;
}

/* Only the socket and standard error are its own. */
static void spawner_keep_only(int fd)
{
    if (fd != STDERR_FILENO + 1)
        dup3(fd, STDERR_FILENO + 1, O_CLOEXEC);
    syscall(SYS_close_range, STDERR_FILENO + 2, ~0u, 0);
}

/* Waits for those that have ended. The CPU time of a child for which nobody waits is lost. */
static void spawner_children_ended(int number)
{
    int before = errno;

    (void)number;
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
    errno = before;
}

static void spawner_serve(int fd)
{
    struct sigaction ended = {.sa_handler = spawner_children_ended,
                              .sa_flags = SA_RESTART | SA_NOCLDSTOP};
    struct spawner_request r;

    prctl(PR_SET_NAME, "spawner");
    signal(SIGINT, SIG_IGN); /* it ends with the accelerator, which a signal may tell to drain */
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    sigaction(SIGCHLD, &ended, NULL);
    spawner_keep_only(fd);
    while (spawner_hear(STDERR_FILENO + 1, &r)) {
        struct keeper keeper;
        int newcomers;
        bool keeps = spawner_keeps(&keeper, &r, &newcomers);

        spawner_start(&r, newcomers);
        close(r.server);
        close(r.viewer);
        if (r.door >= 0)
            close(r.door);
        if (!keeps)
            continue;
        close(newcomers);
        keeper_run(&keeper, STDERR_FILENO + 1);
        break; /* what is kept is the only one (tools/accelerator/ssh/once.h) */
    }
    _exit(0);
}

/* ---- the accelerator's side ---- */

bool spawner_begin(struct spawner *s, struct reason *why)
{
    int pair[2];
    pid_t pid;

    s->fd = -1;
    if (!spawn_possible(why))
        return false;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return reason_set(why, "no sockets: %s", strerror(errno));
    pid = fork();
    if (pid == 0) {
        close(pair[0]);
        spawner_serve(pair[1]);
    }
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        return reason_set(why, "no process: %s", strerror(errno));
    }
    s->fd = pair[0];
    return true;
}

void spawner_end(struct spawner *s)
{
    if (s->fd >= 0)
        close(s->fd);
    s->fd = -1;
}

void spawner_end_all(struct spawner *s)
{
    if (s->fd >= 0)
        send(s->fd, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    spawner_end(s);
}

bool spawner_lives(const struct spawner *s)
{
    struct pollfd p = {.fd = s->fd};

    return s->fd >= 0 && poll(&p, 1, 0) == 0; /* the end of a pair always shows */
}

bool spawner_push(struct spawner *s, const struct spawner_push *how, int server, int viewer,
                  int door)
{
    const int fds[3] = {server, viewer, door};

    return descriptors_send(s->fd, how, sizeof *how, fds, door >= 0 ? 3 : 2);
}
