#include "tools/accelerator/transport/outlet.h"

void outlet_init(struct outlet *o)
{
    *o = (struct outlet){.look_again = TICK_NEVER};
    flight_init(&o->flight);
}

void outlet_learn(struct outlet *o)
{
    o->learns = true;
}

void outlet_fill(struct outlet *o)
{
    o->fills = true;
}

static size_t outlet_unsent_wanted(const struct outlet *o)
{
    double bytes = o->flight.rate * tick_to_s(OUTLET_UNSENT_TIME);

    if (!o->flight.found)
        return OUTLET_UNSENT_AT_FIRST;
    if (bytes < (double)OUTLET_UNSENT_LEAST)
        return OUTLET_UNSENT_LEAST;
    return bytes > (double)OUTLET_UNSENT_MOST ? OUTLET_UNSENT_MOST : (size_t)bytes;
}

/* Only when it is half or twice as much: each change is a call to the kernel. */
static void outlet_set_unsent(struct outlet *o)
{
    size_t wanted = outlet_unsent_wanted(o);

    if (wanted >= 2 * o->unsent_allowed || 2 * wanted <= o->unsent_allowed)
        o->unsent_allowed = wanted;
}

size_t outlet_room(struct outlet *o, const struct leg_info *info, bool waits, tick_t now)
{
    struct flight_sample sample = info->sample;
    size_t limit;

    o->look_again = TICK_NEVER;
    o->unacknowledged = sample.in_flight > 0;
    sample.waits = waits || info->unsent > 0;
    if (o->fills) {
        o->unsent_allowed = 0;
        return SIZE_MAX;
    }
    if (o->learns)
        flight_tell(&o->flight, &sample, now);
    outlet_set_unsent(o);
    if (info->unsent >= o->unsent_allowed)
        return 0;
    limit = flight_limit(&o->flight);
    if (sample.in_flight < limit)
        return limit - sample.in_flight;
    o->look_again = now + flight_wait(&o->flight, sample.in_flight);
    return 0;
}

/* ---- the socket ---- */

static bool outlet_is_silent(const struct leg_info *info)
{
    return info->sample.in_flight > 0 && info->silent >= OUTLET_SILENCE_LIMIT;
}

static size_t outlet_room_now(struct outlet *o, int fd, const struct leg_info *info, bool waits,
                              tick_t now)
{
    size_t unsent = o->unsent_allowed;
    size_t room = outlet_room(o, info, waits, now);

    if (o->unsent_allowed != unsent)
        leg_set_unsent(fd, o->unsent_allowed);
    return room < OUTLET_TURN ? room : OUTLET_TURN;
}

static void outlet_renew_bbr(struct outlet *o, int fd, const struct leg_info *info, tick_t now)
{
    if (o->renewed == 0)
        o->renewed = now;
    if (o->fills || now - o->renewed < LEG_BBR_RENEWED || info->recovers)
        return;
    o->renewed = now;
    leg_renew_bbr(fd);
}

static const char *outlet_send(struct side *client, const struct backlog *held, size_t size,
                               size_t *written)
{
    struct iovec pieces[OUTLET_TURN / BACKLOG_BLOCK + 2];
    int count = backlog_pieces(held, size, pieces, (int)(sizeof pieces / sizeof *pieces));
    ssize_t n = side_write(client, pieces, count);

    if (n < 0) {
        client->ended = true;
        return "the client has gone";
    }
    *written = (size_t)n;
    client->full = n == 0;
    return NULL;
}

const char *outlet_write(struct outlet *o, struct side *client, const struct backlog *held,
                         size_t size, tick_t now, size_t *written)
{
    size_t room = OUTLET_TURN;
    struct leg_info info;

    *written = 0;
    o->look_again = TICK_NEVER;
    if (leg_info(client->fd, &info)) { /* else it is no TCP */
        if (outlet_is_silent(&info))
            return "the client has not answered for a minute";
        outlet_renew_bbr(o, client->fd, &info, now);
        room = outlet_room_now(o, client->fd, &info, size > 0, now);
    }
    client->full = size > 0 && room == 0 && o->look_again == TICK_NEVER;
    if (size == 0)
        o->look_again = TICK_NEVER;
    if (size == 0 || room == 0)
        return NULL;
    return outlet_send(client, held, room < size ? room : size, written);
}

tick_t outlet_look_again(const struct outlet *o, tick_t now)
{
    return o->unacknowledged ? tick_sooner(o->look_again, now + OUTLET_SILENCE_LOOK)
                             : o->look_again;
}
