/* Where the time of a response went: from input that was sent to the picture that shows its effect.
 *
 *   total = the sum of all parts
 *
 * A far end that pushes (docs/push.md) tells how long each part took there, and then
 *
 *   path = total - input - server - encoder - queue - decoder
 *
 * which is both ways. Only durations are compared: the clocks of two machines differ.
 *
 * Where pictures are asked for, the server cannot be told from what waits on the line:
 *
 *   path = the round trip, as it was measured
 *   rest = total - path - decoder
 *
 * For example: a key is seen after 65 ms. The far end passed it on in 0.2 ms, the server's update
 * came 40 ms later, its first block was made in 0.8 ms and left after 2 ms more, and was drawn in 2
 * ms. So the path took 20 ms.
 *
 * Value types. Pure.
 */
#ifndef VNCHL_RESPONSE_PARTS_H
#define VNCHL_RESPONSE_PARTS_H

#include <stdbool.h>

#include "prerequest/know/constants.h"
#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

enum response_part {
    RESPONSE_INPUT,   /* input path: the far end had read the input, until the server got it */
    RESPONSE_SERVER,  /* until the update that answers was read */
    RESPONSE_ENCODER, /* making its first block */
    RESPONSE_QUEUE,   /* waiting at the far end until the path took more */
    RESPONSE_PATH,    /* the network path, both ways */
    RESPONSE_REST,    /* server and line together, where they cannot be told apart */
    RESPONSE_DECODER, /* the block was here, until the picture was drawn */
    RESPONSE_DISPLAY, /* until the window showed it; the window adds it */
    RESPONSE_PARTS
};

/* What a far end tells of one input. */
struct response_far {
    tick_t input, server, encoder, queue; /* ns */
    tick_t path_queue; /* ns that the path's own queue adds: the round trip less the smallest */
    double loss;       /* share of the datagrams to the viewer; below 0: not measured */
};

struct response_parts {
    tick_t total;                /* ns; 0: nothing was measured, and all else means nothing */
    tick_t part[RESPONSE_PARTS]; /* ns; 0 also where it is not known */
    tick_t path_queue;           /* of the path's part; `far` only */
    double loss;                 /* as above */
    bool far;                    /* a far end has told its parts; else path and rest are as above */
};

/* The input was sent, the answer was here and its picture was drawn at these times. False: the far
 * end tells more than there was, and *out stays as it was. */
bool response_parts_far(struct response_parts *out, const struct response_far *far, tick_t total,
                        tick_t decoder);

/* Without a far end. `round_trip`: 0 where it is not known. */
void response_parts_near(struct response_parts *out, tick_t round_trip, tick_t total,
                         tick_t decoder);

/* The window showed the picture so much later. */
void response_parts_shown(struct response_parts *p, tick_t display);

/* Whether nothing is negative, or too large to be a response, and the parts add up. */
bool response_parts_valid(const struct response_parts *p);

#ifdef __cplusplus
}
#endif
#endif
