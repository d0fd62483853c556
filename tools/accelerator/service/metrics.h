/* Figures for Prometheus, by HTTP: the last ones that the loop has handed over.
 *
 * The loop accepts who asks, as it does viewers (tools/accelerator/service/listener.h).
 * libmicrohttpd answers in a thread of its own. It sees only a text, under a lock, which the loop
 * renews every second. Without libmicrohttpd metrics_create() fails and says so.
 *
 * METRICS_ASKING may ask at a time. One more takes the place of the one that came first: an answer
 * takes milliseconds, and who is slow keeps nobody out.
 */
#ifndef VNCHL_ACCELERATOR_METRICS_H
#define VNCHL_ACCELERATOR_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#include "rfb/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

#define METRICS_TEXT   4096
#define METRICS_ASKING 8

struct metrics;

/* NULL with a reason. */
struct metrics *metrics_create(struct reason *why);
void metrics_destroy(struct metrics *m);

/* False: too many who were told to go are still there. Who comes has to wait for a moment. */
bool metrics_has_room(struct metrics *m);

/* Answers who has come from there, if there is room. Takes the socket. */
void metrics_answer(struct metrics *m, int fd, const struct sockaddr_storage *peer);

/* What is answered from now on. At most METRICS_TEXT bytes with the NUL. */
void metrics_set(struct metrics *m, const char *text);

struct service;

/* The figures of now, as text. */
void metrics_write(const struct service *s, char *out, size_t size);

#ifdef __cplusplus
}
#endif
#endif
