#include "tools/accelerator/exchange/exchange.h"

void exchange_init(struct exchange *x, const struct flight *path, bool whole, size_t most,
                   enum continuous_updates continuous)
{
    *x = (struct exchange){.path = path};
    down_init(&x->down, &x->relay, &x->own, whole, most);
    up_init(&x->up, &x->relay, &x->own, continuous);
}

void exchange_deinit(struct exchange *x)
{
    down_deinit(&x->down);
    up_deinit(&x->up);
    own_push_deinit(&x->own);
}

void exchange_begin(struct exchange *x, const struct pixel_format *format, int width, int height,
                    bool accelerate, const char *congestion)
{
    down_begin(&x->down, format, width, height, congestion);
    up_begin(&x->up);
    relay_init(&x->relay, width, height);
    relay_pass(&x->relay, !accelerate);
}

void exchange_follow_paper(struct exchange *x)
{
    relay_follow_paper(&x->relay);
    x->up.continuous = CONTINUOUS_HIDE;
}

/* ---- what the directions tell each other ---- */

/* What the client's side is told of the server's. */
static struct up_turn exchange_turn(const struct exchange *x, tick_t now)
{
    const struct delivery *out = &x->down.out;

    return (struct up_turn){.now = now,
                            .server_lost = x->down.lost,
                            .server_between = down_between(&x->down),
                            .server_buttons = x->down.framing.extended_buttons,
                            .slack = out->held.size < out->most / 2,
                            .view = {.held = out->held.size,
                                     .rate = out->rate > x->path->rate ? out->rate : x->path->rate,
                                     .round_trip = x->path->round_trip}};
}

static void exchange_up_answered(struct exchange *x, const struct up_turn *t,
                                 struct exchange_news *news)
{
    if (t->format)
        down_set_format(&x->down, &x->up.format);
    if (t->lost)
        news->client_lost = client_framing_why(&x->up.framing);
    x->down.shows_blocks = x->down.shows_blocks || t->other_blocks;
    x->down.show_due = x->down.show_due || (t->shows && !x->down.shown);
    news->no_memory = news->no_memory || t->failed;
    news->unfit = news->unfit || t->unfit;
    news->in_use = news->in_use || t->in_use;
    news->ahead = t->ahead > news->ahead ? t->ahead : news->ahead;
    news->requests += t->requests;
    news->asked += t->asked;
}

static void exchange_down_answered(struct exchange *x, enum down_answer answer,
                                   struct exchange_news *news)
{
    if (answer == DOWN_LOST)
        news->server_lost = server_framing_why(&x->down.framing);
    news->no_memory = news->no_memory || answer == DOWN_NO_MEMORY;
}

/* ---- what happens ---- */

void exchange_from_server(struct exchange *x, const uint8_t *bytes, size_t size, tick_t now,
                          struct exchange_news *news)
{
    exchange_down_answered(x, down_take(&x->down, bytes, size, now), news);
}

void exchange_from_client(struct exchange *x, tick_t now, struct exchange_news *news)
{
    struct up_turn t = exchange_turn(x, now);

    up_take(&x->up, &t);
    exchange_up_answered(x, &t, news);
}

void exchange_goes_on(struct exchange *x, tick_t now, struct exchange_news *news)
{
    exchange_down_answered(x, down_pass(&x->down, x->down.in.size, now), news);
    exchange_from_client(x, now, news);
}

void exchange_say(struct exchange *x, tick_t now, struct exchange_news *news)
{
    struct up_turn t = exchange_turn(x, now);

    up_change_format(&x->up, &t);
    exchange_up_answered(x, &t, news);
    exchange_down_answered(x, down_say(&x->down, now), news);
}

void exchange_ask(struct exchange *x, tick_t now, struct exchange_news *news)
{
    struct up_turn t = exchange_turn(x, now);

    up_ask(&x->up, &t);
    exchange_up_answered(x, &t, news);
}

tick_t exchange_look_again(const struct exchange *x, tick_t now)
{
    struct up_turn t = exchange_turn(x, now);

    return tick_sooner(relay_look_again(&x->relay, &t.view, now), up_look_again(&x->up, &t));
}
