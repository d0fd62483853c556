/* The response delay: how long it takes from input that was sent to a picture that can show it.
 *
 * Nobody says which update shows the effect of a key. The first update that ends at least a round
 * trip after the input counts as its answer: an earlier one had left before the server had the
 * input. So where the screen moves anyway this is the least that the delay can be. Where nothing
 * comes for RESPONSE_LIMIT, the input had no effect that can be seen, and nothing is measured.
 *
 * Value type. Pure.
 */
#ifndef VNCHL_RESPONSE_H
#define VNCHL_RESPONSE_H

#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RESPONSE_LIMIT (2 * TICK_S) /* chosen */

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

#ifdef __cplusplus
}
#endif
#endif
