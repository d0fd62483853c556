#include "prerequest/requests.h"

#include <string.h>

/* A request may have reached the server so much later, or its answer us earlier, than the round
 * trip says. */
#define LATE  (30 * TICK_MS)
#define EARLY (5 * TICK_MS)
/* So many updates prove what the server does. */
#define PROOF      3
#define PROOF_BACK 6
/* After that long without updates what is owed is more than it was. */
#define SILENCE TICK_S
/* A server that would owe so many updates is worth a probe: time without requests for as many
 * frames as prove it, and one. */
#define PROBE_SAVED  24
#define PROBE_AGAIN  17 /* after one that input cut short, times 1 to PROBE_TURNS in turn: */
#define PROBE_TURNS  4  /* so that keys in a rhythm do not cut every one */
#define PROBE_FRAMES 4.5
#define PROBE_GAP    (50 * TICK_MS) /* with slower content it would be seen */

void requests_init(struct requests *r)
{
    memset(r, 0, sizeof *r);
    r->begun = TICK_NEVER;
    r->probe_at = PROBE_SAVED;
}

static void answered(struct requests *r)
{
    r->asked = r->answered = r->sent[r->first];
    r->first = (r->first + 1) % REQUESTS_MAX;
    r->waiting--;
}

static void end_probe(struct requests *r, unsigned saved)
{
    r->probe_at = saved;
    r->probing = 0;
}

/* Another one after as many more; ever more once it has shown that the server merges. */
static void probe_later(struct requests *r)
{
    end_probe(r, r->saved * (r->server == SERVER_MERGES ? 4 : 1) + PROBE_SAVED);
}

static void change(struct requests *r, enum server_kind server)
{
    r->server = server;
    r->evidence = 0;
    probe_later(r);
}

void requests_sent(struct requests *r, tick_t now)
{
    if (r->waiting == REQUESTS_MAX) {
        answered(r);
        r->saved++;
    }
    r->sent[(r->first + r->waiting++) % REQUESTS_MAX] = now;
    if (now < r->probing && r->server == SERVER_UNKNOWN) /* input could not wait */
        end_probe(r, r->saved + PROBE_AGAIN * (1 + r->cuts++ % PROBE_TURNS));
    else if (now < r->probing)
        probe_later(r);
}

unsigned requests_in_flight(const struct requests *r)
{
    return r->waiting + (r->server == SERVER_COUNTS ? r->saved : 0);
}

tick_t requests_oldest(const struct requests *r)
{
    return r->waiting > 0 ? r->sent[r->first] : TICK_NEVER;
}

/* Whether a merging server can have had a request: one that was not answered, or one that may have
 * come too late for the update before. */
static bool explained(const struct requests *r, tick_t rtt, tick_t now)
{
    return r->begun == TICK_NEVER || r->answered > r->begun - rtt - LATE ||
           (r->waiting > 0 && r->sent[r->first] <= now - rtt + EARLY);
}

/* One update per request. */
static void count(struct requests *r, tick_t rtt, tick_t now)
{
    if (r->saved > 0) {
        r->saved--;
        r->asked = now - rtt;
    } else if (r->waiting > 0) {
        answered(r);
    }
}

/* All that had reached the server, and at least one, if it merges. */
static void merge(struct requests *r, tick_t rtt, bool pause, tick_t now)
{
    unsigned before = r->waiting;

    if (before == 0 || r->unasked) {
        r->saved -= r->saved > 0;
        return;
    }
    answered(r);
    while (pause && r->waiting > 0 && r->sent[r->first] <= now - rtt)
        answered(r);
    r->saved += before - r->waiting - 1;
}

void requests_update(struct requests *r, tick_t rtt, bool steady, bool pause, tick_t now)
{
    r->unasked = steady && !explained(r, rtt, now);
    r->silent = r->begun == TICK_NEVER || now - r->begun > SILENCE;
    if (r->server == SERVER_COUNTS)
        count(r, rtt, now);
    else
        merge(r, rtt, pause, now);
    r->begun = now;
}

/* Only while a probe lasts: a server that was blocked sends what nobody has just asked for, too. */
static void look_for_counting(struct requests *r, tick_t rtt, bool pause)
{
    if (r->probing == 0)
        return;
    r->evidence += r->unasked;
    if (r->evidence >= PROOF) {
        change(r, SERVER_COUNTS);
        r->least = requests_in_flight(r);
    } else if (pause && r->begun - r->probing > rtt - EARLY) {
        /* requests arrive again: it has been silent, unless its content was */
        if (r->evidence == 0 && r->begun - r->probing < rtt + r->probe)
            change(r, SERVER_MERGES);
        probe_later(r);
    }
}

/* One that owes more updates than fit the path sends them: if what it owes does not become less, it
 * owes nothing. */
static void look_for_merging(struct requests *r)
{
    unsigned in_flight = requests_in_flight(r);

    if (in_flight < r->least || in_flight < PROBE_SAVED || r->silent) {
        r->least = in_flight;
        r->evidence = 0;
    } else if (++r->evidence >= PROOF_BACK) {
        r->saved = 0;
        change(r, SERVER_UNKNOWN);
    }
}

void requests_judge(struct requests *r, tick_t rtt, bool pause)
{
    if (r->server == SERVER_COUNTS)
        look_for_merging(r);
    else
        look_for_counting(r, rtt, pause);
}

tick_t requests_probe(struct requests *r, tick_t gap, tick_t now)
{
    if (r->server == SERVER_COUNTS || r->saved < r->probe_at || r->probing != 0 || gap > PROBE_GAP)
        return 0;
    r->probe = LATE + EARLY + (tick_t)(PROBE_FRAMES * (double)gap);
    r->probing = now + r->probe;
    r->evidence = 0;
    return r->probe;
}
