/* What a far end tells of the user's input: how long each part of the answer took there
 * (prerequest/know/response_parts.h).
 *
 *   input    it was read here, until the loop has passed it on to the server
 *   server   until the update was read that began after it. The time in which no update was wanted,
 *            because the path had not taken the one before, counts as queue
 *   encoder  making the first block of that update, or of any other part of the picture with it
 *   queue    all the rest until that block has left
 *
 *   input + server + encoder + queue = from reading the input to the block's leaving
 *
 * Of inputs that one block answers the oldest is told of. TURNAROUND_EVERY limits how often; of
 * those between the newest is told.
 *
 * One owner, not locked. Pure.
 */
#ifndef VNCHL_PUSH_TURNAROUND_H
#define VNCHL_PUSH_TURNAROUND_H

#include <stdint.h>

#include "prerequest/know/response_parts.h"
#include "prerequest/push/constants.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Inputs that may wait for an answer; an older one is forgotten. Chosen: two seconds of sixteen a
 * second, as at the viewer (prerequest/know/answered.h). */
#define TURNAROUND_INPUTS 32

struct turnaround_input {
    uint16_t number;
    tick_t read;   /* TICK_NEVER: the place is free */
    tick_t passed; /* TICK_NEVER: it still waits in the loop */
    tick_t held;   /* what turnaround.held was then */
    tick_t shown;  /* the update that answers it was read; TICK_NEVER: not yet */
    tick_t server; /* the server's part */
};

struct turnaround_told {
    uint16_t number; /* of the input, modulo 65536 */
    struct response_far far;
};

struct turnaround {
    struct turnaround_input input[TURNAROUND_INPUTS];
    unsigned next;     /* the place of the next one */
    tick_t held;       /* ns in which no update was wanted, since the beginning, */
    tick_t held_since; /* and since then; TICK_NEVER: one is wanted */
    tick_t made;       /* the answer, or when it had not left yet; TICK_NEVER: there is none */
    bool due;          /* `told` is to be told */
    struct turnaround_told told;
    tick_t told_at; /* the newest that was; 0: none */
};

void turnaround_init(struct turnaround *t);

/* A key or a click was read: input of this number. */
void turnaround_input(struct turnaround *t, uint16_t number, tick_t now);
/* What was read is passed on to the server. `wants`: the server's next update is, too. */
void turnaround_passed(struct turnaround *t, bool wants, tick_t now);
/* An update was read that began when the server had the input up to this number. */
void turnaround_shown(struct turnaround *t, uint16_t number, tick_t now);
/* A block that says this number is made; making it has begun at `begun`, if that is behind the
 * update. */
void turnaround_made(struct turnaround *t, uint16_t number, tick_t begun, tick_t now);
/* Of blocks that were made some have not left yet, or `all` have. The one that answers counts as
 * gone when it was seen waiting last: so no more is told than it took, however late the loop looks.
 */
void turnaround_leaves(struct turnaround *t, bool all, tick_t now);

/* What is to be told now; path_queue and loss are the caller's to fill in. False: nothing. */
bool turnaround_take(struct turnaround *t, struct turnaround_told *out, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
