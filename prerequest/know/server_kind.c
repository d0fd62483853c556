#include "prerequest/know/server_kind.h"

/* As in in_flight.c, ns. */
#define LATE  (30 * TICK_MS)
#define EARLY (5 * TICK_MS)
/* So many updates prove that a server counts, and that it does not. */
#define PROOF      3
#define PROOF_BACK 6
/* So many saved requests make a probe worth it: at 30 frames per second a counting server would owe
 * nearly a second. */
#define PROBE_SAVED 24
/* After a probe that was cut short the next one follows after so many more, times 1, 2, ... up to
 * PROBE_TURNS in turn: keys that are pressed in a rhythm do not cut every probe. */
#define PROBE_AGAIN 17
#define PROBE_TURNS 4
/* A probe lasts for as many frames as prove it, and one and a half. */
#define PROBE_FRAMES 4.5
/* ns: with frames further apart a probe would be seen. */
#define PROBE_GAP (50 * TICK_MS)
/* Once the server has shown that it merges, probes are so many times as rare. */
#define PROBE_RARE 4

void server_kind_init(struct server_kind *k)
{
    *k = (struct server_kind){.probe_at = PROBE_SAVED};
}

static void end_probe(struct server_kind *k, unsigned next_at)
{
    k->probe_at = next_at;
    k->probing = 0;
}

static void probe_later(struct server_kind *k, unsigned saved)
{
    end_probe(k, saved * (k->type == SERVER_MERGES ? PROBE_RARE : 1) + PROBE_SAVED);
}

static void change(struct server_kind *k, enum server_kind_type type, unsigned saved)
{
    k->type = type;
    k->evidence = 0;
    probe_later(k, saved);
}

bool server_kind_request(struct server_kind *k, unsigned saved, tick_t now)
{
    if (now >= k->probing)
        return false;
    if (k->type == SERVER_UNKNOWN)
        end_probe(k, saved + PROBE_AGAIN * (1 + k->cuts++ % PROBE_TURNS));
    else
        probe_later(k, saved);
    return true;
}

/* Only while a probe is judged. At other times a server that was blocked may send what nobody has
 * just asked for, too. */
static void look_for_counting(struct server_kind *k, const struct server_kind_update *u)
{
    tick_t after = u->begun - k->probing;

    if (k->probing == 0)
        return;
    k->evidence += u->unasked;
    if (k->evidence >= PROOF) {
        change(k, SERVER_COUNTS, u->saved);
        k->least = u->waiting + u->saved;
    } else if (u->pause && after > u->rtt - EARLY) {
        /* The server has requests again. It was silent before, unless its content was. */
        if (k->evidence == 0 && after < u->rtt + k->probe)
            change(k, SERVER_MERGES, u->saved);
        probe_later(k, u->saved);
    }
}

/* A server that owes more updates than fit the path sends them. */
static bool look_for_merging(struct server_kind *k, const struct server_kind_update *u)
{
    unsigned in_flight = u->waiting + u->saved;

    if (in_flight < k->least || in_flight < PROBE_SAVED || u->silent) {
        k->least = in_flight;
        k->evidence = 0;
    } else if (++k->evidence >= PROOF_BACK) {
        change(k, SERVER_UNKNOWN, 0);
        return true;
    }
    return false;
}

bool server_kind_update(struct server_kind *k, const struct server_kind_update *u)
{
    if (k->type == SERVER_COUNTS)
        return look_for_merging(k, u);
    look_for_counting(k, u);
    return false;
}

tick_t server_kind_probe(struct server_kind *k, unsigned saved, tick_t gap, tick_t now)
{
    if (k->type == SERVER_COUNTS || saved < k->probe_at || k->probing != 0 || gap > PROBE_GAP)
        return 0;
    k->probe = LATE + EARLY + (tick_t)(PROBE_FRAMES * (double)gap);
    k->probing = now + k->probe;
    k->evidence = 0;
    return k->probe;
}
