#include "rfb/system/descriptors.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

union descriptors_control {
    struct cmsghdr head;
    char space[CMSG_SPACE(DESCRIPTORS_MOST * sizeof(int))];
};

bool descriptors_send(int fd, const void *body, size_t size, const int *fds, unsigned count)
{
    union descriptors_control control = {.space = {0}};
    struct iovec part = {(void *)body, size};
    struct msghdr m = {.msg_iov = &part,
                       .msg_iovlen = 1,
                       .msg_control = &control,
                       .msg_controllen = CMSG_SPACE(count * sizeof *fds)};
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);

    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(count * sizeof *fds);
    memcpy(CMSG_DATA(c), fds, count * sizeof *fds);
    return sendmsg(fd, &m, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)size;
}

/* What came with the message goes into `fds`, if they are no more. */
static void descriptors_take(struct msghdr *m, int *fds, unsigned count)
{
    const struct cmsghdr *c = CMSG_FIRSTHDR(m);
    int came[DESCRIPTORS_MOST];
    size_t size;

    if (!c || c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
        return;
    size = c->cmsg_len - CMSG_LEN(0);
    memcpy(came, CMSG_DATA(c), size);
    if (size <= count * sizeof *fds) {
        memcpy(fds, came, size);
        return;
    }
    for (size_t i = 0; i < size / sizeof *came; i++)
        close(came[i]);
}

ssize_t descriptors_receive(int fd, void *body, size_t size, int *fds, unsigned count, int flags)
{
    union descriptors_control control;
    struct iovec part = {body, size};
    struct msghdr m = {.msg_iov = &part,
                       .msg_iovlen = 1,
                       .msg_control = &control,
                       .msg_controllen = sizeof control};
    ssize_t n;

    for (unsigned i = 0; i < count; i++)
        fds[i] = -1;
    while ((n = recvmsg(fd, &m, flags | MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
        ;
    if (n > 0)
        descriptors_take(&m, fds, count);
    return n;
}
