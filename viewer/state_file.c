#include "viewer/state_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

bool state_file_path(const char *name, char out[PATH_MAX])
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int length;

    if (state && *state == '/')
        length = snprintf(out, PATH_MAX, "%s/vnchl/%s", state, name);
    else if (home && *home == '/')
        length = snprintf(out, PATH_MAX, "%s/.local/state/vnchl/%s", home, name);
    else
        return false;
    return length < PATH_MAX;
}

/* The path, or a reason why there is none. */
static bool find_path(const char *name, char out[PATH_MAX], struct reason *why)
{
    return state_file_path(name, out) ||
           reason_set(why, "neither XDG_STATE_HOME nor HOME names a folder");
}

bool state_file_make_folder(struct reason *why)
{
    char path[PATH_MAX];

    return find_path("", path, why) && whole_file_make_folder(path, why);
}

bool state_file_open(struct whole_file *w, const char *name, struct reason *why)
{
    char path[PATH_MAX];

    return find_path(name, path, why) && whole_file_open(w, path, why);
}

bool state_file_first_use(const char *what)
{
    char path[PATH_MAX];
    struct reason why;
    int fd;

    if (!state_file_path(what, path) || !whole_file_make_folder(path, &why))
        return false;
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}
