#include "rfb/net/transport.h"

#include <errno.h>

bool transport_share(struct transport *t, struct transport_shared *out)
{
    errno = EOPNOTSUPP;
    return t->ops->share && t->ops->share(t, out);
}

bool transport_explain(struct transport *t, struct reason *why)
{
    return t->ops->explain && t->ops->explain(t, why);
}

bool transport_key(const struct transport *t, uint8_t sha256[FINGERPRINT_BYTES])
{
    return t->ops->key && t->ops->key(t, sha256);
}

void transport_set_queue(struct transport *t, bool on)
{
    if (t->ops->set_queue)
        t->ops->set_queue(t, on);
}

struct transport *layer_below(struct transport *t)
{
    return ((struct layer *)t)->below; /* the transport is its first member */
}

enum transport_wake layer_wait(struct transport *t, short events, int wake_fd, tick_t until)
{
    return layer_below(t)->ops->wait(layer_below(t), events, wake_fd, until);
}

int layer_waiting(struct transport *t)
{
    return layer_below(t)->ops->waiting(layer_below(t));
}

int layer_unsent(struct transport *t)
{
    return layer_below(t)->ops->unsent(layer_below(t));
}

void layer_info(struct transport *t, struct transport_info *info)
{
    layer_below(t)->ops->info(layer_below(t), info);
}

void layer_window(struct transport *t, struct transport_window *window)
{
    layer_below(t)->ops->window(layer_below(t), window);
}

int64_t layer_set_window(struct transport *t, int64_t bytes)
{
    return layer_below(t)->ops->set_window(layer_below(t), bytes);
}

void layer_set_queue(struct transport *t, bool on)
{
    transport_set_queue(layer_below(t), on);
}

bool layer_share(struct transport *t, struct transport_shared *out)
{
    return transport_share(layer_below(t), out);
}

bool layer_explain(struct transport *t, struct reason *why)
{
    return transport_explain(layer_below(t), why);
}

void layer_cut(struct transport *t)
{
    layer_below(t)->ops->cut(layer_below(t));
}
