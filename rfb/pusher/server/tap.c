#include "rfb/pusher/server/tap.h"

#include <stdlib.h>

#include "rfb/bytes_held.h"
#include "rfb/net/transport.h"

struct tap {
    struct layer layer; /* the first member */
    struct bytes_held kept;
    uint64_t begin; /* the position of the first byte that is kept */
    size_t most;
};

static struct tap *tap_of(struct transport *t)
{
    return (struct tap *)t;
}

static void tap_forget(struct tap *t, size_t size)
{
    bytes_take(&t->kept, size);
    t->begin += size;
}

/* What cannot be kept is as if it had been dropped. */
static void tap_take(struct tap *t, const void *bytes, size_t size)
{
    if (!bytes_append(&t->kept, bytes, size)) {
        tap_forget(t, t->kept.size);
        t->begin += size;
    }
    if (t->kept.size > t->most)
        tap_forget(t, t->kept.size - t->most);
}

static ssize_t tap_read(struct transport *transport, void *out, size_t size)
{
    struct tap *t = tap_of(transport);
    ssize_t n = t->layer.below->ops->read(t->layer.below, out, size);

    if (n > 0)
        tap_take(t, out, (size_t)n);
    return n;
}

static ssize_t tap_write(struct transport *transport, const struct iovec *parts, int count)
{
    struct transport *below = tap_of(transport)->layer.below;

    return below->ops->write(below, parts, count);
}

static void tap_destroy(struct transport *transport)
{
    struct tap *t = tap_of(transport);

    t->layer.below->ops->destroy(t->layer.below);
    bytes_deinit(&t->kept);
    free(t);
}

struct transport *tap_create(struct transport *below, struct tap **out)
{
    static const struct transport_ops ops = {
        .read = tap_read,
        .write = tap_write,
        .wait = layer_wait,
        .waiting = layer_waiting,
        .unsent = layer_unsent,
        .info = layer_info,
        .window = layer_window,
        .set_window = layer_set_window,
        .cut = layer_cut,
        .destroy = tap_destroy,
    };
    struct tap *t = calloc(1, sizeof *t);

    if (!t) {
        below->ops->destroy(below);
        return NULL;
    }
    t->layer.transport.ops = &ops;
    t->layer.below = below;
    t->most = TAP_MOST;
    *out = t;
    return &t->layer.transport;
}

void tap_keep_little(struct tap *t, bool little)
{
    t->most = little ? TAP_LITTLE : TAP_MOST;
}

void tap_drop(struct tap *t, uint64_t until)
{
    size_t most = t->kept.size;

    if (until > t->begin)
        tap_forget(t, until - t->begin < most ? (size_t)(until - t->begin) : most);
}

const uint8_t *tap_bytes(const struct tap *t, uint64_t from, uint64_t to)
{
    if (from < t->begin || to > t->begin + t->kept.size)
        return NULL;
    return bytes_first(&t->kept) + (from - t->begin);
}
