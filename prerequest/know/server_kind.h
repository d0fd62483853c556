/* Whether the server merges requests or counts them.
 *
 * A server that merges answers all requests it has with one update. One that counts (neatvnc, for
 * wayvnc and Weston) sends an update for each, however many there are. That is a danger: when a
 * link becomes slow, all that such a server still owes stands in the way of what is wanted now.
 *
 * Some servers show who they are (rfb/proto/encodings.h). Of the others it is found out by a probe.
 * While requests leave more often than frames come, both kinds send every frame. So when a counting
 * server would owe many updates, PROBE_REQUESTS requests leave more slowly than frames come: every
 * PROBE_GAPS gaps of the content. Meanwhile a merging server sends at most one update for each
 * request; a counting one goes on with every frame. So
 *
 *   updates >= requests + 3, in two probes on end   the server counts
 *   else                                            it merges
 *
 * In the picture a probe shows as a few frames that are left out, never two on end.
 *
 * Another probe follows later, in case the content itself was slow: after four times as many
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

/* Gaps of the content between the requests of a probe. */
#define PROBE_GAPS 1.4

/* Until it is known, a server is held to merge. */
enum server_kind_type { SERVER_UNKNOWN, SERVER_MERGES, SERVER_COUNTS };

struct server_kind {
    enum server_kind_type type;
    bool announced;    /* the server itself has said so */
    unsigned evidence; /* updates that speak against SERVER_COUNTS, or probes that speak for it */
    unsigned least;    /* SERVER_COUNTS: the fewest requests in flight lately */
    unsigned probe_at; /* when so many requests are saved (in_flight.h), a probe is worth it */
    tick_t from;       /* the first request of a probe left then; TICK_NEVER: there is none */
    tick_t to;         /* and its last request; TICK_NEVER: it still goes on */
    unsigned requests; /* of the probe, after the first */
    unsigned updates;  /* that came for it */
};

void server_kind_init(struct server_kind *k);

static inline bool server_kind_counts(const struct server_kind *k)
{
    return k->type == SERVER_COUNTS;
}

/* Whether requests are to leave slowly now. */
static inline bool server_kind_probing(const struct server_kind *k)
{
    return k->from != TICK_NEVER && k->to == TICK_NEVER;
}

/* The server itself has shown that it counts, or that it merges; `in_flight`: requests, and what is
 * saved. No probe is needed any more. */
void server_kind_announced(struct server_kind *k, bool counts, unsigned in_flight);

/* A request has been sent, while the content brings a frame every `gap` ns. */
void server_kind_request(struct server_kind *k, tick_t gap, tick_t now);

/* An update has begun that something on the screen caused. */
struct server_kind_update {
    bool silent;      /* as in in_flight.h */
    unsigned waiting; /* requests not answered, */
    unsigned saved;   /* and answered together with others */
    tick_t begun;     /* when it began */
    tick_t rtt;       /* the smallest, ns */
};

/* True when what is saved is to be forgotten: the server owes nothing. */
bool server_kind_update(struct server_kind *k, const struct server_kind_update *u);

/* A request has been sent, and nothing is in the way of its answer; the content brings a frame
 * every `gap` ns. True when a probe begins with it. */
bool server_kind_begin_probe(struct server_kind *k, unsigned saved, tick_t gap, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
