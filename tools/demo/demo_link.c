/* vnchl-demo-link: a far link for anybody, without privileges: a TCP relay that delays, limits the
 * rate and queues. What it cannot do is drop, reorder or delay the kernel's own acknowledgements;
 * for these there is the packet-level emulator.
 *
 * A single thread waits in ppoll() for the sockets and for the earliest time any queue names. A
 * connection is made to the far side half a round trip after it was accepted, as its first packet
 * would take.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "prerequest/tick.h"
#include "rfb/system/clock.h"
#include "tools/demo/demo_common.h"
#include "tools/demo/link_pipe.h"

#define LINKS_MAX      128
#define DEFAULT_RTT_MS 300
#define RTT_MAX_MS     60000
#define QUEUE_MIN      65536
#define QUEUE_TIME_MS  100
#define ACCEPT_PAUSE   (100 * TICK_MS)

/* With a rate, what waits should wait in our queue and not in the kernel's buffers before it. */
#define LIMITED_RCVBUF 65536

struct options {
    struct demo_address listen, to;
    double rtt_ms, rate;
    double queue; /* bytes; negative: choose */
};

enum link_state { DIALLING, CONNECTING, CONNECTED };

struct link {
    enum link_state state;
    tick_t dial_at;
    int client, server;                 /* server: -1 before CONNECTING */
    struct link_pipe up;                /* client to server */
    struct link_pipe down;              /* server to client */
    short client_events, server_events; /* what poll() reported */
};

struct relay {
    struct linkem_config config; /* of each direction of each connection */
    const struct demo_address *to_name;
    struct sockaddr_storage to;
    socklen_t to_len;
    int listen_fd;
    tick_t accept_after; /* out of descriptors until then */
    struct link *links[LINKS_MAX];
    int count;
};

static volatile sig_atomic_t stop;

static void demo_link_on_signal(int number)
{
    stop = number;
}

static void link_close(struct link *l, bool reset)
{
    int fds[] = {l->client, l->server};
    for (int i = 0; i < 2; i++) {
        if (fds[i] >= 0) {
            struct linger hard = {.l_onoff = 1};
            if (reset) {
                setsockopt(fds[i], SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
            }
            close(fds[i]);
        }
    }
    link_pipe_deinit(&l->up);
    link_pipe_deinit(&l->down);
    free(l);
}

static void set_no_delay(int fd)
{
    int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
}

static void limit_buffer(const struct relay *r, int fd)
{
    int size = LIMITED_RCVBUF;
    if (r->config.rate) {
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    }
}

static void relay_accept(struct relay *r, tick_t now)
{
    int fd = accept4(r->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) {
        if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) {
            r->accept_after = now + ACCEPT_PAUSE;
        }
        return;
    }
    struct link *l = calloc(1, sizeof *l);
    if (!l) {
        close(fd);
        return;
    }
    set_no_delay(fd);
    l->client = fd;
    l->server = -1;
    l->dial_at = now + r->config.delay;
    /* The configuration was checked at the start. */
    link_pipe_init(&l->up, &r->config);
    link_pipe_init(&l->down, &r->config);
    r->links[r->count++] = l;
}

/* The far side refused: the client learns it half a round trip later. */
static void demo_link_refuse(struct relay *r, struct link *l, int error, tick_t now)
{
    demo_error("cannot connect to %s port %s: %s", r->to_name->host, r->to_name->port,
               strerror(error));
    l->up.source_ended = true;
    l->up.end = LINK_RESET;
    link_pipe_end(&l->down, LINK_RESET, now);
    l->state = CONNECTED;
}

static void demo_link_dial(struct relay *r, struct link *l, tick_t now)
{
    l->server = socket(r->to.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (l->server < 0) {
        demo_link_refuse(r, l, errno, now);
        return;
    }
    set_no_delay(l->server);
    limit_buffer(r, l->server);
    l->state = CONNECTING;
    if (connect(l->server, (struct sockaddr *)&r->to, r->to_len) == 0) {
        l->state = CONNECTED;
    } else if (errno != EINPROGRESS) {
        demo_link_refuse(r, l, errno, now);
    }
}

static void check_connected(struct relay *r, struct link *l, tick_t now)
{
    int error = 0;
    socklen_t len = sizeof error;
    if (getsockopt(l->server, SOL_SOCKET, SO_ERROR, &error, &len)) {
        error = errno;
    }
    if (error) {
        demo_link_refuse(r, l, error, now);
    } else {
        l->state = CONNECTED;
    }
}

/* Moves bytes one way. A reader that is gone ends the way back too. */
static void demo_link_move(struct link_pipe *p, struct link_pipe *back, int from, short from_events,
                           int to, tick_t now)
{
    if (from_events & (POLLIN | POLLERR | POLLHUP) && link_pipe_wants_input(p, now)) {
        link_pipe_read(p, from, now);
    }
    link_pipe_arrive(p, now);
    if (to >= 0 && link_pipe_wants_output(p) && !link_pipe_write(p, to)) {
        link_pipe_end(back, LINK_RESET, now);
    }
}

/* False when the connection is over; it is closed then. */
static bool link_run(struct relay *r, struct link *l)
{
    tick_t now = tick_now();
    if (l->state == DIALLING && now >= l->dial_at) {
        demo_link_dial(r, l, now);
    } else if (l->state == CONNECTING && l->server_events) {
        check_connected(r, l, now);
    }
    int server = l->state == CONNECTED ? l->server : -1;
    demo_link_move(&l->up, &l->down, l->client, l->client_events, server, now);
    demo_link_move(&l->down, &l->up, server, server >= 0 ? l->server_events : 0, l->client, now);
    /* A reset that was delivered ends all at once; one that a failed write found still has to
     * travel to the other end. */
    bool over = link_pipe_was_reset(&l->up) || link_pipe_was_reset(&l->down) ||
                (l->up.end != LINK_OPEN && l->down.end != LINK_OPEN);
    if (over) {
        bool reset = l->up.end == LINK_RESET || l->down.end == LINK_RESET;
        link_close(l, reset);
        return false;
    }
    return true;
}

/* What to poll for. An fd with nothing to ask is left out: a hang-up nobody handles would spin. */
static void link_poll(struct link *l, struct pollfd *client, struct pollfd *server, tick_t now)
{
    short c = 0, s = 0;
    if (link_pipe_wants_input(&l->up, now)) {
        c |= POLLIN;
    }
    if (link_pipe_wants_output(&l->down)) {
        c |= POLLOUT;
    }
    if (l->state == CONNECTING) {
        s = POLLOUT;
    } else if (l->state == CONNECTED) {
        s |= link_pipe_wants_input(&l->down, now) ? POLLIN : 0;
        s |= link_pipe_wants_output(&l->up) ? POLLOUT : 0;
    }
    *client = (struct pollfd){.fd = c ? l->client : -1, .events = c};
    *server = (struct pollfd){.fd = s ? l->server : -1, .events = s};
}

static tick_t link_due(struct link *l, tick_t now)
{
    tick_t due = link_pipe_due(&l->up, now), down = link_pipe_due(&l->down, now);
    if (l->state != CONNECTED) {
        /* What arrives before the connection stands waits for it, not for a timer. */
        due = l->state == DIALLING ? l->dial_at : TICK_NEVER;
    }
    return due < down ? due : down;
}

/* Waits for the next event and fills in what poll() reported. False when interrupted. */
static bool relay_wait(struct relay *r, const sigset_t *mask, bool *incoming)
{
    struct pollfd fds[1 + 2 * LINKS_MAX];
    tick_t now = tick_now(), due = TICK_NEVER;
    bool accepting = r->count < LINKS_MAX && now >= r->accept_after;
    if (!accepting && r->count < LINKS_MAX) {
        due = r->accept_after;
    }
    fds[0] = (struct pollfd){.fd = accepting ? r->listen_fd : -1, .events = POLLIN};
    for (int i = 0; i < r->count; i++) {
        link_poll(r->links[i], &fds[1 + 2 * i], &fds[2 + 2 * i], now);
        tick_t d = link_due(r->links[i], now);
        due = d < due ? d : due;
    }
    struct timespec ts = tick_to_timespec(due == TICK_NEVER ? 0 : due - tick_now());
    if (ppoll(fds, (nfds_t)(1 + 2 * r->count), due == TICK_NEVER ? NULL : &ts, mask) < 0) {
        return false;
    }
    *incoming = fds[0].revents != 0;
    for (int i = 0; i < r->count; i++) {
        r->links[i]->client_events = fds[1 + 2 * i].revents;
        r->links[i]->server_events = fds[2 + 2 * i].revents;
    }
    return true;
}

static void relay_run(struct relay *r, const sigset_t *mask)
{
    while (!stop) {
        bool incoming = false;
        if (!relay_wait(r, mask, &incoming)) {
            continue;
        }
        for (int i = 0; i < r->count;) {
            if (link_run(r, r->links[i])) {
                i++;
            } else {
                r->links[i] = r->links[--r->count];
            }
        }
        if (incoming) {
            relay_accept(r, tick_now());
        }
    }
}

static void demo_link_print_help(void)
{
    printf("Usage: vnchl-demo-link --to HOST:PORT [OPTION]...\n"
           "A far link: relays TCP connections with a delay, a rate and a queue.\n\n"
           "  --to HOST:PORT      where connections go\n"
           "  --listen HOST:PORT  where they come from (default 127.0.0.1:0; 0: any free port)\n"
           "  --rtt MS            round trip time, half of it each way (default %d)\n"
           "  --rate BITS         bit/s each way: 8M, 500k (default 0: unlimited)\n"
           "  --queue BYTES       queue before the rate, each way (default: %d ms of the rate,\n"
           "                      at least %d; 0: as much as fits in %u MiB)\n"
           "  --help, --version\n\n"
           "Prints \"listening on HOST:PORT\" when it is ready and ends on SIGINT or SIGTERM.\n",
           DEFAULT_RTT_MS, QUEUE_TIME_MS, QUEUE_MIN, LINK_HELD_MAX >> 20);
}

/* -1: go on, else the exit status. */
static int parse_options(int argc, char **argv, struct options *o)
{
    static const struct option longs[] = {
        {"to", required_argument, NULL, 't'},    {"listen", required_argument, NULL, 'l'},
        {"rtt", required_argument, NULL, 'd'},   {"rate", required_argument, NULL, 'r'},
        {"queue", required_argument, NULL, 'q'}, {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'v'},     {0}};
    bool good = true;
    for (int c; good && (c = getopt_long(argc, argv, "", longs, NULL)) != -1;) {
        switch (c) {
        case 't':
            good = demo_parse_address("--to", optarg, &o->to);
            break;
        case 'l':
            good = demo_parse_address("--listen", optarg, &o->listen);
            break;
        case 'd':
            good = demo_parse_number("--rtt", optarg, 0, RTT_MAX_MS, &o->rtt_ms);
            break;
        case 'r':
            good = demo_parse_rate("--rate", optarg, LINKEM_RATE_MAX, &o->rate);
            break;
        case 'q':
            good = demo_parse_integer("--queue", optarg, 0, LINK_HELD_MAX, &o->queue);
            break;
        case 'h':
            demo_link_print_help();
            return 0;
        case 'v':
            printf("vnchl-demo-link %s\n", VNCHL_VERSION);
            return 0;
        default:
            return 2; /* getopt has said why */
        }
    }
    if (good && optind < argc) {
        demo_error("unexpected argument '%.80s'; try --help", argv[optind]);
        good = false;
    } else if (good && !o->to.host[0]) {
        demo_error("say where to with --to HOST:PORT; try --help");
        good = false;
    }
    return good ? -1 : 2;
}

static struct linkem_config make_config(const struct options *o)
{
    struct linkem_config c = {.rate = (uint64_t)o->rate, .delay = tick_from_ms(o->rtt_ms / 2)};
    if (o->queue >= 0) {
        c.queue_bytes = (uint64_t)o->queue;
    } else if (c.rate) {
        c.queue_bytes = c.rate / 8 * QUEUE_TIME_MS / 1000;
        c.queue_bytes = c.queue_bytes > QUEUE_MIN ? c.queue_bytes : QUEUE_MIN;
    }
    return c;
}

int main(int argc, char **argv)
{
    struct options o = {
        .listen = {.host = "127.0.0.1", .port = "0"}, .rtt_ms = DEFAULT_RTT_MS, .queue = -1};
    int status = parse_options(argc, argv, &o);
    if (status >= 0) {
        return status;
    }
    /* Signals arrive inside ppoll() only. */
    sigset_t blocked, open;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGINT);
    sigaddset(&blocked, SIGTERM);
    sigprocmask(SIG_BLOCK, &blocked, &open);
    sigdelset(&open, SIGINT);
    sigdelset(&open, SIGTERM);
    struct sigaction action = {.sa_handler = demo_link_on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    prctl(PR_SET_TIMERSLACK, 1000UL);

    struct relay r = {.config = make_config(&o), .to_name = &o.to, .accept_after = INT64_MIN};
    if (!demo_resolve(&o.to, &r.to, &r.to_len)) {
        return 1;
    }
    r.listen_fd = demo_listen(&o.listen);
    if (r.listen_fd < 0) {
        return 1;
    }
    /* A client may be gone again between poll() and accept(). */
    fcntl(r.listen_fd, F_SETFL, O_NONBLOCK);
    limit_buffer(&r, r.listen_fd); /* accepted sockets inherit it */
    if (demo_announce(r.listen_fd)) {
        relay_run(&r, &open);
    } else {
        status = 1;
    }
    for (int i = 0; i < r.count; i++) {
        link_close(r.links[i], true);
    }
    close(r.listen_fd);
    return status < 0 ? 0 : status;
}
