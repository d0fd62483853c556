/* What became of the blocks that left as datagrams: the ledger.
 *
 * A path of datagrams loses, reorders and duplicates. The viewer tells which blocks have come, over
 * the same path, so what it tells may be lost, too. A block counts as lost when it was not told as
 * received, and
 *
 *   - one that left at least ARRIVALS_LATER blocks later was, and the block has had SRTT / 8 of
 * time (at least ARRIVALS_REORDER) to come after all; or
 *   - RTO has passed since it left. That is the smoothed time until a block was told, and four
 * times its mean deviation (RFC 6298), so it holds the viewer's delay and that some of what it
 * tells is lost; at least SRTT + ARRIVALS_RTO, and before the first round trip ARRIVALS_FIRST.
 *     While nothing is told, a block waits longer: at least as long as that silence had lasted
 *     when the block left, but at most ARRIVALS_FIRST. So a dead path gets less and less.
 *
 * For example: at 100 ms without loss a block in the middle of others counts as lost 12 ms after
 * the third later one was told, the last one about 120 ms after it has left.
 *
 * With `by_time` (push/octopus.h) only SRTT + 4 RTTVAR counts, as RFC 6298 has it without its
 * least.
 *
 * Both times pass first for the block that left first. So losses come in the order of leaving, and
 * when one is given, all blocks before it have come or were given.
 *
 * A block that counts as lost and is told later has come: the counters are put right, and its round
 * trip counts. Otherwise a round trip that has become longer than the RTO would never be seen.
 *
 * What the viewer tells is believed as far as blocks were sent at all. Lies spoil its own picture.
 *
 * One owner, not locked. About 160 kB: not for a stack. Pure: no clock, no allocation.
 */
#ifndef VNCHL_PUSH_ARRIVALS_H
#define VNCHL_PUSH_ARRIVALS_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/push/constants.h"
#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Blocks in the ledger; a power of two. Chosen: 4.7 MB, which is 100 Mbit/s over 370 ms. */
#define ARRIVALS_BLOCKS 4096
/* Bytes that say which blocks before the newest have come. */
#define ARRIVALS_BEFORE 32

struct arrivals_block {
    uint32_t sequence;
    int x, y, w, h; /* pixels */
};

enum arrivals_fate { ARRIVALS_OUT, ARRIVALS_RECEIVED, ARRIVALS_LOST };

struct arrivals_entry {
    uint32_t sequence;
    uint32_t before; /* an earlier block that carried the same; 0: none did */
    uint16_t x, y, w, h;
    uint8_t fate;     /* of enum arrivals_fate */
    bool made;        /* the viewer has its bytes, though it has not come */
    tick_t sent;      /* when it left */
    tick_t overtaken; /* when a later one was told as received; TICK_NEVER: none was */
};

struct arrivals {
    struct arrivals_entry entry[ARRIVALS_BLOCKS]; /* entry `n` of the ledger: n % ARRIVALS_BLOCKS */
    tick_t by_time; /* ns, its clock: what came later does not count; 0: it does */
    /* Numbers of entries, from 0 on: of the next block, of the first one that is out. */
    uint64_t next, out;
    uint64_t overtaken;          /* those before this one were overtaken */
    bool told;                   /* something was, */
    uint32_t newest;             /* and this is the newest block of it */
    double srtt;                 /* ns, without the viewer's delay; 0: not known */
    double until_told, deviates; /* ns, of the oldest block that each message told */
    tick_t since;    /* when something was told last, or when the first block left after that */
    tick_t lost_at;  /* when a block was given as lost; what goes again continues the silence */
    bool unanswered; /* blocks have left since something was told */
    uint64_t sent, received, lost; /* blocks, of all time */
};

void arrivals_init(struct arrivals *a);

/* What is lost is told by time alone; `clock`: its granularity, ns. Before anything is sent. */
void arrivals_go_by_time(struct arrivals *a, tick_t clock);

/* Whether the ledger has no room: nothing may leave as a datagram before the oldest block in it has
 * come, or was given as lost. That takes no longer than the RTO. It does not count as lost for
 * this: on a path that holds more blocks all of them would, again and again. */
bool arrivals_full(const struct arrivals *a);

/* This block left as a datagram. Sequence numbers rise; others may leave by other ways between. Not
 * when it is full. */
void arrivals_sent(struct arrivals *a, const struct arrivals_block *b, tick_t now);

/* The same for a block that carries the same as the block `before` did. */
void arrivals_sent_again(struct arrivals *a, const struct arrivals_block *b, uint32_t before,
                         tick_t now);

/* The viewer has received the block `newest`, and bit i of `before`, from the lowest of each byte
 * on, says whether it has newest - 1 - i. It had `newest` at `at`, as is known now. */
void arrivals_told(struct arrivals *a, uint32_t newest, const uint8_t before[ARRIVALS_BEFORE],
                   tick_t at, tick_t now);

/* These of the blocks before `newest` have not come, but the viewer has made them from what has:
 * bits as above. They count as lost in their turn, and arrivals_came(). */
void arrivals_made(struct arrivals *a, uint32_t newest, const uint8_t made[ARRIVALS_BEFORE]);

/* Takes the next block that counts as lost. False: there is none. */
bool arrivals_lost(struct arrivals *a, struct arrivals_block *out, tick_t now);

/* Whether the viewer has this block, or an earlier one that carried the same, as far as is known.
 */
bool arrivals_came(const struct arrivals *a, uint32_t sequence);

/* When arrivals_lost() gives one though nothing happens; may lie in the past. TICK_NEVER: none. */
tick_t arrivals_due(const struct arrivals *a);

/* How long nothing was told though blocks are out, ns; 0: none are. What is sent again for those
 * that were lost does not begin it anew. */
tick_t arrivals_silent(const struct arrivals *a, tick_t now);

/* The smoothed round trip, ns; 0: not known. */
tick_t arrivals_round_trip(const struct arrivals *a);

#ifdef __cplusplus
}
#endif
#endif
