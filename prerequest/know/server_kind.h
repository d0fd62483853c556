/* Whether the server merges requests or counts them.
 *
 * A server that merges answers all requests it has with one update. A server that counts (neatvnc,
 * for wayvnc and Weston) sends an update for each request, however many there are. That is a
 * danger: when a link becomes slow, all that such a server still owes stands in the way of what is
 * wanted now.
 *
 * Some servers show who they are (rfb/proto/encodings/encodings.h). About the others a probe tells.
 * While requests leave more often than frames come, both kinds send every frame. So when a counting
 * server would owe many updates, requests leave more slowly than frames come for a while: every
 * SERVER_KIND_PROBE_GAPS gaps of the content, for SERVER_KIND_PROBE_LENGTH gaps. A merging server
 * then sends at most one update for each request. A counting one goes on with every frame. So
 *
 *   updates >= requests + 3, in two probes in a row   the server counts
 *   else                                              it merges
 *
 * For example: 30 frames per second, twelve requests in 0.57 s. A merging server sends twelve
 * updates or few more, a counting one seventeen. The user sees that a few frames are left out,
 * never two in a row.
 *
 * Another probe follows later, in case the content itself was slow. Once the server has shown that
 * it merges, it follows after four times as many requests. If a server that is held to count sends,
 * and what it owes does not become less, it was a mistake: it owes nothing, and the search begins
 * again.
 *
 * Value type. Pure.
 */
#ifndef VNCHL_SERVER_KIND_H
#define VNCHL_SERVER_KIND_H

#include <stdbool.h>

#include "prerequest/know/constants.h"
#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A server of unknown kind is held to merge: most do. */
enum server_kind_type { SERVER_UNKNOWN, SERVER_MERGES, SERVER_COUNTS };

struct server_kind {
    enum server_kind_type type;
    bool announced;    /* the server itself has said so */
    unsigned evidence; /* SERVER_COUNTS: updates in a row that speak against it;
                        * else: probes in a row that speak for it */
    unsigned least;    /* SERVER_COUNTS: the fewest requests in flight lately */
    unsigned probe_at; /* a probe is worth it when so many requests are saved (in_flight.h) */
    tick_t from;       /* when the first request of the probe left; TICK_NEVER: there is no probe */
    tick_t to;         /* when its last request left; TICK_NEVER: the probe goes on */
    unsigned requests; /* requests of the probe, without the first */
    unsigned updates;  /* updates that may answer requests of the probe */
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

/* The server itself has shown that it counts, or that it merges. No probe is needed any more.
 * `in_flight`: the requests in flight now. */
void server_kind_announced(struct server_kind *k, bool counts, unsigned in_flight);

/* A request has been sent, while the content brings a frame every `gap` ns. */
void server_kind_request(struct server_kind *k, tick_t gap, tick_t now);

/* A typical update has been received. The fields are those of in_flight.h at its beginning. */
struct server_kind_update {
    bool silent;
    unsigned waiting;
    unsigned saved;
    tick_t begun; /* when it began */
    tick_t rtt;   /* the smallest round trip, ns */
};

/* True when it turns out that the server owes nothing: what is saved is to be forgotten. */
bool server_kind_update(struct server_kind *k, const struct server_kind_update *u);

/* A request has been sent, and nothing stands in the way of its answer. `saved`: in_flight.h. The
 * content brings a frame every `gap` ns. True when a probe begins with this request. */
bool server_kind_begin_probe(struct server_kind *k, unsigned saved, tick_t gap, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
