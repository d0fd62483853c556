/* Settings of the link and when they begin to hold: the options at the start, --at later, --control
 * at once. All take the same names and values.
 *
 * Values only: who owns a list owns everything in it.
 */
#ifndef VNCHL_LINKEM_CHANGE_H
#define VNCHL_LINKEM_CHANGE_H

#include <stdbool.h>

#include "tools/linkem/link/queue.h"

#define LINKEM_CHANGES_MAX 256

/* At the start, before any time --at can name. */
#define LINKEM_AT_START (-1)

enum linkem_direction { LINKEM_UP, LINKEM_DOWN, LINKEM_DIRECTIONS }; /* up: client to server */

enum linkem_key {
    LINKEM_KEY_DELAY,
    LINKEM_KEY_RTT, /* as a delay of half of it */
    LINKEM_KEY_JITTER,
    LINKEM_KEY_RATE,
    LINKEM_KEY_QUEUE,
    LINKEM_KEY_LOSS,
    LINKEM_KEY_GEMODEL,
    LINKEM_KEY_UDP
};

struct linkem_change {
    tick_t at; /* after COMMAND was started, or LINKEM_AT_START */
    enum linkem_key key;
    bool applies[LINKEM_DIRECTIONS];
    union {
        tick_t time;
        uint64_t number;
        double probability[3]; /* gemodel: p, r, loss in the bad state */
        uint64_t least;        /* of LINKEM_KEY_UDP */
    } value;
};

struct linkem_changes {
    struct linkem_change list[LINKEM_CHANGES_MAX];
    int count;
};

/* Reads the setting `name` with the value `text`; it is one of the start. `option` is what an error
 * line names. False after that line. */
bool linkem_change_parse(struct linkem_change *c, const char *option, const char *name,
                         const char *text);

/* Adds the setting `name` (rate, down-rate, ...) with the value `text` from `at` on. The rest is as
 * above. */
bool linkem_changes_add(struct linkem_changes *all, const char *option, const char *name,
                        const char *text, tick_t at);

/* Adds what --at takes: TIME:NAME=VALUE. */
bool linkem_changes_add_later(struct linkem_changes *all, const char *text);

/* Brings the list into the order in which its entries are to be applied: by time; of the same time
 * those of both ways first, so that "--up-rate 1mbit --rate 8mbit" means the same either way round;
 * else as they were added. */
void linkem_changes_sort(struct linkem_changes *all);

/* Applies one. `queue_given` (one for each direction) remembers where the queue was set; elsewhere
 * it follows the rate. */
void linkem_change_apply(const struct linkem_change *c, struct linkem_config *configs,
                         bool *queue_given);

#endif
