#include "rfb/session/connection/link.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "prerequest/decide/window.h"
#include "rfb/system/log.h"
#include "rfb/system/thread.h"

/* Whether an early handshake goes on, and whether its stream was cut. */
enum link_early { LINK_LATE, LINK_EARLY, LINK_EARLY_CUT };

struct link {
    int cancel_fd; /* eventfd */
    int64_t window_asked;
    bool fit;

    pthread_mutex_t lock; /* everything below */
    struct stream *stream;
    bool cut, ended;
    enum link_early early;
    struct transport_info info; /* the newest counters */
    struct window window;
    int64_t window_bytes; /* that were set, as granted */
};

struct link *link_create(int64_t window_asked, bool fit)
{
    struct link *l = calloc(1, sizeof *l);

    if (!l)
        return NULL;
    l->cancel_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (l->cancel_fd < 0) {
        free(l);
        return NULL;
    }
    l->window_asked = window_asked;
    l->fit = fit;
    l->info = (struct transport_info){.bytes_received = -1, .bytes_sent = -1};
    pthread_mutex_init(&l->lock, NULL);
    return l;
}

void link_destroy(struct link *l)
{
    if (!l)
        return;
    stream_destroy(l->stream);
    close(l->cancel_fd);
    pthread_mutex_destroy(&l->lock);
    free(l);
}

int link_cancel_fd(const struct link *l)
{
    return l->cancel_fd;
}

void link_set_stream(struct link *l, struct stream *stream)
{
    struct transport_window window;

    stream_window(stream, &window);
    pthread_mutex_lock(&l->lock);
    l->stream = stream;
    l->window_bytes = l->window_asked > 0 ? window.bytes : 0;
    window_init(&l->window, l->window_bytes > 0 ? window.bytes : window.tuned, window.allowed);
    if (l->cut)
        stream_cut(stream);
    pthread_mutex_unlock(&l->lock);
}

struct stream *link_take_stream(struct link *l)
{
    struct stream *stream;

    pthread_mutex_lock(&l->lock);
    stream = l->stream;
    l->stream = NULL;
    pthread_mutex_unlock(&l->lock);
    return stream;
}

struct stream *link_stream(struct link *l)
{
    struct stream *stream;

    pthread_mutex_lock(&l->lock);
    stream = l->stream;
    pthread_mutex_unlock(&l->lock);
    return stream;
}

/* With the lock held. */
static bool link_refresh(struct link *l)
{
    bool open = l->stream && !l->ended;

    if (open)
        stream_info(l->stream, &l->info);
    return open;
}

void link_end(struct link *l)
{
    pthread_mutex_lock(&l->lock);
    link_refresh(l);
    l->ended = true;
    pthread_mutex_unlock(&l->lock);
}

void link_cut(struct link *l)
{
    eventfd_wake(l->cancel_fd, "who connects");
    pthread_mutex_lock(&l->lock);
    l->cut = true;
    if (l->stream)
        stream_cut(l->stream);
    pthread_mutex_unlock(&l->lock);
}

void link_play(struct link *l, const struct play_wish *wish)
{
    pthread_mutex_lock(&l->lock);
    if (l->stream)
        stream_play(l->stream, wish);
    pthread_mutex_unlock(&l->lock);
}

void link_begin_early(struct link *l)
{
    pthread_mutex_lock(&l->lock);
    l->early = LINK_EARLY;
    pthread_mutex_unlock(&l->lock);
}

bool link_end_early(struct link *l)
{
    bool whole;

    pthread_mutex_lock(&l->lock);
    whole = l->early != LINK_EARLY_CUT;
    l->early = LINK_LATE;
    pthread_mutex_unlock(&l->lock);
    return whole;
}

void link_cut_early(struct link *l)
{
    pthread_mutex_lock(&l->lock);
    if (l->early == LINK_EARLY && l->stream) {
        l->early = LINK_EARLY_CUT;
        stream_cut(l->stream);
    }
    pthread_mutex_unlock(&l->lock);
}

bool link_info(struct link *l, struct transport_info *info)
{
    bool open;

    pthread_mutex_lock(&l->lock);
    open = link_refresh(l);
    *info = l->info;
    pthread_mutex_unlock(&l->lock);
    return open;
}

int64_t link_window(struct link *l)
{
    int64_t bytes;

    pthread_mutex_lock(&l->lock);
    bytes = l->window_bytes;
    pthread_mutex_unlock(&l->lock);
    return bytes;
}

/* With the lock held. */
static void link_set_window(struct link *l, tick_t now)
{
    struct window *w = &l->window;
    bool told = w->wanted > w->bytes;
    int64_t bytes = window_look(w, l->info.bytes_received, tick_from_ms(l->info.rtt_ms), now);

    if (bytes > 0) {
        l->window_bytes = stream_set_window(l->stream, bytes);
        log_debug("receive window: set to %lld bytes", (long long)l->window_bytes);
    }
    if (!told && w->wanted > w->bytes)
        log_line("receive window: this path could use %lld bytes, the kernel allows %lld (set the "
                 "third number of the sysctl net.ipv4.tcp_rmem to %lld and connect again)",
                 (long long)w->wanted, (long long)w->bytes, (long long)w->wanted * 2);
}

void link_fit_window(struct link *l, tick_t now)
{
    pthread_mutex_lock(&l->lock);
    if (l->fit && link_refresh(l) && l->info.bytes_received >= 0)
        link_set_window(l, now);
    pthread_mutex_unlock(&l->lock);
}
