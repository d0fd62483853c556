#include "viewer/trust/passwd_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rfb/system/log.h"

/* So long a program that writes a password into a pipe is waited for. Chosen. */
#define PIPE_PATIENCE_MS 5000

/* What vncpasswd does to a password is no secret: who reads the file has the password. */
static void passwd_file_warn(const char *file)
{
    struct stat is;

    if (stat(file, &is) == 0 && S_ISREG(is.st_mode) && (is.st_mode & (S_IRGRP | S_IROTH)))
        log_line("others on this computer can read the password file: chmod 600 %s", file);
}

static bool passwd_file_is_text(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if ((bytes[i] < ' ' || bytes[i] > '~') && bytes[i] != '\n' && bytes[i] != '\r')
            return false;
    return true;
}

/* Whether its length is none that vncpasswd makes: one password, or two. */
static bool passwd_file_is_odd(const char *path)
{
    struct stat is;

    return stat(path, &is) == 0 && S_ISREG(is.st_mode) && is.st_size != VNCAUTH_PASSWORD &&
           is.st_size != 2 * VNCAUTH_PASSWORD;
}

/* The first bytes of a file, or of a pipe that a shell has put in its place. A pipe that nobody
 * writes into has none. Returns how many; -1 with errno. */
static ssize_t passwd_file_bytes(const char *path, uint8_t *out, size_t size)
{
    struct pollfd p = {.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), .events = POLLIN};
    size_t got = 0;
    ssize_t n = -1;

    if (p.fd < 0)
        return -1;
    do {
        n = read(p.fd, out + got, size - got);
        got += n > 0 ? (size_t)n : 0;
    } while (got < size &&
             (n > 0 || (n < 0 && errno == EAGAIN && poll(&p, 1, PIPE_PATIENCE_MS) > 0)));
    close(p.fd);
    return n < 0 && errno != EAGAIN ? -1 : (ssize_t)got;
}

bool passwd_file_read(const char *file, char password[VNCAUTH_PASSWORD + 1], struct reason *why)
{
    uint8_t block[VNCAUTH_PASSWORD];
    ssize_t got = passwd_file_bytes(file, block, sizeof block);

    if (got < 0)
        return reason_set(why, "cannot read the password file %s: %s", file, strerror(errno));
    if (got < (ssize_t)sizeof block)
        return reason_set(why, "%s is no password file: make one with vncpasswd", file);
    if (passwd_file_is_text(block, sizeof block) && passwd_file_is_odd(file)) {
        explicit_bzero(block, sizeof block);
        return reason_set(why,
                          "%s holds plain text and is no password file: make one with "
                          "vncpasswd",
                          file);
    }
    passwd_file_warn(file);
    vncauth_reveal(block, password);
    explicit_bzero(block, sizeof block);
    return true;
}
