#include "prerequest/push/packet_size.h"

/* What tunnels and links leave: IPv6's least, tunnels in tunnels, one tunnel, Ethernet. */
static const unsigned packet_size_all[] = {1280, 1400, PACKET_SIZE_MOST};
#define PACKET_SIZE_ALL (sizeof packet_size_all / sizeof *packet_size_all)

/* ---- the search ---- */

static void packet_size_search(struct packet_size *s, unsigned rounds, tick_t due)
{
    s->search++;
    s->rounds = rounds;
    s->next = 0;
    s->due = due;
}

static void packet_size_fall_back(struct packet_size *s)
{
    s->bytes = PACKET_SIZE_LEAST;
    s->first = s->end;
    s->lost = s->small = s->small_lost = 0;
}

void packet_size_begin(struct packet_size *s)
{
    packet_size_fall_back(s);
    s->refused = 0;
    packet_size_search(s, 0, 0);
}

static bool packet_size_may(const struct packet_size *s, unsigned bytes)
{
    return bytes > s->bytes && (s->refused == 0 || bytes < s->refused);
}

/* Whether a probe is left in this round. */
static bool packet_size_seek(struct packet_size *s)
{
    while (s->next < PACKET_SIZE_ALL && !packet_size_may(s, packet_size_all[s->next]))
        s->next++;
    return s->next < PACKET_SIZE_ALL;
}

unsigned packet_size_probe(struct packet_size *s, tick_t now)
{
    if (s->due > now)
        return 0;
    if (s->rounds == PACKET_SIZE_PROBES) {
        s->refused = 0;
        packet_size_search(s, 0, now);
    }
    if (packet_size_seek(s))
        return packet_size_all[s->next++];
    s->next = 0;
    s->rounds = packet_size_seek(s) ? s->rounds + 1 : PACKET_SIZE_PROBES;
    s->due = now + (s->rounds < PACKET_SIZE_PROBES ? PACKET_SIZE_WAIT : PACKET_SIZE_AGAIN);
    return 0;
}

tick_t packet_size_due(const struct packet_size *s)
{
    return s->bytes < PACKET_SIZE_MOST ? s->due : TICK_NEVER;
}

void packet_size_told(struct packet_size *s, uint8_t search, unsigned bytes)
{
    for (unsigned i = 0; search == s->search && i < PACKET_SIZE_ALL; i++)
        if (packet_size_all[i] == bytes && packet_size_may(s, bytes))
            s->bytes = bytes;
}

void packet_size_refused(struct packet_size *s, unsigned bytes)
{
    if (bytes <= PACKET_SIZE_LEAST)
        bytes = PACKET_SIZE_LEAST + 1;
    if (s->refused == 0 || bytes < s->refused)
        s->refused = bytes;
    if (s->bytes < bytes)
        return;
    packet_size_fall_back(s);
    packet_size_search(s, 0, 0);
}

/* ---- black holes ---- */

static struct packet_size_out *packet_size_at(struct packet_size *s, uint32_t number)
{
    return s->out + number % PACKET_SIZE_OUT;
}

void packet_size_sent(struct packet_size *s, uint32_t sequence, unsigned bytes)
{
    if (s->bytes == PACKET_SIZE_LEAST)
        return;
    if (s->end - s->first == PACKET_SIZE_OUT)
        s->first++;
    *packet_size_at(s, s->end++) = (struct packet_size_out){
        .sequence = sequence, .large = bytes > PACKET_SIZE_LEAST, .overtaken = TICK_NEVER};
}

/* What is told of one that left `back` numbers before the newest. */
static bool packet_size_has(uint32_t back, const uint8_t *before, unsigned before_bytes)
{
    return back == 0 ||
           (back <= 8 * before_bytes && (before[(back - 1) / 8] >> (back - 1) % 8 & 1));
}

static void packet_size_note(struct packet_size *s, uint32_t newest, const uint8_t *before,
                             unsigned before_bytes, tick_t now)
{
    for (uint32_t n = s->first; n != s->end; n++) {
        struct packet_size_out *o = packet_size_at(s, n);
        uint32_t back = newest - o->sequence;

        if (back > UINT32_MAX / 2) /* it left later */
            return;
        o->came = o->came || packet_size_has(back, before, before_bytes);
        if (o->overtaken == TICK_NEVER && back >= PACKET_SIZE_LATER)
            o->overtaken = now;
    }
}

static void packet_size_decide(struct packet_size *s, const struct packet_size_out *o)
{
    if (o->came && o->large)
        s->lost = s->small = s->small_lost = 0;
    else if (o->came)
        s->small += s->lost > 0;
    else if (o->large)
        s->lost++;
    else
        s->small_lost += s->lost > 0;
}

static bool packet_size_is_black_hole(const struct packet_size *s)
{
    return s->small >= PACKET_SIZE_SMALL &&
           ((s->lost >= PACKET_SIZE_LOST && s->small > PACKET_SIZE_SMALL_TIMES * s->small_lost) ||
            s->lost >= PACKET_SIZE_LOST_MANY);
}

void packet_size_came(struct packet_size *s, uint32_t newest, const uint8_t *before,
                      unsigned before_bytes, tick_t now)
{
    packet_size_note(s, newest, before, before_bytes, now);
    for (; s->first != s->end; s->first++) {
        const struct packet_size_out *o = packet_size_at(s, s->first);

        if (!o->came && (o->overtaken == TICK_NEVER || now - o->overtaken < PACKET_SIZE_LATE))
            return;
        packet_size_decide(s, o);
        if (!packet_size_is_black_hole(s))
            continue;
        packet_size_fall_back(s);
        packet_size_search(s, PACKET_SIZE_PROBES, now + PACKET_SIZE_AGAIN);
        return;
    }
}
