/* Whether blocks are lost because too much is sent.
 *
 * Some paths drop what is too much without letting it wait: policers, and links with tiny queues.
 * Delay (push/rate/flow.h) does not show them. Others lose at random, at any rate, and must not be
 * sent less for that. What tells them apart is that the loss follows the rate (C4's and our own
 * rule, C4: Huitema et al., "Christian's Congestion Control Code"):
 *
 *   p    the share of blocks that a round has lost. A round is the blocks of a round trip, and at
 *        least PUSH_LOSS_BLOCKS and of PUSH_LOSS_ROUND; the first block after a growth of the rate
 *        begins a new one
 *   p0   the smallest p of the last PUSH_LOSS_QUIET rounds in which the rate had not grown
 *
 * A round after a growth loses too much when p > p0 + PUSH_LOSS_MORE, and by more than chance would
 * have it. Then:
 *
 *   1. The growth is taken back. The rate does not grow for some rounds, each time for more of
 *      them. Later it grows by PUSH_LOSS_GROW only. What left before that is not judged. If the
 *      rate was still sought, step 2 comes at once.
 *   2. If the next round loses too much, too, the rate becomes what the path delivers, and would
 *      deliver without its own loss. This is done again while rounds lose too much:
 *          rate = what the round used of its rate x (1 - p) / (1 - p0)
 *   3. If a round at such a rate sends less and loses as much all the same, the rate was not the
 *      cause: the path itself loses more than before. Then p0 is sought anew, and the rate is as
 *      before.
 *
 * That is C4's difference between probing and recovery, taken the other way round.
 *
 * What is lost all the time may be the rate's doing, too, and p0 would hide it. So at first, and
 * each PUSH_LOSS_CHECKS rounds while more than PUSH_LOSS_CHECKED is lost, also in the mean of those
 * that p0 is of, the rate is PUSH_LOSS_CHECK of what was used for a round, and it is judged in the
 * same way. Others are told the rate as it was until then (push_flow_rate()): it is a look only.
 *
 * For example: a policer of 1 MB/s, and the rate has grown from 1.0 to 1.125 MB/s: 11 % are lost
 * instead of none, and the rate is 1.0 again.
 *
 * Pure: no clock, no allocation.
 */
#ifndef VNCHL_PUSH_LOSS_H
#define VNCHL_PUSH_LOSS_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/push/constants.h"
#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rounds that are not judged yet. Chosen: two are on their way, and growth makes one more. */
#define PUSH_LOSS_ROUNDS 8

/* How the rate of a round is beside the one before. */
enum push_loss_rate {
    PUSH_LOSS_SAME,
    PUSH_LOSS_HIGHER,
    PUSH_LOSS_BACK, /* a growth was taken back */
    PUSH_LOSS_LOWER /* what the path delivers */
};

struct push_loss_round {
    enum push_loss_rate rate;
    uint32_t first, last; /* blocks */
    unsigned sent, lost;  /* how many */
    double rates;         /* bytes per second that were allowed when each was sent, all together */
    double bytes;         /* that were sent */
    tick_t begun, ended;
    tick_t known; /* when it is known what was lost; TICK_NEVER: not all has been acknowledged */
};

struct push_loss {
    struct push_loss_round round[PUSH_LOSS_ROUNDS];
    unsigned first, rounds; /* a ring */
    double quiet[PUSH_LOSS_QUIET];
    unsigned quiets; /* of all time since they were sought anew */
    struct {
        unsigned sent, lost;
    } recent[2]; /* blocks of all rounds: the newest ones, and as many or more before them */
    enum push_loss_rate begins; /* if not PUSH_LOSS_SAME, the next block begins such a round */
    double base;                /* the rate before the newest growth, bytes per second; 0: none */
    double taken;               /* what the newest growth that was taken back had lost, */
    double before, used;        /* at this rate, of which so much was used; bytes per second */
    double by_path; /* a share of that: it is the path's own if so much is lost at a lower rate */
    bool checks;    /* the rate is lower only to see that */
    unsigned unchecked; /* rounds since it was seen that the loss is the path's own */
    unsigned hold;      /* rounds without growth still to come */
    unsigned holds;     /* after the next one that loses too much; 0: none did */
};

void push_loss_init(struct push_loss *l);

/* A block leaves while this rate is allowed. `seeks`: the rate grows all the time. */
void push_loss_sent(struct push_loss *l, uint32_t sequence, uint64_t bytes, double rate, bool seeks,
                    tick_t round_trip, tick_t now);

/* This block was lost. */
void push_loss_lost(struct push_loss *l, uint32_t sequence);

/* The rate has grown, and was so much before. */
void push_loss_grown(struct push_loss *l, double before);

/* The rate was another one for some time, for other reasons. What has left is not judged, and
 * nothing was looked at. */
void push_loss_restart(struct push_loss *l);

/* How much the rate may grow now, a share of it: no more than `most`, and 0 for not at all. */
double push_loss_growth(const struct push_loss *l, double most);

/* The mean share that is lost in the rounds that p0 is of; 0: there were none yet. */
double push_loss_usual(const struct push_loss *l);

/* The share of blocks that is worth insuring against: push_loss_usual(), or what was lost of the
 * newest blocks, whether their rate had grown or not, where that is less than half of it (chosen:
 * more than chance). So what was lost when the path was found is soon forgotten, also where no
 * round is quiet since. Less PUSH_LOSS_LEAST. */
double push_loss_insured(const struct push_loss *l);

/* All up to this block has come or is lost, or will be known to be soon. True: the rate has to
 * become another one. */
bool push_loss_judge(struct push_loss *l, uint32_t acknowledged, tick_t round_trip, double *rate,
                     tick_t now);

#ifdef __cplusplus
}
#endif
#endif
