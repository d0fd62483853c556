#include "viewer/first_use.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool first_use(const char *what)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    bool own = state && *state == '/';
    char path[PATH_MAX];
    int length, fd;

    if (!own && (!home || *home != '/'))
        return false;
    length = snprintf(path, sizeof path, "%s%s/vnchl/%s", own ? state : home,
                      own ? "" : "/.local/state", what);
    if (length >= PATH_MAX)
        return false;
    for (char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
        *p = '\0';
        mkdir(path, 0700); /* if it fails, the file cannot be made either */
        *p = '/';
    }
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}
