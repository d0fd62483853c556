#include "rfb/worker/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rfb/system/log.h"

/* Bytes of stack for the few calls before the program starts. */
#define STACK (256 * 1024)
/* As posix_spawn(): the new process uses this one's memory until it has become the program. TSan
 * takes it for a fork, and would keep its notes of the new process for ours. */
#ifdef __SANITIZE_THREAD__
#define SHARED_MEMORY 0
#else
#define SHARED_MEMORY (CLONE_VM | CLONE_VFORK)
#endif
#define OWN_NAMESPACES (CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC)

#define NAME      "vnchl-session"
#define WORDS_MAX 8 /* behind its name */
#define SPARE_FD  9 /* above those that the program finds */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define KEEPS_STDERR 1 /* a sanitizer's report has to be seen */
#else
#define KEEPS_STDERR 0
#endif

struct launch {
    const char *path;
    char *const *words; /* its name first */
    char *const *environment;
    const int *fds; /* SPAWN_FDS of them; -1: there is none */
    /* errno of the call that failed. The new process writes it, in this memory. */
    volatile int error;
    bool made; /* there was a new process */
};

/* What it may know of ours: how to find libraries, and what sanitizers are told. */
static char **spawn_environment(void)
{
    static const char *const names[] = {"LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS",
                                        "TSAN_OPTIONS", "GNUTLS_SYSTEM_PRIORITY_FILE"};
    enum { COUNT = sizeof names / sizeof *names };
    char **list = calloc(COUNT + 1, sizeof *list);
    int used = 0;

    for (int i = 0; list && i < COUNT; i++) {
        const char *value = getenv(names[i]);

        if (value && asprintf(&list[used], "%s=%s", names[i], value) > 0)
            used++;
    }
    if (list)
        list[used] = NULL;
    return list;
}

static void free_environment(char **list)
{
    for (int i = 0; list && list[i]; i++)
        free(list[i]);
    free(list);
}

static bool find_program(char *out, size_t size, struct reason *why)
{
    ssize_t n = readlink("/proc/self/exe", out, size - sizeof "/" NAME);
    char *slash;

    if (n > 0) {
        out[n] = '\0';
        slash = strrchr(out, '/');
        if (slash) {
            strcpy(slash, "/" NAME);
            if (access(out, X_OK) == 0)
                return true;
        }
    }
    snprintf(out, size, "%s", VNCHL_LIBEXEC "/" NAME);
    if (access(out, X_OK) == 0)
        return true;
    return reason_set(why, "cannot find the program %s, a part of vnchl: install %s again (%s: %s)",
                      NAME, NAME, out, strerror(errno));
}

/* Each descriptor gets the number that the program expects. Raw system calls, as below. */
__attribute__((no_sanitize_address)) static bool place_descriptors(const int *fds)
{
    long above[SPAWN_FDS];

    /* first all are moved above those numbers, so that none overwrites another */
    for (int i = 0; i < SPAWN_FDS; i++) {
        above[i] = fds[i] < 0 ? -1 : syscall(SYS_fcntl, fds[i], F_DUPFD, SPARE_FD);
        if (above[i] < 0 && fds[i] >= 0)
            return false;
    }
    for (int i = 0; i < SPAWN_FDS; i++) {
        if (fds[i] < 0)
            syscall(SYS_close, SPAWN_FIRST_FD + i); /* what is there is ours */
        else if (syscall(SYS_dup3, above[i], SPAWN_FIRST_FD + i, 0) < 0)
            return false;
    }
    return syscall(SYS_close_range, SPAWN_FIRST_FD + SPAWN_FDS, ~0u, 0) == 0;
}

/* In the new process, which shares this one's memory until it has become the program. All signals
 * stay blocked until then. Raw system calls: a library's functions could change the viewer's
 * memory. AddressSanitizer does not look: it marks the borders of a function's variables, the stack
 * goes without its mending the marks, and what is mapped there later would seem forbidden. */
__attribute__((no_sanitize_address)) static int become_program(void *user)
{
    struct launch *l = user;
    long null = syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR, 0);

    null = null < 0 ? -1 : syscall(SYS_fcntl, null, F_DUPFD, SPARE_FD);
    if (null >= 0 && syscall(SYS_dup3, null, STDIN_FILENO, 0) >= 0 &&
        syscall(SYS_dup3, null, STDOUT_FILENO, 0) >= 0 &&
        (KEEPS_STDERR || syscall(SYS_dup3, null, STDERR_FILENO, 0) >= 0) &&
        place_descriptors(l->fds))
        syscall(SYS_execve, l->path, l->words, l->environment);
    l->error = errno;
    syscall(SYS_exit_group, 127);
    return 0;
}

/* As posix_spawn() does it, with namespaces. -1 with an error also when the new process could not
 * become the program. */
static pid_t spawn_launch(struct launch *l, int namespaces)
{
    char *stack =
        mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    sigset_t all, before;
    pid_t pid;

    l->error = 0;
    l->made = false;
    if (stack == MAP_FAILED) {
        l->error = errno;
        return -1;
    }
    sigfillset(&all); /* no handler of ours may run in the new process */
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pid = clone(become_program, stack + STACK, SHARED_MEMORY | SIGCHLD | namespaces, l);
    if (pid < 0)
        l->error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    munmap(stack, STACK);
    l->made = pid > 0;
    if (!l->made || !l->error)
        return pid;
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    return -1;
}

/* The kernel made no namespaces, or made them and let nobody run the program there: root has no
 * more rights in them than others to a folder that is somebody's own, and a security module may
 * have its rules. */
static bool spawn_namespaces_refused(const struct launch *l)
{
    return !l->made || l->error == EACCES || l->error == EPERM;
}

bool spawn_possible(struct reason *why)
{
    char path[4096];

    return find_program(path, sizeof path, why);
}

pid_t spawn_program(const char *const *words, const int fds[SPAWN_FDS], bool *namespaces,
                    struct reason *why)
{
    char path[4096];
    const char *all[WORDS_MAX + 2] = {NAME};
    struct launch l = {.path = path, .words = (char *const *)all, .fds = fds};
    char **list;
    pid_t pid = -1;
    bool wanted = *namespaces;

    for (int i = 0; i < WORDS_MAX && words[i]; i++)
        all[i + 1] = words[i];
    *namespaces = false;
    if (!find_program(path, sizeof path, why))
        return -1;
    list = spawn_environment();
    if (!list) {
        reason_set(why, "out of memory");
        return -1;
    }
    l.environment = list;
    if (wanted)
        pid = spawn_launch(&l, OWN_NAMESPACES);
    *namespaces = pid > 0;
    if (pid < 0 && (!wanted || spawn_namespaces_refused(&l))) {
        if (wanted)
            log_debug("no namespaces for %s: %s", path, strerror(l.error));
        pid = spawn_launch(&l, 0);
    }
    if (pid < 0)
        reason_set(why, "cannot start %s: %s", path, strerror(l.error));
    free_environment(list);
    return pid;
}
