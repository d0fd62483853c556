#include "viewer/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* False, with errno: it was not there, and cannot be made. */
static bool make_folder(const char *folder)
{
    int error;

    if (mkdir(folder, 0700) == 0 || errno == EEXIST)
        return true;
    error = errno; /* some file systems refuse before they look whether it is there */
    if (access(folder, F_OK) == 0)
        return true;
    errno = error;
    return false;
}

bool whole_file_make_folder(const char *path, struct reason *why)
{
    char folder[PATH_MAX];

    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
        if (!make_folder(folder))
            return reason_set(why, "cannot make the folder %s: %s", folder, strerror(errno));
    }
    return true;
}

static bool whole_file_cannot_write(const struct whole_file *w, struct reason *why)
{
    return reason_set(why, "cannot write %s: %s", w->path, strerror(errno));
}

bool whole_file_open(struct whole_file *w, const char *path, struct reason *why)
{
    int fd;

    w->sync = false;
    snprintf(w->path, sizeof w->path, "%s", path);
    snprintf(w->temporary, sizeof w->temporary, "%s.XXXXXX", path);
    fd = mkostemp(w->temporary, O_CLOEXEC); /* mode 0600 */
    w->f = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (w->f)
        return true;
    whole_file_cannot_write(w, why);
    if (fd >= 0) {
        close(fd);
        unlink(w->temporary);
    }
    return false;
}

void whole_file_drop(struct whole_file *w)
{
    fclose(w->f);
    unlink(w->temporary);
}

bool whole_file_close(struct whole_file *w, struct reason *why)
{
    bool ok = !ferror(w->f) && fflush(w->f) == 0 && (!w->sync || fsync(fileno(w->f)) == 0);

    ok = fclose(w->f) == 0 && ok && rename(w->temporary, w->path) == 0;
    if (!ok) {
        whole_file_cannot_write(w, why);
        unlink(w->temporary);
    }
    return ok;
}
