#include "viewer/state_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* An empty name is the folder itself. */
bool state_file_path(const char *name, char out[PATH_MAX])
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int length;

    if (state && *state == '/')
        length = snprintf(out, PATH_MAX, "%s/vnchl%s%s", state, *name ? "/" : "", name);
    else if (home && *home == '/')
        length = snprintf(out, PATH_MAX, "%s/.local/state/vnchl%s%s", home, *name ? "/" : "", name);
    else
        return false;
    return length < PATH_MAX;
}

bool state_file_make_folder(struct reason *why)
{
    char path[PATH_MAX];

    if (!state_file_path("", path))
        return reason_set(why, "neither XDG_STATE_HOME nor HOME names a folder");
    for (char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
        *p = '\0';
        mkdir(path, 0700); /* the last one tells what went wrong */
        *p = '/';
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST ||
           reason_set(why, "cannot make the folder %s: %s", path, strerror(errno));
}

bool state_file_open(struct state_file *n, const char *name, struct reason *why)
{
    int fd;

    if (!state_file_path(name, n->path))
        return reason_set(why, "neither XDG_STATE_HOME nor HOME names a folder");
    snprintf(n->temporary, sizeof n->temporary, "%s.XXXXXX", n->path);
    fd = mkstemp(n->temporary); /* mode 0600 */
    n->f = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (fd >= 0 && !n->f)
        close(fd);
    return n->f || reason_set(why, "cannot write %s: %s", n->path, strerror(errno));
}

bool state_file_close(struct state_file *n, struct reason *why)
{
    bool ok = !ferror(n->f);

    ok = fclose(n->f) == 0 && ok && rename(n->temporary, n->path) == 0;
    if (!ok) {
        reason_set(why, "cannot write %s: %s", n->path, strerror(errno));
        unlink(n->temporary);
    }
    return ok;
}
