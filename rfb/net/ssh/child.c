#include "rfb/net/ssh/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rfb/system/clock.h"
#include "rfb/system/log.h"
#include "rfb/system/thread.h"

/* The lines that make up a reason: ssh says what happened in one of its last. */
#define LINES      3
#define LINE_BYTES 240
/* No more lines are shown; whoever is on the other side may have chosen them. */
#define LINES_SHOWN 50
/* At the end the reader reads so often what is still there: more than a pipe holds. */
#define LAST_READS 256
/* ns from SIGTERM to SIGKILL. Chosen. */
#define TERM_PATIENCE TICK_S

extern char **environ;

struct child {
    const char *name;
    pid_t pid;
    int pidfd;  /* readable when the program has ended; -1: that was seen */
    int status; /* as waitpid() has it, once it has ended */
    int said;   /* the reading end of its standard error */
    int stop;   /* eventfd: the reader takes what is there, and ends */
    bool reading;
    pthread_t reader; /* below: the reader's, until it has ended */
    char line[LINE_BYTES];
    size_t length;
    char lines[LINES][LINE_BYTES]; /* the newest is line count - 1 */
    unsigned count;
};

/* ---- standard error ---- */

static void end_line(struct child *c)
{
    size_t name = strlen(c->name);
    const char *text = c->line;

    c->line[c->length] = '\0';
    c->length = 0;
    if (strspn(text, " ") == strlen(text))
        return;
    /* some lines of ssh begin with its name, and some do not */
    if (strncmp(text, c->name, name) == 0 && strncmp(text + name, ": ", 2) == 0)
        text += name + 2;
    snprintf(c->lines[c->count % LINES], LINE_BYTES, "%s", text);
    sanitise(c->lines[c->count % LINES]); /* cut inside a character, perhaps */
    if (c->count < LINES_SHOWN && isatty(STDERR_FILENO))
        log_line("%s: %s", c->name, text);
    else if (c->count < LINES_SHOWN)
        log_debug("%s: %s", c->name, text);
    c->count++;
}

static void child_take(struct child *c, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '\n' || bytes[i] == '\r')
            end_line(c);
        else if (c->length < sizeof c->line - 1)
            c->line[c->length++] = bytes[i] ? bytes[i] : '?';
    }
}

/* A program that goes into the background may leave standard error open for good: so the end of
 * that is not waited for. */
static void *read_said(void *user)
{
    struct child *c = user;
    struct pollfd p[2] = {{.fd = c->said, .events = POLLIN}, {.fd = c->stop, .events = POLLIN}};
    int last_reads = LAST_READS;
    char bytes[512];

    while (last_reads > 0) {
        ssize_t n = 0;

        if (poll(p, 2, -1) < 0)
            continue;
        if (p[0].revents)
            n = read(c->said, bytes, sizeof bytes);
        if (p[1].revents)
            last_reads--;
        if (n <= 0) /* the end, or nothing more is there */
            break;
        child_take(c, bytes, (size_t)n);
    }
    end_line(c);
    return NULL;
}

static void end_reading(struct child *c)
{
    if (!c->reading)
        return;
    eventfd_wake(c->stop, "the reader of a program");
    pthread_join(c->reader, NULL);
    c->reading = false;
}

/* ---- the program ---- */

void child_attributes(posix_spawnattr_t *attributes, short flags)
{
    sigset_t signals;

    posix_spawnattr_init(attributes);
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(attributes, &signals);
    sigaddset(&signals, SIGPIPE);
    sigaddset(&signals, SIGXFSZ);
    posix_spawnattr_setsigdefault(attributes, &signals);
    posix_spawnattr_setflags(attributes,
                             (short)(flags | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
}

/* Returns 0, or an errno value. */
static int child_spawn(struct child *c, const struct child_options *o, int said)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    int error;

    posix_spawn_file_actions_init(&files);
    child_attributes(&attributes, 0);
    if (o->io >= 0)
        posix_spawn_file_actions_adddup2(&files, o->io, STDIN_FILENO);
    else
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, o->io >= 0 ? o->io : said, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, said, STDERR_FILENO);
    posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
    error = posix_spawnp(&c->pid, o->argv[0], &files, &attributes, (char *const *)o->argv,
                         o->environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    if (error)
        return error;
    c->pidfd = (int)syscall(SYS_pidfd_open, c->pid, 0);
    if (c->pidfd >= 0)
        return 0;
    error = errno;
    kill(c->pid, SIGKILL);
    waitpid(c->pid, NULL, 0);
    return error;
}

static void free_child(struct child *c)
{
    end_reading(c);
    if (c->pidfd >= 0)
        close(c->pidfd);
    if (c->said >= 0)
        close(c->said);
    if (c->stop >= 0)
        close(c->stop);
    free(c);
}

/* NAME=VALUE of both. */
static bool child_same_name(const char *a, const char *b)
{
    return strncmp(a, b, strcspn(a, "=") + 1) == 0;
}

char **child_environment(char *const others[], size_t count)
{
    size_t size = 0, used = 0;
    char **list;

    while (environ[size])
        size++;
    list = calloc(size + count + 1, sizeof *list);
    if (!list)
        return NULL;
    for (size_t i = 0; i < size; i++) {
        bool keep = !child_same_name("VNC_PASSWORD=", environ[i]);

        for (size_t k = 0; k < count; k++)
            keep = keep && !child_same_name(others[k], environ[i]);
        if (keep)
            list[used++] = environ[i];
    }
    for (size_t k = 0; k < count; k++)
        list[used++] = others[k];
    return list;
}

struct child *child_start(const struct child_options *options, struct reason *why)
{
    struct child *c = calloc(1, sizeof *c);
    int ends[2] = {-1, -1}, error;

    if (!c) {
        reason_set(why, "out of memory");
        return NULL;
    }
    c->name = options->name;
    c->pidfd = -1;
    c->stop = eventfd(0, EFD_CLOEXEC);
    error = c->stop < 0 || pipe2(ends, O_CLOEXEC) != 0 ? errno : child_spawn(c, options, ends[1]);
    c->said = ends[0];
    if (ends[1] >= 0)
        close(ends[1]);
    if (error) {
        reason_set(why, "cannot run %s: %s", options->argv[0], strerror(error));
        reason_set_kind(why, error == ENOENT ? FAILURE_START : FAILURE_NONE);
        free_child(c);
        return NULL;
    }
    c->reading = pthread_create(&c->reader, NULL, read_said, c) == 0;
    if (c->reading)
        return c;
    reason_set(why, "out of threads");
    child_destroy(c, 0);
    return NULL;
}

bool child_wait(struct child *c, tick_t until)
{
    struct pollfd p = {.fd = c->pidfd, .events = POLLIN};
    int ready;

    if (c->pidfd < 0)
        return true;
    do {
        struct timespec timeout = tick_to_timespec(until - tick_now());
        ready = ppoll(&p, 1, until == TICK_NEVER ? NULL : &timeout, NULL);
    } while (ready < 0 && errno == EINTR);
    if (ready <= 0)
        return false;
    if (waitpid(c->pid, &c->status, 0) != c->pid)
        c->status = 0; /* whoever started us has SIGCHLD ignored: nobody can tell */
    close(c->pidfd);
    c->pidfd = -1;
    return true;
}

bool child_failed(struct child *c, struct reason *why)
{
    char text[LINES * (LINE_BYTES + 2)] = "";
    unsigned first;

    if (c->status == 0)
        return false;
    end_reading(c);
    first = c->count > LINES ? c->count - LINES : 0;
    for (unsigned i = first; i < c->count; i++) {
        strcat(text, i > first ? "; " : "");
        strcat(text, c->lines[i % LINES]);
    }
    if (*text)
        reason_set(why, "%s: %s", c->name, text);
    else if (WIFSIGNALED(c->status))
        reason_set(why, "%s was ended by signal %d", c->name, WTERMSIG(c->status));
    else
        reason_set(why, "%s ended with status %d", c->name, WEXITSTATUS(c->status));
    return true;
}

int child_status(const struct child *c)
{
    return WIFEXITED(c->status) ? WEXITSTATUS(c->status) : -1;
}

void child_destroy(struct child *c, tick_t grace)
{
    if (!c)
        return;
    if (!child_wait(c, tick_now() + grace)) {
        kill(c->pid, SIGTERM);
        if (!child_wait(c, tick_now() + TERM_PATIENCE)) {
            kill(c->pid, SIGKILL);
            child_wait(c, TICK_NEVER);
        }
    }
    free_child(c);
}
