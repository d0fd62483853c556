#include "tools/accelerator/push/rendezvous.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "rfb/descriptors.h"

#define RENDEZVOUS_FOLDER "vnchl"
/* ms for the first word of a far end. Only one that is stopped takes so long. */
#define RENDEZVOUS_LIMIT 5000
/* Of those that have connected and were not accepted yet. */
#define RENDEZVOUS_BACKLOG 4

bool rendezvous_takes(const char *token)
{
    return strlen(token) == FAR_END_TOKEN && strspn(token, "0123456789abcdef") == FAR_END_TOKEN;
}

/* ---- the folder ---- */

/* Nobody but this user can have put anything there, or can look. */
static bool rendezvous_is_ours(int fd)
{
    struct stat status;

    return fstat(fd, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
           (status.st_mode & 0777) == 0700;
}

/* The user's folder for what lasts as long as a login; -1 with a reason. */
static int rendezvous_open_runtime(struct reason *why)
{
    const char *path = getenv("XDG_RUNTIME_DIR");
    int fd;

    if (!path || *path != '/') {
        reason_set(why, "XDG_RUNTIME_DIR, a folder of the user's own, is not set there");
        return -1;
    }
    fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0 && rendezvous_is_ours(fd))
        return fd;
    reason_set(why, "%.200s (XDG_RUNTIME_DIR) is not a folder of this user alone", path);
    if (fd >= 0)
        close(fd);
    return -1;
}

/* -1 with a reason. */
static int rendezvous_open(bool makes, struct reason *why)
{
    int runtime = rendezvous_open_runtime(why), fd;

    if (runtime < 0)
        return -1;
    if (makes)
        mkdirat(runtime, RENDEZVOUS_FOLDER, 0700);
    fd = openat(runtime, RENDEZVOUS_FOLDER, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    close(runtime);
    if (fd >= 0 && rendezvous_is_ours(fd))
        return fd;
    reason_set(why,
               "the folder " RENDEZVOUS_FOLDER " in XDG_RUNTIME_DIR is not one of this user alone, "
               "with mode 700");
    if (fd >= 0)
        close(fd);
    return -1;
}

/* By the descriptor: so it is in the folder that was looked at, and its path is short. */
static void rendezvous_address(int folder, const char *name, struct sockaddr_un *out)
{
    *out = (struct sockaddr_un){.sun_family = AF_UNIX};
    snprintf(out->sun_path, sizeof out->sun_path, "/proc/self/fd/%d/%.40s", folder, name);
}

static bool rendezvous_is_peer_ours(int fd)
{
    struct ucred peer;
    socklen_t size = sizeof peer;

    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

/* ---- who keeps ---- */

/* Whether nobody listens there any more. A socket of another kind asks: so nobody is disturbed. */
static bool rendezvous_is_stale(int folder, const char *name)
{
    struct sockaddr_un address;
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool stale;

    rendezvous_address(folder, name, &address);
    stale = fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) != 0 &&
            errno == ECONNREFUSED;
    if (fd >= 0)
        close(fd);
    return stale;
}

/* How many others are kept. What killed processes have left is removed. */
static int rendezvous_count(int folder, const char *token)
{
    int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), count = 0;
    DIR *all = copy >= 0 ? fdopendir(copy) : NULL;

    for (const struct dirent *e; all && (e = readdir(all));) {
        if (!rendezvous_takes(e->d_name) || strcmp(e->d_name, token) == 0)
            continue;
        if (rendezvous_is_stale(folder, e->d_name))
            unlinkat(folder, e->d_name, 0);
        else
            count++;
    }
    if (all)
        closedir(all);
    else if (copy >= 0)
        close(copy);
    return count;
}

static bool rendezvous_listen(struct rendezvous *r, struct reason *why)
{
    struct sockaddr_un address;
    struct stat status;

    rendezvous_address(r->folder, r->token, &address);
    unlinkat(r->folder, r->token, 0);
    r->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (r->listener < 0 || bind(r->listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(r->listener, RENDEZVOUS_BACKLOG) != 0 ||
        fstatat(r->folder, r->token, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return reason_set(why, "cannot listen in XDG_RUNTIME_DIR: %s", strerror(errno));
    r->inode = status.st_ino;
    return true;
}

bool rendezvous_begin(struct rendezvous *r, const char *token, struct reason *why)
{
    *r = (struct rendezvous){.folder = rendezvous_open(true, why), .listener = -1};
    snprintf(r->token, sizeof r->token, "%s", token);
    if (r->folder < 0)
        return false;
    if (rendezvous_count(r->folder, token) >= RENDEZVOUS_MOST)
        reason_set(why, "%d far ends of this user are kept already", RENDEZVOUS_MOST);
    else if (rendezvous_listen(r, why))
        return true;
    rendezvous_end(r);
    return false;
}

void rendezvous_end(struct rendezvous *r)
{
    struct stat status;

    if (r->inode && fstatat(r->folder, r->token, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        status.st_ino == r->inode)
        unlinkat(r->folder, r->token, 0);
    if (r->listener >= 0)
        close(r->listener);
    if (r->folder >= 0)
        close(r->folder);
    *r = (struct rendezvous){.folder = -1, .listener = -1};
}

int rendezvous_accept(const struct rendezvous *r)
{
    int fd = accept4(r->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

    if (fd < 0 || rendezvous_is_peer_ours(fd))
        return fd;
    close(fd);
    return -1;
}

/* Another version says one byte. */
bool rendezvous_hear(int fd, int fds[2], struct sockaddr_storage *from, bool *known)
{
    ssize_t n = descriptors_receive(fd, from, sizeof *from, fds, 2, MSG_DONTWAIT);

    *known = n == sizeof *from && (from->ss_family == AF_INET || from->ss_family == AF_INET6);
    return n >= 0 || errno != EAGAIN;
}

/* ---- who comes ---- */

int rendezvous_find(const char *token)
{
    struct sockaddr_un address;
    struct reason never;
    int folder = rendezvous_open(false, &never);
    int fd = folder >= 0 ? socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0) : -1;
    bool found = false;

    if (fd >= 0) {
        rendezvous_address(folder, token, &address);
        found = connect(fd, (struct sockaddr *)&address, sizeof address) == 0 &&
                rendezvous_is_peer_ours(fd);
    }
    if (fd >= 0 && !found)
        close(fd);
    if (folder >= 0)
        close(folder);
    return found ? fd : -1;
}

bool rendezvous_come(int fd, int viewer, int door, const struct sockaddr_storage *from)
{
    const int fds[2] = {viewer, door};

    return descriptors_send(fd, from ? (const void *)from : "", from ? sizeof *from : 1, fds,
                            door >= 0 ? 2 : 1);
}

bool rendezvous_speaks(int viewer)
{
    struct pollfd p = {.fd = viewer, .events = POLLIN};
    char byte;

    return poll(&p, 1, RENDEZVOUS_LIMIT) > 0 && recv(viewer, &byte, 1, MSG_PEEK) == 1;
}
