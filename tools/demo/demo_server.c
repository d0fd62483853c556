/* vnchl-demo-server: a VNC server that needs no X, with a picture that shows what the viewer does.
 *
 * Threads: the main thread owns the scene and its clock; a thread accepts connections; the library
 * runs two threads per client, which encode from the picture and call the hooks below. A client
 * that reads slowly blocks its own threads only, and requests never reach the main thread, so
 * neither can stop the film. (The library's single-threaded loop would: it blocks in write.)
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <rfb/rfb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "prerequest/tick.h"
#include "rfb/system/clock.h"
#include "tools/demo/demo_common.h"
#include "tools/demo/pointer.h"
#include "tools/demo/scene.h"
#include "tools/demo/server_options.h"

#define CLIENTS_MAX   16
#define INPUTS_MAX    256
#define EXIT_PATIENCE (3 * TICK_S)

/* The least the library can wait to gather changes; zero would make it spin during handshakes. */
#define DEFER_MS 1

/* A click has a button, a key has none. */
struct input {
    uint32_t keysym;
    int x, y, button;
};

struct server {
    struct server_options options;
    struct scene *scene;
    rfbScreenInfoPtr screen;
    rfbCursorPtr pointer;
    char *passwords[2];
    int listen_fd, wake_fd, signal_fd;

    pthread_mutex_t lock; /* of the rest */
    struct input inputs[INPUTS_MAX];
    int input_count;
    pthread_t finished[CLIENTS_MAX]; /* client threads that only want joining */
    int finished_count;
    int running; /* clients accepted and not joined yet */
    bool stopping;
};

static void demo_server_wake(struct server *s)
{
    uint64_t one = 1;
    ssize_t n = write(s->wake_fd, &one, sizeof one);
    (void)n; /* only fails when a wake-up is pending already */
}

static void push_input(struct server *s, struct input in)
{
    pthread_mutex_lock(&s->lock);
    if (s->input_count < INPUTS_MAX) {
        s->inputs[s->input_count++] = in;
    }
    pthread_mutex_unlock(&s->lock);
    demo_server_wake(s);
}

/* The hooks, called in a client's thread. */

static void on_key(rfbBool down, rfbKeySym keysym, rfbClientPtr cl)
{
    if (down) {
        push_input(cl->screen->screenData, (struct input){.keysym = (uint32_t)keysym});
    }
}

static void on_pointer(int mask, int x, int y, rfbClientPtr cl)
{
    uintptr_t last = (uintptr_t)cl->clientData;
    uintptr_t pressed = (uintptr_t)mask & ~last;
    cl->clientData = (void *)(uintptr_t)mask;
    for (int button = 1; button <= 8; button++) {
        if (pressed >> (button - 1) & 1) {
            push_input(cl->screen->screenData, (struct input){.x = x, .y = y, .button = button});
        }
    }
}

/* Before an update is put together. The library would announce the size in an update of its own
 * and answer the same request once more with pixels. A viewer that asks once per update then has
 * two requests in flight for good, twice the frame rate of plain VNC over a far link. */
static void on_update(rfbClientPtr cl)
{
    pthread_mutex_lock(&cl->updateMutex);
    cl->newFBSizePending = FALSE;
    pthread_mutex_unlock(&cl->updateMutex);
}

static void on_gone(rfbClientPtr cl)
{
    struct server *s = cl->screen->screenData;
    pthread_mutex_lock(&s->lock);
    s->finished[s->finished_count++] = pthread_self();
    pthread_mutex_unlock(&s->lock);
    demo_server_wake(s);
}

static enum rfbNewClientAction demo_server_on_client(rfbClientPtr cl)
{
    struct server *s = cl->screen->screenData;
    pthread_mutex_lock(&s->lock);
    bool take = !s->stopping && s->running < CLIENTS_MAX;
    s->running += take;
    pthread_mutex_unlock(&s->lock);
    if (!take) {
        return RFB_CLIENT_REFUSE;
    }
    cl->clientGoneHook = on_gone;
    return RFB_CLIENT_ACCEPT;
}

static void *accept_clients(void *arg)
{
    struct server *s = arg;
    for (;;) {
        int fd = accept4(s->listen_fd, NULL, NULL, SOCK_CLOEXEC);
        pthread_mutex_lock(&s->lock);
        bool stopping = s->stopping;
        pthread_mutex_unlock(&s->lock);
        if (stopping) {
            if (fd >= 0) {
                close(fd);
            }
            return NULL;
        }
        if (fd >= 0) {
            /* Waits 100 ms for a WebSocket greeting: why this is a thread of its own. */
            rfbClientPtr cl = rfbNewClient(s->screen, fd);
            if (cl) {
                rfbStartOnHoldClient(cl);
            }
        } else if (errno != EINTR && errno != ECONNABORTED) {
            usleep(100000); /* out of descriptors: do not spin until one is free */
        }
    }
}

static void on_damage(void *user, struct rect r)
{
    struct server *s = user;
    rfbMarkRectAsModified(s->screen, r.x, r.y, r.x + r.w, r.y + r.h);
}

static void join_finished(struct server *s)
{
    pthread_t threads[CLIENTS_MAX];
    pthread_mutex_lock(&s->lock);
    int count = s->finished_count;
    memcpy(threads, s->finished, (size_t)count * sizeof *threads);
    s->finished_count = 0;
    pthread_mutex_unlock(&s->lock);
    for (int i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
    }
    pthread_mutex_lock(&s->lock);
    s->running -= count;
    pthread_mutex_unlock(&s->lock);
}

static void handle_inputs(struct server *s, tick_t now)
{
    struct input inputs[INPUTS_MAX];
    pthread_mutex_lock(&s->lock);
    int count = s->input_count;
    memcpy(inputs, s->inputs, (size_t)count * sizeof *inputs);
    s->input_count = 0;
    pthread_mutex_unlock(&s->lock);
    for (int i = 0; i < count; i++) {
        scene_press(s->scene, now);
        if (inputs[i].button) {
            scene_click(s->scene, inputs[i].x, inputs[i].y, inputs[i].button, now);
        } else {
            scene_key(s->scene, inputs[i].keysym);
        }
    }
}

static void poll_until(struct server *s, tick_t when, bool *signalled)
{
    struct pollfd fds[] = {{.fd = s->signal_fd, .events = POLLIN},
                           {.fd = s->wake_fd, .events = POLLIN}};
    struct timespec ts = tick_to_timespec(when - tick_now());
    if (ppoll(fds, 2, &ts, NULL) <= 0) {
        return;
    }
    if (fds[0].revents) {
        *signalled = true;
    }
    uint64_t count;
    if (fds[1].revents && read(s->wake_fd, &count, sizeof count) > 0) {
        join_finished(s);
    }
}

/* Draws until a signal asks to stop. Frame n is due at start + n / fps, whatever the frames before
 * it took; a slot that has passed entirely is left out, so the film keeps its speed. */
static void demo_server_run(struct server *s)
{
    double fps = s->options.fps;
    tick_t start = tick_now(), window = start, last = start;
    uint64_t slot = 1, drawn = 0, window_drawn = 0;
    double measured = fps;
    bool signalled = false;
    while (!signalled) {
        tick_t due = start + (tick_t)((double)slot * 1e9 / fps);
        poll_until(s, due, &signalled);
        tick_t now = tick_now();
        handle_inputs(s, now);
        if (now < due) {
            continue;
        }
        if (now - window >= TICK_S) {
            measured = (double)(drawn - window_drawn) / tick_to_s(now - window);
            window = now;
            window_drawn = drawn;
        }
        uint64_t latest = (uint64_t)(tick_to_s(now - start) * fps);
        slot = latest > slot ? latest : slot;
        scene_frame(s->scene, slot, measured);
        scene_show(s->scene, tick_now());
        slot++;
        drawn++;
        last = now;
    }
    double seconds = tick_to_s(last - start);
    printf("drew %llu frames in %.1f s: %.2f fps, %llu left out\n", (unsigned long long)drawn,
           seconds, drawn ? (double)drawn / seconds : 0, (unsigned long long)(slot - 1 - drawn));
    fflush(stdout);
}

/* Ends all clients. False when one of the library's threads did not come back in time: then its
 * data must stay where it is. */
static bool stop_clients(struct server *s, pthread_t acceptor)
{
    pthread_mutex_lock(&s->lock);
    s->stopping = true;
    pthread_mutex_unlock(&s->lock);
    shutdown(s->listen_fd, SHUT_RDWR);
    pthread_join(acceptor, NULL);
    rfbClientIteratorPtr i = rfbGetClientIterator(s->screen);
    for (rfbClientPtr cl; (cl = rfbClientIteratorNext(i));) {
        shutdown(cl->sock, SHUT_RDWR);
    }
    rfbReleaseClientIterator(i);
    tick_t patience = tick_now() + EXIT_PATIENCE;
    while (tick_now() < patience) {
        join_finished(s);
        pthread_mutex_lock(&s->lock);
        int running = s->running;
        pthread_mutex_unlock(&s->lock);
        if (running == 0) {
            return true;
        }
        bool signalled = false;
        poll_until(s, patience, &signalled);
    }
    return false;
}

static bool open_descriptors(struct server *s)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN);
    s->signal_fd = signalfd(-1, &set, SFD_CLOEXEC);
    s->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (s->signal_fd < 0 || s->wake_fd < 0) {
        demo_error("cannot set up signals: %s", strerror(errno));
        return false;
    }
    s->listen_fd = demo_listen(&s->options.address);
    return s->listen_fd >= 0;
}

static rfbCursorPtr on_pointer_shape(rfbClientPtr cl)
{
    struct server *s = cl->screen->screenData;
    return s->pointer;
}

static bool open_screen(struct server *s)
{
    const struct server_options *o = &s->options;
    const struct scene_settings set = {o->width, o->height, o->fps, o->marks};
    s->scene = scene_create(&set, on_damage, s);
    rfbLogEnable(0);
    s->screen = s->scene ? rfbGetScreen(NULL, NULL, o->width, o->height, 8, 3, 4) : NULL;
    if (!s->screen) {
        demo_error("no memory for a picture of %dx%d", o->width, o->height);
        return false;
    }
    rfbScreenInfoPtr screen = s->screen;
    screen->screenData = s;
    screen->frameBuffer = (char *)scene_pixels(s->scene);
    screen->serverFormat.redShift = 16;
    screen->serverFormat.greenShift = 8;
    screen->serverFormat.blueShift = 0;
    screen->desktopName = o->name;
    screen->alwaysShared = TRUE;
    screen->deferUpdateTime = DEFER_MS;
    screen->kbdAddEvent = on_key;
    screen->ptrAddEvent = on_pointer;
    screen->newClientHook = demo_server_on_client;
    screen->displayHook = on_update;
    /* screen->cursor the library would draw into the picture for clients that draw none, and then
     * put back old pixels over what has been drawn in the meantime. */
    screen->cursor = NULL;
    screen->getCursorPtr = on_pointer_shape;
    screen->port = 0; /* the socket is ours */
    screen->ipv6port = 0;
    if (o->password[0]) {
        s->passwords[0] = s->options.password;
        screen->authPasswdData = s->passwords;
        screen->passwordCheck = rfbCheckPasswordByList;
    }
    s->pointer = pointer_create(screen);
    if (!s->pointer) {
        demo_error("no memory for a pointer");
        return false;
    }
    rfbInitServer(screen);
    screen->backgroundLoop = TRUE; /* makes the library run a client in threads of its own */
    return true;
}

static int demo_server_serve(struct server *s)
{
    pthread_t acceptor;
    prctl(PR_SET_TIMERSLACK, 1000UL);
    if (!open_descriptors(s) || !open_screen(s)) {
        return 1;
    }
    int error = pthread_create(&acceptor, NULL, accept_clients, s);
    if (error) {
        demo_error("cannot start a thread: %s", strerror(error));
        return 1;
    }
    bool good = demo_announce(s->listen_fd);
    if (good) {
        demo_server_run(s);
    }
    if (!stop_clients(s, acceptor)) {
        demo_error("a client did not end in time; leaving it");
        _exit(1);
    }
    return good ? 0 : 1;
}

static void close_server(struct server *s)
{
    if (s->screen) {
        rfbScreenCleanup(s->screen);
    }
    if (s->pointer) {
        rfbFreeCursor(s->pointer);
    }
    scene_destroy(s->scene);
    int fds[] = {s->listen_fd, s->wake_fd, s->signal_fd};
    for (int i = 0; i < 3; i++) {
        if (fds[i] >= 0) {
            close(fds[i]);
        }
    }
    pthread_mutex_destroy(&s->lock);
}

int main(int argc, char **argv)
{
    struct server s = {
        .listen_fd = -1,
        .wake_fd = -1,
        .signal_fd = -1,
        .lock = PTHREAD_MUTEX_INITIALIZER,
    };
    int status = server_options_parse(&s.options, argc, argv);
    if (status < 0) {
        status = demo_server_serve(&s);
        close_server(&s);
    }
    return status;
}
