/* The screens (monitors) that a server's picture consists of, as ExtendedDesktopSize tells them and
 * SetDesktopSize asks for them (community specification). Pure.
 */
#ifndef VNCHL_SCREEN_LAYOUT_H
#define VNCHL_SCREEN_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/region.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SCREEN_BYTES 16 /* of one screen, in messages of both directions */

/* As many as SetDesktopSize has room for (CLIENT_WRITE_MAX). */
#define SCREENS_MAX 7

struct server_screen {
    uint32_t id;    /* the server's; it keeps its meaning as long as the screen exists */
    struct rect at; /* in the picture; each number is 0..65535 */
    uint32_t flags; /* mean nothing today; they are sent back as they came */
};

struct screen_layout {
    int count; /* 0: the server has not told any */
    struct server_screen screens[SCREENS_MAX];
};

/* One screen, SCREEN_BYTES. Writing returns the place behind it. */
void server_screen_read(const uint8_t *bytes, struct server_screen *s);
uint8_t *server_screen_write(uint8_t *out, const struct server_screen *s);

/* The same screens in a picture of `to_w` x `to_h` that was `from_w` x `from_h`. One screen takes
 * all of it. Several grow and shrink with the picture, so neighbours stay neighbours. A screen that
 * has no pixel left is left out. Without any screen there is one afterwards, with id 0. */
struct screen_layout screen_layout_scaled(const struct screen_layout *l, int from_w, int from_h,
                                          int to_w, int to_h);

#ifdef __cplusplus
}
#endif
#endif
