/* What leaves behind an update of blocks because some of them may get lost.
 *
 * What is lost goes again a round trip later. A film has another frame by then. So where blocks get
 * lost, and nothing else waits, more leaves behind the blocks of the newest update, while the path
 * has room to spare. More also leaves behind blocks that were sent again, or that refine what is
 * still. Without it such a block, lost several times in a row, would take many round trips.
 *
 * Behind more than PUSH_COPIED blocks *parity* leaves: of a group of n blocks and m parities any n
 * make the group whole. With the loss p that is so with the probability of n arrivals before the
 * (m + 1)th loss, the sum of (n - 1 + i over i) (1 - p)^n p^i for i = 0..m (negative binomial). m
 * is the smallest for which 1 less that is no more than PUSH_FAILS_MOST, shared by the groups.
 *
 * Fewer blocks leave again as they are. Of n blocks, each repeated k times, n p^(k+1) are lost in
 * the mean. So k is the largest number for which that is more than PUSH_LOST_MOST, and then as many
 * of the blocks are repeated once more as bring it there; each no more than PUSH_COPIES_MOST times.
 *
 * For example: 46 blocks and p = 0.1. Without more 4.6 of them are lost, one frame in a hundred is
 * whole. With 11 parities 49 of 50 are. As copies that would take more than twice all 46.
 *
 * Pure: no clock, no allocation.
 */
#ifndef VNCHL_PUSH_INSURANCE_H
#define VNCHL_PUSH_INSURANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prerequest/push/constants.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Groups of an update at most. */
#define PUSH_GROUPS (PUSH_INSURED / PUSH_COPIED)

struct push_insured {
    uint32_t sequence;
    size_t bytes;    /* of its packet */
    unsigned copies; /* that still leave */
};

/* Blocks whose numbers follow each other. */
struct push_group {
    unsigned first, count;    /* of struct push_insurance, block[] */
    unsigned parities, index; /* and which of them is next */
};

struct push_insurance {
    /* Those of the newest update, and what was sent again or refined after it. */
    struct push_insured block[PUSH_INSURED];
    double fails;          /* what share of such updates may not be whole; 0: it is no film's */
    unsigned beside;       /* blocks of a film's that are not of its frame: the first ones */
    unsigned blocks, open; /* from `open` on nothing was decided yet */
    struct push_group group[PUSH_GROUPS];
    unsigned groups;
    unsigned next_copy, next_group; /* where to look next */
    double bytes, longest;          /* of all blocks */
};

void push_insurance_begin(struct push_insurance *s);
/* The next blocks are a frame of a film, for which parity leaves always; this share of such frames
 * may fail. What left just before, and is not decided, is insured by parity, too. */
void push_insurance_begin_film(struct push_insurance *s, double fails);

/* A block of the update has left. Returns under which number below PUSH_INSURED its bytes are to be
 * kept. */
unsigned push_insurance_sent(struct push_insurance *s, uint32_t sequence, size_t bytes);

/* Decides what leaves for the blocks up to here. */
void push_insurance_close(struct push_insurance *s, double loss);

/* Whether something may leave, or is to be decided. */
bool push_insurance_waits(const struct push_insurance *s);

/* The next block to copy, a number that push_insurance_sent() gave; -1: none is left. */
int push_insurance_copy(struct push_insurance *s);

/* The next parity. False: none is left. */
bool push_insurance_parity(struct push_insurance *s, struct push_group *out);

/* How many bytes leave for each byte of the update, with its own; 1 or more. */
double push_insurance_takes(const struct push_insurance *s, double loss);

/* Parities for so many blocks, each lost with the probability `loss`, so that no more than this
 * share of such groups is not whole; PUSH_PARITY_MOST at most. */
unsigned push_insurance_parities(unsigned blocks, double loss, double fails);

#ifdef __cplusplus
}
#endif
#endif
