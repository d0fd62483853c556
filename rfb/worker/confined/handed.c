#include "rfb/worker/confined/handed.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "rfb/net/socket.h"
#include "rfb/net/transport.h"

struct handed {
    struct layer layer;
    struct worker_link link;
    struct handed_owner owner;
    atomic_llong received, sent;
};

static struct handed *handed_of(struct transport *t)
{
    return (struct handed *)t; /* the layer is its first member */
}

static ssize_t handed_read(struct transport *t, void *out, size_t size)
{
    struct handed *h = handed_of(t);
    ssize_t n = h->layer.below->ops->read(h->layer.below, out, size);

    if (n > 0 && atomic_fetch_add(&h->received, n) == 0 && h->link.explains)
        h->owner.heard();
    return n;
}

static ssize_t handed_write(struct transport *t, const struct iovec *parts, int count)
{
    struct handed *h = handed_of(t);
    ssize_t n = h->layer.below->ops->write(h->layer.below, parts, count);

    if (n > 0)
        atomic_fetch_add(&h->sent, n);
    return n;
}

static void handed_info(struct transport *t, struct transport_info *info)
{
    struct handed *h = handed_of(t);

    h->layer.below->ops->info(h->layer.below, info);
    if (h->link.counted) /* and the kernel's round trip is to this machine's ssh */
        *info = (struct transport_info){
            .bytes_received = atomic_load(&h->received) + layer_waiting(t),
            .bytes_sent = atomic_load(&h->sent),
        };
}

/* The socket's own window() reads a file of /proc, which is not allowed here. */
static void handed_window(struct transport *t, struct transport_window *window)
{
    struct handed *h = handed_of(t);

    *window = (struct transport_window){.bytes = socket_get_window(h->layer.below),
                                        .tuned = h->link.tuned,
                                        .allowed = h->link.allowed};
}

static bool handed_explain(struct transport *t, struct reason *why)
{
    return handed_of(t)->link.explains && handed_of(t)->owner.explain(why);
}

static void handed_destroy(struct transport *t)
{
    handed_of(t)->layer.below->ops->destroy(handed_of(t)->layer.below);
    free(handed_of(t));
}

struct transport *handed_create(int fd, const struct worker_link *link,
                                const struct handed_owner *owner)
{
    static const struct transport_ops ops = {
        .read = handed_read,
        .write = handed_write,
        .wait = layer_wait,
        .waiting = layer_waiting,
        .unsent = layer_unsent,
        .info = handed_info,
        .window = handed_window,
        .set_window = layer_set_window,
        .set_queue = layer_set_queue,
        .explain = handed_explain,
        .cut = layer_cut,
        .destroy = handed_destroy,
    };
    struct transport *below = socket_adopt(fd);
    struct handed *h = below ? calloc(1, sizeof *h) : NULL;

    if (below && !h)
        below->ops->destroy(below);
    if (!h)
        return NULL;
    h->layer.transport.ops = &ops;
    h->layer.below = below;
    h->link = *link;
    h->owner = *owner;
    return &h->layer.transport;
}
