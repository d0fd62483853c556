#include "tools/accelerator/push/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rfb/descriptors.h"
#include "rfb/pusher/words.h"
#include "tools/accelerator/events.h"

/* ---- the beginning ---- */

/* They are ignored until here. A signal that is blocked waits even so. */
static int keeper_signals(void)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    if (sigprocmask(SIG_BLOCK, &set, NULL) != 0)
        return -1;
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* A ticket for the visit behind the one of this viewer; NULL: there is none. */
static void keeper_issue(struct keeper *k, const struct sockaddr_storage *viewer)
{
    uint8_t word[1 + sizeof(struct door_opening)] = {KEEPER_TICKET};
    struct door_opening ticket;

    ticket_door_issue(&k->tickets, viewer, &ticket);
    memcpy(word + 1, &ticket, sizeof ticket);
    send(k->pusher, word, sizeof word, MSG_DONTWAIT | MSG_NOSIGNAL);
    explicit_bzero(word, sizeof word);
    explicit_bzero(&ticket, sizeof ticket);
}

static void keeper_begin_tickets(struct keeper *k, const struct keeper_way *way)
{
    struct reason why;

    k->tickets = (struct ticket_door){.udp = -1};
    if (!way->tickets)
        return;
    if (ticket_door_open(&k->tickets, &way->local, &way->ports, &why))
        keeper_issue(k, &way->viewer);
    else
        event_log(EVENT_ALWAYS, "no-tickets", "why=\"%s\"", event_text(why.text));
}

bool keeper_begin(struct keeper *k, const char *token, const char *name,
                  const struct keeper_way *way, int *newcomers, struct reason *why)
{
    int pair[2];

    if (!rendezvous_begin(&k->rendezvous, token, why))
        return false;
    k->name = name;
    k->comes = -1;
    k->signals = keeper_signals();
    if (k->signals >= 0 && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0) {
        k->pusher = pair[0];
        *newcomers = pair[1];
        keeper_begin_tickets(k, way);
        return true;
    }
    reason_set(why, "no sockets: %s", strerror(errno));
    rendezvous_end(&k->rendezvous);
    if (k->signals >= 0)
        close(k->signals);
    return false;
}

/* ---- its life ---- */

static void keeper_close(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Somebody comes, in place of one who has not said yet with what. */
static void keeper_accept(struct keeper *k)
{
    int fd = rendezvous_accept(&k->rendezvous);

    if (fd < 0)
        return;
    keeper_close(&k->comes);
    k->comes = fd;
}

static void keeper_let_in(struct keeper *k)
{
    char word[1 + HANDSHAKE_NAME_MAX + 1];
    struct sockaddr_storage from;
    bool known;
    int fds[2]; /* viewer, door */

    if (!rendezvous_hear(k->comes, fds, &from, &known))
        return;
    /* Where the process is too busy, the viewer ends. */
    if (fds[0] >= 0) {
        keeper_issue(k, known ? &from : NULL);
        snprintf(word, sizeof word, "%c%s", KEEPER_VIEWER, k->name);
        descriptors_send(k->pusher, word, strlen(word) + 1, fds, fds[1] >= 0 ? 2 : 1);
    }
    keeper_close(&fds[0]);
    keeper_close(&fds[1]);
    keeper_close(&k->comes);
}

/* The viewer comes again by its ticket, before its connection does. */
static void keeper_hear_ticket(struct keeper *k)
{
    struct ticket_use use = {0};
    int fd = ticket_door_read(&k->tickets, &use);
    const uint8_t word[KEEPER_USED_BYTES] = {KEEPER_USED, use.proved, (uint8_t)(use.tries >> 8),
                                             (uint8_t)use.tries};

    if (fd < 0)
        return;
    descriptors_send(k->pusher, word, sizeof word, &fd, 1);
    close(fd);
}

/* The accelerator has ended with its viewer: nothing is held of what ssh waits for. */
static void keeper_let_go(void)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    if (null < 0)
        return;
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    if (null > STDERR_FILENO)
        close(null);
}

/* False: it wants the end of all. */
static bool keeper_hear(struct pollfd *accelerator)
{
    char word;
    ssize_t n = recv(accelerator->fd, &word, 1, MSG_DONTWAIT);

    if (n > 0)
        return false;
    if (n == 0) {
        keeper_let_go();
        accelerator->fd = -1;
    }
    return true;
}

void keeper_run(struct keeper *k, int accelerator)
{
    struct pollfd p[6] = {{accelerator, POLLIN, 0}, {k->rendezvous.listener, POLLIN, 0},
                          {k->pusher, POLLIN, 0},   {k->signals, POLLIN, 0},
                          {-1, POLLIN, 0},          {k->tickets.udp, POLLIN, 0}};

    prctl(PR_SET_NAME, "vnchl-keeper");
    setsid();
    while (poll(p, 6, -1) >= 0 || errno == EINTR) {
        if (p[2].revents || p[3].revents || (p[0].revents && !keeper_hear(&p[0])))
            break;
        if (p[5].revents)
            keeper_hear_ticket(k);
        if (p[4].revents)
            keeper_let_in(k);
        if (p[1].revents)
            keeper_accept(k);
        p[4].fd = k->comes;
    }
    keeper_close(&k->comes);
    ticket_door_close(&k->tickets);
    rendezvous_end(&k->rendezvous);
    close(k->pusher);
    close(k->signals);
}
