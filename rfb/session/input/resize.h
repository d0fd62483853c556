/* The size of the server's screen, which the owner may change while the session is up: what is
 * wanted, and which screens the server has. The sender asks, the receiver hears what came of it.
 *
 * Pure value type. The outbox has it, under its lock.
 */
#ifndef VNCHL_RESIZE_H
#define VNCHL_RESIZE_H

#include <stdbool.h>

#include "rfb/proto/screen_layout.h"

#ifdef __cplusplus
extern "C" {
#endif

struct resize {
    bool able;         /* the server takes SetDesktopSize */
    bool due;          /* it is to be asked for width x height */
    bool refusal_told; /* to the owner: once in a session is enough */
    int width, height;
    struct screen_layout layout; /* of the picture as it is now */
};

/* The server has these screens. True when it is the first time that it tells. */
bool resize_learn(struct resize *r, const struct screen_layout *layout);

/* This size is wanted; the newest one counts. Nothing when the server cannot. */
void resize_want(struct resize *r, int width, int height);

/* Whether the server is to be asked now. The picture is now_w x now_h; a server that has the wanted
 * size is not asked. `layout` is what its screens are to be. */
bool resize_take(struct resize *r, int now_w, int now_h, struct screen_layout *layout);

/* Why the server did not do it, for the user: enum desktop_size_result. NULL: it may still do it.
 */
const char *resize_refusal(unsigned result);

#ifdef __cplusplus
}
#endif
#endif
