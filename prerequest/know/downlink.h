/* When bytes come, and when the downlink pauses.
 *
 * One thing is certain, although we see only this end of the path: when nothing arrives between two
 * updates, nothing waits in front of the path, neither in the network nor in the server's socket.
 * That is a *pause*. The time from one pause to the next is a *run*. In a run updates come as fast
 * as the path, the server and our decoder together deliver them.
 *
 *   busy = the share of the last second or so in which an update was coming, 0..1
 *
 * A pause lasts milliseconds. A screen that does not move for seconds is another thing: motion.h.
 *
 * Value type. Pure.
 */
#ifndef VNCHL_DOWNLINK_H
#define VNCHL_DOWNLINK_H

#include <stdbool.h>

#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

struct downlink {
    bool receiving;   /* between the beginning and the end of an update */
    bool more;        /* when the newest update ended, bytes of the next one were here */
    bool after_pause; /* the newest update began after a pause */
    tick_t begun;     /* when the newest update began to come */
    tick_t finished;  /* when the newest update ended; TICK_NEVER: none has */
    tick_t run_since; /* when this run began, that is, when the newest pause ended */
    double busy;      /* 0..1 */
};

void downlink_init(struct downlink *d);

/* The header of an update has been read. `packet`: how long one packet takes, ns; 0: not known. */
void downlink_begun(struct downlink *d, double packet, tick_t now);

/* The update has been received; it took up the downlink for `took` ns. `more`: bytes of the next
 * one are here already. */
void downlink_finished(struct downlink *d, double took, bool more, tick_t now);

/* No byte waits. What seemed to be the next update was another message, which has ended. */
void downlink_ran_dry(struct downlink *d);

/* From when on a silence is a pause, if nothing comes before: after DOWNLINK_PAUSE and the time of
 * DOWNLINK_PAUSE_PACKETS packets together. TICK_NEVER: bytes are coming. `packet` as above. */
tick_t downlink_pauses_from(const struct downlink *d, double packet);

/* Whether nothing has been received yet. */
bool downlink_unused(const struct downlink *d);

/* Whether bytes are coming, or wait to be read. */
bool downlink_in_use(const struct downlink *d);

/* How long this run has lasted: to the beginning of the update that comes now, or to the end of the
 * newest one. ns. */
tick_t downlink_run(const struct downlink *d);

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
 */

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
