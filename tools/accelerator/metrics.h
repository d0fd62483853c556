/* Figures for Prometheus, by HTTP: the last ones that the loop has handed over.
 *
 * libmicrohttpd answers in a thread of its own. It sees only a text, under a lock, which the loop
 * renews every second. Without libmicrohttpd metrics_create() fails and says so.
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

#define METRICS_TEXT 4096

struct metrics;

/* Answers at this address. NULL with a reason. */
struct metrics *metrics_create(const struct sockaddr_storage *address, struct reason *why);
void metrics_destroy(struct metrics *m);

/* What is answered from now on. At most METRICS_TEXT bytes with the NUL. */
void metrics_set(struct metrics *m, const char *text);

struct service;

/* The figures of now, as text. */
void metrics_write(const struct service *s, char *out, size_t size);

#ifdef __cplusplus
}
#endif
#endif
