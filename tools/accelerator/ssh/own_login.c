#include "tools/accelerator/ssh/own_login.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rfb/clock.h"
#include "rfb/proto/bytes.h"
#include "rfb/proto/security.h"

/* For all of it. Only a server that is stopped takes so long. */
#define OWN_LOGIN_LIMIT (5 * TICK_S)

#define OWN_LOGIN_VERSION       "RFB 003.008\n"
#define OWN_LOGIN_VERSION_BYTES 12
#define OWN_LOGIN_TYPES         255

/* ---- the file ---- */

/* Its first block is the password of who may do all. */
static bool own_login_read_file(const char *path, uint8_t block[VNCAUTH_PASSWORD])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    bool good = fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
                status.st_uid == geteuid() && read(fd, block, VNCAUTH_PASSWORD) == VNCAUTH_PASSWORD;

    if (fd >= 0)
        close(fd);
    return good;
}

bool own_login_password(char password[VNCAUTH_PASSWORD + 1])
{
    static const char *const names[] = {".vnc/passwd", ".config/tigervnc/passwd"};
    const char *home = getenv("HOME");
    uint8_t block[VNCAUTH_PASSWORD];
    char path[4096];

    for (size_t i = 0; home && i < sizeof names / sizeof *names; i++) {
        int length = snprintf(path, sizeof path, "%s/%s", home, names[i]);

        if (length < (int)sizeof path && own_login_read_file(path, block)) {
            vncauth_reveal(block, password);
            explicit_bzero(block, sizeof block);
            return true;
        }
    }
    return false;
}

/* ---- the handshake ---- */

/* The kernel's buffers take what is written here: it is less than a packet. */
static bool own_login_write(int fd, const void *bytes, size_t size)
{
    return write(fd, bytes, size) == (ssize_t)size;
}

static bool own_login_read(int fd, void *bytes, size_t size, tick_t until)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    uint8_t *at = bytes;

    while (size > 0) {
        tick_t left = until - tick_now();
        ssize_t n =
            left > 0 && poll(&ready, 1, (int)(left / TICK_MS) + 1) > 0 ? read(fd, at, size) : 0;

        if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
            return false;
        at += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* RFB 3.8 is answered to versions from 3.8 on only. */
static bool own_login_version(int fd, tick_t until)
{
    char version[OWN_LOGIN_VERSION_BYTES + 1] = "";
    int minor = 0;

    return own_login_read(fd, version, OWN_LOGIN_VERSION_BYTES, until) &&
           sscanf(version, "RFB 003.%3d\n", &minor) == 1 && minor >= 8 &&
           own_login_write(fd, OWN_LOGIN_VERSION, OWN_LOGIN_VERSION_BYTES);
}

static bool own_login_type(int fd, tick_t until)
{
    static const uint8_t wanted = SECURITY_VNC;
    uint8_t types[OWN_LOGIN_TYPES], count;

    return own_login_read(fd, &count, 1, until) && own_login_read(fd, types, count, until) &&
           memchr(types, wanted, count) && own_login_write(fd, &wanted, 1);
}

bool own_login(int fd, const char *password)
{
    uint8_t challenge[VNCAUTH_CHALLENGE], result[4];
    tick_t until = tick_now() + OWN_LOGIN_LIMIT;

    if (!own_login_version(fd, until) || !own_login_type(fd, until) ||
        !own_login_read(fd, challenge, sizeof challenge, until))
        return false;
    vncauth_answer(challenge, password);
    return own_login_write(fd, challenge, sizeof challenge) &&
           own_login_read(fd, result, sizeof result, until) && get32(result) == 0;
}
