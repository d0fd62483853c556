#include "viewer/desktop/another_window.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rfb/net/ssh/child.h"
#include "rfb/system/thread.h"

#define ANOTHER_WINDOW_PROGRAM "vnchl"

/* The program that runs now. One that was installed anew meanwhile is looked up in PATH. */
static void another_window_find(char out[PATH_MAX])
{
    ssize_t n = readlink("/proc/self/exe", out, PATH_MAX - 1);

    out[n > 0 ? n : 0] = '\0';
    if (access(out, X_OK) != 0)
        strcpy(out, ANOTHER_WINDOW_PROGRAM);
}

/* In a session of its own: Ctrl+C in our terminal is not meant for it. Returns 0, or an errno
 * value.
 */
static int another_window_spawn(const char *path, char **environment, pid_t *pid)
{
    char *argv[] = {(char *)ANOTHER_WINDOW_PROGRAM, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    int error;

    posix_spawn_file_actions_init(&files);
    child_attributes(&attributes, POSIX_SPAWN_SETSID);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
    error = posix_spawnp(pid, path, &files, &attributes, argv, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

/* So that nothing is left of it when it has ended before us. */
static void *another_window_wait(void *user)
{
    waitpid((pid_t)(intptr_t)user, NULL, 0);
    return NULL;
}

bool another_window_open(struct reason *why)
{
    char path[PATH_MAX];
    char **environment = child_environment(NULL, 0);
    pid_t pid;
    int error = ENOMEM;

    another_window_find(path);
    if (environment)
        error = another_window_spawn(path, environment, &pid);
    free(environment);
    if (error)
        return reason_set(why, "cannot open another window: %s", strerror(error));
    detached_start(another_window_wait, (void *)(intptr_t)pid);
    return true;
}
