/* How long the path is busy with an update, and how large an update is.
 *
 *   time = the service time: how long an update takes up the downlink, ns; smoothed
 *   size = its bytes; smoothed in the same way
 *
 * The time of one update is measured in path.c. It ends with the update. It begins when the first
 * packet of the update began to come, or, if bytes of it were here already when the update before
 * ended, at that end. For example: 40 kB over 8 Mbit/s take 40 ms.
 *
 * The newest update counts SERVICE_GAIN. It counts SERVICE_GAIN_DOWN when it shows that updates
 * take less time now: when it is the second in a row that took much less than usual, or the first
 * after a stall. One small update alone shows nothing: some servers send two for a frame, one of
 * them small.
 *
 * Value type. Pure.
 */
#ifndef VNCHL_SERVICE_H
#define VNCHL_SERVICE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct service {
    double time;  /* ns; 0: not known */
    double size;  /* bytes; 0: not known */
    bool hastens; /* the newest update took much less time than usual, or was stalled: the next one
                     counts more if it takes much less */
    bool guessed; /* `time` is that of an update that was not typical */
};

/* A typical update took `time` ns for `size` bytes. `stalled`: that is far longer than its bytes
 * take at best. */
void service_update(struct service *s, double time, double size, bool stalled);

/* An update that was not typical took `time` ns. That is better than nothing until a typical one
 * has come. */
void service_guess(struct service *s, double time);

/* Updates are `factor` times as large from now on, and take `factor` times as long. */
void service_scale(struct service *s, double factor);

/* The path delivers no more than `rate` bytes per second from now on. */
void service_slower(struct service *s, double rate);

#ifdef __cplusplus
}
#endif
#endif
