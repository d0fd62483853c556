/* Finds out why a session is slow: the network, the server or this machine.
 *
 * It is told once a second what was measured. A cause is named when it has been there for some
 * seconds in a row, and until it has been away for some more. So the notice does not flicker.
 *
 * Value type. Pure.
 */
#ifndef VNCHL_SLOW_H
#define VNCHL_SLOW_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum slow_cause {
    SLOW_NOT,
    SLOW_NETWORK, /* pictures wait on their way */
    SLOW_SERVER,  /* it answers late, though the network is free */
    SLOW_MACHINE, /* decoding or drawing takes all the time there is */
    SLOW_CAUSES
};

/* Chosen. */
#define SLOW_BUSY      0.9    /* share of the time: more is a limit */
#define SLOW_FPS       8.0    /* fewer pictures a second look slow */
#define SLOW_QUEUE_MS  500.0  /* a picture that waited longer is old */
#define SLOW_ANSWER_MS 1000.0 /* a server that is well answers sooner */
#define SLOW_ON        3      /* seconds until a cause is named */
#define SLOW_OFF       5      /* seconds until it is not named any more */

/* What was measured in the last second. */
struct slow_sample {
    double fps;          /* pictures */
    double queue_ms;     /* how long the newest picture waited on its way */
    double busy;         /* share of the downlink in use, 0..1 */
    double answer_ms;    /* how long the server took to answer, beyond the round trip; 0: unknown */
    double decode, draw; /* CPU time of the thread that decodes, of the one that draws; s */
};

struct slow {
    enum slow_cause named, seen;
    int seconds; /* since when `seen` is there */
};

/* What the person was told of it. On some links it is always so, and who knows it once is only
 * disturbed by the second time. */
struct slow_news {
    bool told[SLOW_CAUSES];
    enum slow_cause telling; /* the cause whose first time lasts */
};

/* This cause is named now. Returns the one that is to be told, as long as its first time lasts;
 * else SLOW_NOT. */
enum slow_cause slow_tell(struct slow_news *n, enum slow_cause named);

/* A second has passed. Returns the cause that is to be named now. */
enum slow_cause slow_second(struct slow *s, const struct slow_sample *sample);

#ifdef __cplusplus
}
#endif
#endif
