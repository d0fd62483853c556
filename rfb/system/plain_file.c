#include "rfb/system/plain_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void plain_file_too_large(const char *path, struct reason *why)
{
    reason_set(why, "cannot read %s: it is larger than %d MiB", path, PLAIN_FILE_MAX >> 20);
}

/* False, with a reason and errno. */
static bool plain_file_fits(int fd, const char *path, struct reason *why)
{
    struct stat status;

    if (fstat(fd, &status) != 0)
        return reason_set(why, "cannot read %s: %s", path, strerror(errno));
    if (S_ISREG(status.st_mode) && status.st_size <= PLAIN_FILE_MAX)
        return true;
    if (S_ISREG(status.st_mode))
        plain_file_too_large(path, why);
    else
        reason_set(why, "cannot read %s: it is no regular file", path);
    errno = S_ISREG(status.st_mode) ? EFBIG : EINVAL;
    return false;
}

FILE *plain_file_open(const char *path, struct reason *why)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), error;
    FILE *f = NULL;

    if (fd < 0 || (plain_file_fits(fd, path, why) && !(f = fdopen(fd, "rb"))))
        reason_set(why, "cannot read %s: %s", path, strerror(errno));
    if (f)
        return f;
    error = errno;
    if (fd >= 0)
        close(fd);
    errno = error;
    return NULL;
}

char *plain_file_take(FILE *f, const char *path, size_t *size, struct reason *why)
{
    char *bytes = malloc(PLAIN_FILE_MAX + 2);
    int error = 0;

    if (!bytes) {
        reason_set(why, "out of memory");
        error = ENOMEM;
    } else {
        *size = fread(bytes, 1, PLAIN_FILE_MAX + 1, f);
        bytes[*size] = '\0';
        error = ferror(f) ? errno : *size > PLAIN_FILE_MAX ? EFBIG : 0;
        if (error == EFBIG)
            plain_file_too_large(path, why);
        else if (error)
            reason_set(why, "cannot read %s: %s", path, strerror(error));
    }
    fclose(f);
    if (!error)
        return bytes;
    free(bytes);
    errno = error;
    return NULL;
}

char *plain_file_read(const char *path, size_t *size, struct reason *why)
{
    FILE *f = plain_file_open(path, why);

    return f ? plain_file_take(f, path, size, why) : NULL;
}
