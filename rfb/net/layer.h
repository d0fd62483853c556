/* A transport that lies on another one and owns it: a cipher, a way through a program, what counts.
 *
 * Here is what such a layer leaves to the transport below, one function for each operation of
 * rfb/net/transport.h. A layer's table names these, or functions of its own.
 */
#ifndef VNCHL_LAYER_H
#define VNCHL_LAYER_H

#include "rfb/net/transport.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The first member of a layer's own struct. */
struct layer {
    struct transport transport;
    struct transport *below;
};

/* The transport below this one, which is a layer. */
struct transport *layer_below(struct transport *t);

enum transport_wake layer_wait(struct transport *t, short events, int wake_fd, tick_t until);
int layer_waiting(struct transport *t);
int layer_unsent(struct transport *t);
void layer_info(struct transport *t, struct transport_info *info);
void layer_window(struct transport *t, struct transport_window *window);
int64_t layer_set_window(struct transport *t, int64_t bytes);
bool layer_share(struct transport *t, struct transport_shared *out);
bool layer_explain(struct transport *t, struct reason *why);
void layer_cut(struct transport *t);

#ifdef __cplusplus
}
#endif
#endif
