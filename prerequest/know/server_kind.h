/* Whether the server merges requests or counts them.
 *
 * A server that merges answers all requests it has with one update. One that counts (neatvnc, for
 * wayvnc and Weston) sends an update for each, however many there are. That is a danger: when a
 * link becomes slow, all that such a server still owes stands in the way of what is wanted now.
 *
 * A counting server shows itself by updates that come although a merging one cannot have had a
 * request for them. While requests leave steadily there are no such updates. So when the server
 * would owe many, no request leaves for a moment: a probe. After it,
 *
 *   PROOF updates that nobody asked for   prove that the server counts,
 *   silence for as long as the probe      shows that it merges.
 *
 * Another probe follows later, in case the content itself was silent: after four times as many
 * requests once the server has shown that it merges. A counting server whose debt does not become
 * less although it sends was taken for one by mistake: the search begins again.
 *
 * Value type. Pure.
 */
#ifndef VNCHL_SERVER_KIND_H
#define VNCHL_SERVER_KIND_H

#include <stdbool.h>

#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Until it is known, a server is held to merge. */
enum server_kind_type { SERVER_UNKNOWN, SERVER_MERGES, SERVER_COUNTS };

struct server_kind {
    enum server_kind_type type;
    unsigned evidence; /* updates that speak against `type` */
    unsigned least;    /* SERVER_COUNTS: the fewest requests in flight lately */
    unsigned probe_at; /* when so many requests are saved (in_flight.h), a probe is worth it */
    unsigned cuts;     /* probes that a request because of input cut short */
    tick_t probe;      /* how long the newest probe was to last, ns */
    tick_t probing;    /* when it was to end; 0: none is being judged */
};

void server_kind_init(struct server_kind *k);

static inline bool server_kind_counts(const struct server_kind *k)
{
    return k->type == SERVER_COUNTS;
}

/* A request has been sent, while `saved` were saved. True when it has cut a probe short. */
bool server_kind_request(struct server_kind *k, unsigned saved, tick_t now);

/* An update has begun that something on the screen caused. */
struct server_kind_update {
    bool unasked, silent; /* as in in_flight.h */
    bool pause;           /* nothing had arrived before it */
    unsigned waiting;     /* requests not answered, */
    unsigned saved;       /* and answered together with others */
    tick_t begun;         /* when it began */
    tick_t rtt;           /* the smallest, ns */
};

/* True when what is saved is to be forgotten: the server owes nothing. */
bool server_kind_update(struct server_kind *k, const struct server_kind_update *u);

/* A request has been sent, and nothing is in the way of its answer; the content brings a frame
 * every `gap` ns. Returns how long no other request is to leave, ns; mostly 0. */
tick_t server_kind_probe(struct server_kind *k, unsigned saved, tick_t gap, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
