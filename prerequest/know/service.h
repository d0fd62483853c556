/* How long the path is busy with an update, and how large an update is.
 *
 *   time = how long an update takes up the downlink, ns; smoothed
 *   size = its bytes; smoothed in the same way
 *
 * An update's own time is measured by the path (path.h): from when its first packet began to come,
 * or from the end of the update before it if it waited by then, to its own end.
 *
 * The newest update has a share of GAIN. An update that took much less than most may be the smaller
 * one of two that make a frame; but when it is the second on end, updates have become smaller, and
 * when the one before was a stall, the stall is over. Then the share is GAIN_DOWN.
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
    double time; /* ns; 0: not known */
    double size; /* bytes; 0: not known */
    bool hastens;
    bool less;    /* the newest update took much less time than most */
    bool stalled; /* it took far longer than its bytes do at best */
    bool guessed; /* `time` is that of an update that was not typical */
};

/* `hastens`: the second small update on end counts more. */
void service_init(struct service *s, bool hastens);

/* A typical update: it took `time` ns for `size` bytes. */
void service_update(struct service *s, double time, double size, bool stalled);

/* An update that was not typical: its time is better than nothing. */
void service_guess(struct service *s, double time);

/* From now on updates are so many times as large as before. */
void service_scale(struct service *s, double factor);

/* The path delivers `rate` bytes per second from now on, which is less than before. */
void service_slower(struct service *s, double rate);

#ifdef __cplusplus
}
#endif
#endif
