/* The viewer's measure of responses: how long it takes from input that was sent to a picture that
 * can show its effect, and where that time went (response_parts.h).
 *
 * Where a far end pushes blocks, each says how many messages of input the server had before. So the
 * first block that counts a message in is its answer, and the response ends when its picture was
 * drawn. Of inputs that one block answers the oldest counts. What the far end tells of that input
 * may come before or after the block.
 *
 * Where pictures are asked for, the first update counts that ends a round trip after the input:
 * struct response.
 *
 * Input that nothing answers within RESPONSE_LIMIT had no effect that can be seen.
 *
 * Value types. Pure.
 */
#ifndef VNCHL_ANSWERED_H
#define VNCHL_ANSWERED_H

#include <stdint.h>

#include "prerequest/know/constants.h"
#include "prerequest/know/response_parts.h"
#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where pictures are asked for, nobody says which update shows the effect of a key. The first
 * update that ends at least a round trip after the input counts as its answer: an earlier one had
 * left before the server had the input. So where the screen moves anyway this is the least that the
 * delay can be. Where nothing comes for RESPONSE_LIMIT, nothing is measured. */
struct response {
    tick_t since;  /* when the input was sent that has no answer yet; TICK_NEVER: there is none */
    tick_t newest; /* the newest delay, ns; 0: none was measured */
    tick_t at;     /* when it was measured */
};

void response_init(struct response *r);

/* A key, a click or a text was sent. */
void response_input(struct response *r, tick_t now);

/* An update of pixels has been received. The round trip is `rtt` ns, 0 where it is not known. */
void response_update(struct response *r, tick_t rtt, tick_t now);

/* The newest delay that was measured after `since`, ns; 0: there was none. */
tick_t response_after(const struct response *r, tick_t since);

/* Inputs that are kept. Chosen: two seconds of sixteen a second; older ones are forgotten. */
#define ANSWERED_INPUTS 32

/* Messages that left together. */
struct answered_input {
    uint16_t first, last; /* their numbers, modulo 65536 */
    tick_t sent;          /* TICK_NEVER: the place is free */
    tick_t came, shown;   /* the answer, and its picture; TICK_NEVER: not yet */
    bool told;            /* by the far end: */
    struct response_far far;
};

struct answered {
    uint16_t messages; /* that have left */
    struct answered_input input[ANSWERED_INPUTS];
    unsigned next;               /* the place of the next one */
    struct response asked;       /* where pictures are asked for */
    bool tells;                  /* what the far end told last was right: it will tell more */
    tick_t newest, at;           /* the newest response, ns, 0: none; and when it ended */
    struct response_parts parts; /* of the newest whose parts are known */
    tick_t drawn;                /* when its picture was drawn */
    /* Of all whose parts are known in the same way as those of the newest. */
    struct response_parts sum;
    int64_t count;
};

void answered_init(struct answered *a);

/* So many messages of keys and of the pointer were sent, and perhaps a text; `acts`: they are more
 * than motion. */
void answered_input(struct answered *a, unsigned messages, bool acts, tick_t now);

/* The functions below return whether `parts` are new. */

/* Blocks: one is here, though not drawn yet, of an update before which the server had this many
 * messages, modulo 65536. */
void answered_came(struct answered *a, uint16_t messages, tick_t now);
/* What has come was drawn, and can be seen by now. `round_trip`: 0 where it is not known. */
bool answered_shown(struct answered *a, tick_t round_trip, tick_t now);
/* The far end tells of the input with this number. */
bool answered_told(struct answered *a, uint16_t number, const struct response_far *far);

/* Updates: one with pixels was drawn, and decoding has taken `work` ns of it. */
bool answered_update(struct answered *a, tick_t round_trip, tick_t work, tick_t now);

/* The mean of them. Returns of how many; 0: there is none. */
int64_t answered_mean(const struct answered *a, struct response_parts *out);

#ifdef __cplusplus
}
#endif
#endif
