/* How the viewer wants its pictures, as the plan takes it. */
#ifndef VNCHL_PUSHER_WISHES_H
#define VNCHL_PUSHER_WISHES_H

#include "prerequest/push/plan.h"
#include "rfb/proto/blocks.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Until it has said its wishes. */
extern const struct push_options wishes_first;

/* The plan follows them from now on. */
void wishes_follow(const struct blocks_wishes *w, struct push_plan *p, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
