/* The thread that reads the server: pixels go into the picture, fences are answered, and what else
 * the server says is passed on to the viewer as it came. Sound that is late is left out.
 */
#ifndef VNCHL_PULLER_H
#define VNCHL_PULLER_H

#include <stdbool.h>

#include "rfb/pusher/server/server_side.h"
#include "rfb/pusher/viewer/viewer_side.h"

#ifdef __cplusplus
extern "C" {
#endif

struct puller;

struct puller_parts {
    int fd; /* the server's connection; the puller's own from then on */
    struct framebuffer *fb;
    struct viewer_side *viewer;
    struct server_side *server;
    int wake_fd; /* of the loop */
};

/* All parts must outlive it. NULL when out of memory; the descriptor is closed then. */
struct puller *puller_create(const struct puller_parts *parts);
void puller_destroy(struct puller *p); /* its thread has ended, or never began */

/* The thread begins, and waits for puller_go(). False: there is none. */
bool puller_start(struct puller *p);
/* It may read: the server has been told how, and has a picture of this size. */
void puller_go(struct puller *p, int width, int height);

/* Whether it has ended, with all that it passes on behind it. */
bool puller_ended(struct puller *p);
/* Why it has ended by itself. */
const char *puller_why(const struct puller *p);

/* Ends it, and waits for that. */
void puller_stop(struct puller *p);

#ifdef __cplusplus
}
#endif
#endif
