/* The program as a whole: ports that are listened on, the connections, signals, limits. One loop,
 * one thread; a second one only while the configuration is read again.
 */
#ifndef VNCHL_ACCELERATOR_SERVICE_H
#define VNCHL_ACCELERATOR_SERVICE_H

#include <stdbool.h>
#include <uv.h>

#include "rfb/reason.h"
#include "tools/accelerator/connection/connection.h"
#include "tools/accelerator/service/announcement.h"
#include "tools/accelerator/service/config.h"
#include "tools/accelerator/service/metrics.h"
#include "tools/accelerator/transport/leg.h"

#ifdef __cplusplus
extern "C" {
#endif

struct service_totals {
    uint64_t accepted, refused;
};

struct service {
    uv_loop_t loop;
    struct config *config;
    /* Makes the configuration again, for SIGHUP. It runs in a thread of its own, and ends soon when
     * `cancel_fd` becomes readable. NULL with a reason. */
    struct config *(*read)(void *user, int cancel_fd, struct reason *why);
    void *user;
    struct service_reading {
        uv_work_t work;
        bool under_way, again; /* it is being read; it is to be read once more then */
        int cancel_fd;         /* eventfd */
        struct config *config; /* what was read; NULL: nothing, for this reason */
        struct reason why;
    } reading;
    struct connection_host host;
    struct spawner spawner;               /* for processes that push */
    struct identity *identity;            /* NULL: none */
    char congestion[LEG_CONGESTION_NAME]; /* of the sockets to clients */
    struct connection_totals totals;
    struct service_totals service_totals;
    struct listener *listeners;        /* a list */
    struct listener *metrics_listener; /* NULL: none */
    struct config_port metrics_port;
    unsigned clients;
    uint64_t last_id;
    int spare_fd; /* see tools/accelerator/service/listener.h; -1: it is lost */
    uv_signal_t signals[3];
    uv_timer_t drain, beat, figures, rest;
    struct metrics *metrics;           /* NULL: nobody wants them */
    struct announcement *announcement; /* NULL: none */
    uv_async_t news;                   /* of it */
    bool draining;
};

/* Takes over the configuration. Listens on all of its ports. */
bool service_init(struct service *s, struct config *config, struct reason *why);

/* Runs until it is told to end by a signal; with config.once, until its client has gone. */
void service_run(struct service *s);

/* False: the configuration is still being read, from a file that does not come. Nobody can
 * interrupt that thread: only the end of the process does. */
bool service_deinit(struct service *s);

#ifdef __cplusplus
}
#endif
#endif
