#include "rfb/net/crypto/kept_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Three that the options name, and the system's. */
#define FILES 4
/* Bytes. Chosen: ten times the size of a system's list of authorities. */
#define SIZE_MAX_KEPT (4 << 20)

static struct kept {
    char *name;
    char *bytes;
    size_t size;
} kept[FILES];

static bool kept_file_read_all(int fd, char *out, size_t size)
{
    while (size > 0) {
        ssize_t n = read(fd, out, size);

        if (n <= 0) {
            errno = n < 0 ? errno : EIO;
            return false;
        }
        out += n;
        size -= (size_t)n;
    }
    return true;
}

static bool read_into(struct kept *k, int fd)
{
    struct stat status;

    if (fstat(fd, &status) != 0)
        return false;
    errno = EFBIG;
    if (status.st_size > SIZE_MAX_KEPT)
        return false;
    k->size = (size_t)status.st_size;
    k->bytes = malloc(k->size + 1);
    return k->bytes && kept_file_read_all(fd, k->bytes, k->size);
}

bool kept_file_keep(const char *name, int fd)
{
    int i = 0, error;
    bool ok;

    while (i < FILES && kept[i].name)
        i++;
    errno = ENOMEM;
    ok = i < FILES && read_into(&kept[i], fd) && (kept[i].name = strdup(name));
    error = errno;
    if (!ok && i < FILES) {
        free(kept[i].bytes);
        kept[i].bytes = NULL;
    }
    errno = error;
    return ok;
}

int kept_file_open(const char *path)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0 || (fstat(fd, &status) == 0 && S_ISREG(status.st_mode)))
        return fd;
    close(fd);
    return -1;
}

bool kept_file_get(const char *name, const void **bytes, size_t *size)
{
    for (int i = 0; i < FILES && kept[i].name; i++)
        if (strcmp(kept[i].name, name) == 0) {
            *bytes = kept[i].bytes;
            *size = kept[i].size;
            return true;
        }
    return false;
}
