#include "prerequest/know/server_kind.h"

void server_kind_init(struct server_kind *k)
{
    *k = (struct server_kind){.probe_at = SERVER_KIND_PROBE_SAVED, .from = TICK_NEVER};
}

static void end_probe(struct server_kind *k, unsigned saved)
{
    k->probe_at =
        saved * (k->type == SERVER_MERGES ? SERVER_KIND_PROBE_RARE : 1) + SERVER_KIND_PROBE_SAVED;
    k->from = TICK_NEVER;
}

static void server_kind_change(struct server_kind *k, enum server_kind_type type,
                               unsigned in_flight)
{
    k->type = type;
    k->evidence = 0;
    k->least = in_flight;
}

void server_kind_announced(struct server_kind *k, bool counts, unsigned in_flight)
{
    if (k->announced)
        return;
    k->announced = true;
    server_kind_change(k, counts ? SERVER_COUNTS : SERVER_MERGES, in_flight);
    k->from = TICK_NEVER;
}

void server_kind_request(struct server_kind *k, tick_t gap, tick_t now)
{
    if (!server_kind_probing(k))
        return;
    k->requests++;
    if (now - k->from >= SERVER_KIND_PROBE_LENGTH * gap)
        k->to = now;
}

/* Counts the updates of a probe, and judges at its end. An update begins a round trip after the
 * request that it answers was sent, at the earliest. So it belongs to the probe if the probe lasted
 * a round trip before it. */
static void watch_probe(struct server_kind *k, const struct server_kind_update *u)
{
    tick_t asked = u->begun - u->rtt;

    if (k->from == TICK_NEVER || asked < k->from)
        return;
    if (asked <= k->to) {
        k->updates++;
        return;
    }
    if (k->updates >= k->requests + SERVER_KIND_SUSPICION) {
        if (++k->evidence == SERVER_KIND_PROOF)
            server_kind_change(k, SERVER_COUNTS, u->waiting + u->saved);
        end_probe(k, u->saved);
        if (k->type != SERVER_COUNTS)
            k->probe_at = 0; /* the next probe follows at once */
        return;
    }
    k->evidence = 0;
    k->type = SERVER_MERGES;
    end_probe(k, u->saved);
}

/* Looks for the proof that the server merges after all: one that owes more updates than fit the
 * path would send them, and owe less and less. */
static bool look_for_merging(struct server_kind *k, const struct server_kind_update *u)
{
    unsigned in_flight = u->waiting + u->saved;

    if (in_flight < k->least || in_flight < SERVER_KIND_PROBE_SAVED || u->silent) {
        k->least = in_flight;
        k->evidence = 0;
        return false;
    }
    if (++k->evidence < SERVER_KIND_PROOF_BACK)
        return false;
    server_kind_change(k, k->announced ? SERVER_COUNTS : SERVER_UNKNOWN, u->waiting);
    end_probe(k, 0);
    return true;
}

bool server_kind_update(struct server_kind *k, const struct server_kind_update *u)
{
    if (k->type == SERVER_COUNTS)
        return look_for_merging(k, u);
    watch_probe(k, u);
    return false;
}

bool server_kind_begin_probe(struct server_kind *k, unsigned saved, tick_t gap, tick_t now)
{
    if (k->announced || k->type == SERVER_COUNTS || saved < k->probe_at || k->from != TICK_NEVER ||
        gap > SERVER_KIND_PROBE_GAP)
        return false;
    k->from = now;
    k->to = TICK_NEVER;
    k->requests = k->updates = 0;
    return true;
}
