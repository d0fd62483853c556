/* Responses of a session (prerequest/know/answered.h): from input that was sent to the picture that
 * shows its effect, and where that time went. What is measured goes into the trace, too.
 *
 * Any thread; it has a lock of its own, and knows no socket.
 */
#ifndef VNCHL_RESPONSES_H
#define VNCHL_RESPONSES_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/know/answered.h"
#include "rfb/session/pacing/pacing.h"

#ifdef __cplusplus
extern "C" {
#endif

struct responses;

/* `pacing` knows the round trip and the trace, and outlives it. NULL when out of memory. */
struct responses *responses_create(struct pacing *pacing);
void responses_destroy(struct responses *a);

/* See answered_input(). The sender. */
void responses_input(struct responses *a, unsigned messages, bool acts, tick_t now);

/* ---- the receiver ---- */

/* A block is here that counts so many messages (answered_came()). */
void responses_came(struct responses *a, uint16_t messages, tick_t now);
/* The far end tells of the input with this number. */
void responses_hear(struct responses *a, uint16_t number, const struct response_far *far);
/* Blocks: what was drawn can be seen. */
void responses_shown(struct responses *a);

/* Updates: one begins; a rectangle of it was drawn that shows more than the answer to the
 * keep-alive's question; it has ended, and can be seen. */
void responses_update_begun(struct responses *a);
void responses_drawn(struct responses *a);
void responses_update_shown(struct responses *a);

/* ---- figures ---- */

struct responses_figures {
    tick_t response;             /* ns, the newest after `since`; 0: there was none */
    struct response_parts parts; /* of the newest whose parts are known, at any time */
    tick_t drawn;                /* when its picture was drawn */
    struct response_parts mean;  /* of the session; */
    int64_t count;               /* of so many */
};
void responses_figures(struct responses *a, tick_t since, struct responses_figures *out);

#ifdef __cplusplus
}
#endif
#endif
