#include "tools/accelerator/exchange/relay.h"

#include <string.h>

void relay_init(struct relay *r, int width, int height)
{
    memset(r, 0, sizeof *r);
    r->width = width;
    r->height = height;
    r->last_request = r->unasked_since = r->input_at = TICK_NEVER;
    r->repeats_most = RELAY_REPEATS;
}

/* ---- the client's side ---- */

static void forget_oldest(struct relay *r)
{
    r->sent_bytes -= r->ring[r->first].bytes;
    r->first = (r->first + 1) % RELAY_SENT_MAX;
    r->sent--;
}

static void oldest_is_asked_after(struct relay *r, tick_t now)
{
    tick_t trip = now - r->ring[r->first].at;

    if (r->trip == 0 || trip < r->trip)
        r->trip = trip;
    r->trips++;
    forget_oldest(r);
}

static tick_t relay_newest(const struct relay *r)
{
    return r->ring[(r->first + r->sent - 1) % RELAY_SENT_MAX].at;
}

/* Before the request that comes now is counted. */
static void count_request(struct relay *r, tick_t now)
{
    tick_t took = now - r->window_since;

    if (took >= RELAY_WINDOW) {
        double rate = r->in_window / tick_to_s(took);

        if (!r->idle_window)
            r->client_rate *= RELAY_RATE_FADES;
        if (rate > r->client_rate)
            r->client_rate = rate;
        r->window_since = now;
        r->in_window = 0;
        r->idle_window = false;
    }
    r->in_window++;
    if (r->sent <= 1)
        r->idle_window = true;
}

static void set_own_pace(struct relay *r)
{
    r->own_pace = true;
    r->sent = 0;
    r->sent_bytes = 0;
}

/* No server answers a request for nothing. */
static bool meets_screen(const struct relay *r, struct rect rect)
{
    struct rect seen = rect_intersect(rect, (struct rect){0, 0, r->width, r->height});

    return seen.w > 0 && seen.h > 0;
}

/* The client's request for all of this is passed on. Its answer comes at once, and then the server
 * is asked again: so nothing is waited for in vain. */
static void relay_note_passed(struct relay *r, struct rect rect)
{
    r->asked = rect_bounds(r->unanswered ? r->asked : r->region, rect);
}

/* The client shows a part that the server was not asked for. While the rest is still, nothing would
 * ever come there. */
static bool relay_wants_more(const struct relay *r)
{
    return r->unanswered && !rect_inside(r->region, r->asked);
}

static void note_region(struct relay *r, struct rect rect)
{
    bool add = r->region_new && r->region.w > 0 && r->region.h > 0;

    r->region = add ? rect_bounds(r->region, rect) : rect;
    r->region_new = true;
}

/* A request of a client that makes one for each update. */
static void count_asking(struct relay *r, tick_t now)
{
    r->last_request = now;
    count_request(r, now);
    r->unasked_since = TICK_NEVER;
    if (r->sent > 0)
        oldest_is_asked_after(r, now);
    else if (!r->asked_early && (r->waiting > 0 || r->receiving))
        r->asked_early = true; /* some ask when they see the head of an update */
    else if (++r->surplus == RELAY_SURPLUS)
        set_own_pace(r);
}

/* The request is sent when the paper's loop may send it, which relay_next() says. One for the whole
 * picture is not given up for a newer one before it was sent. */
static void keep_request(struct relay *r, bool incremental, struct rect rect)
{
    if (incremental && r->full && r->region_new)
        return;
    r->region = rect;
    r->full = !incremental;
    r->region_new = true;
}

bool relay_client_asks(struct relay *r, bool incremental, struct rect rect, tick_t now)
{
    bool whole = rect.x == 0 && rect.y == 0 && rect.w >= r->width && rect.h >= r->height;
    bool answered = meets_screen(r, rect);

    if (!r->pushes)
        count_asking(r, now);
    if (r->paper && !r->passes && answered && (incremental || (whole && !r->unanswered))) {
        keep_request(r, incremental, rect);
        return false;
    }
    /* a client begins with a whole picture, and will want what changes in it */
    if (incremental && answered)
        note_region(r, rect);
    else if (r->region.w == 0 && whole)
        r->region = rect;
    r->repeat_due = r->own_pace && incremental && answered;
    if (answered && (r->passes || !incremental)) {
        r->full_meanwhile = r->receiving;
        relay_note_passed(r, rect);
        r->unanswered = true;
        r->asked_at = r->last_asked = now;
    }
    return r->passes || !incremental;
}

void relay_client_presses(struct relay *r, tick_t now)
{
    r->input_at = now;
}

void relay_push(struct relay *r, bool pushes, struct rect rect)
{
    r->pushes = pushes;
    r->region = pushes ? rect_intersect(rect, (struct rect){0, 0, r->width, r->height})
                       : (struct rect){0, 0, 0, 0};
    r->region_new = false;
    r->own_pace = r->asked_early = r->repeat_due = false;
    r->surplus = 0;
}

void relay_client_has_read(struct relay *r, unsigned unread, tick_t now)
{
    while (r->sent > unread) {
        count_request(r, now);
        gateway_link_read(&r->gateway_link, r->ring[r->first].at, r->ring[r->first].bytes, now);
        forget_oldest(r);
        r->last_request = now;
        r->unasked_since = TICK_NEVER;
    }
}

void relay_pass(struct relay *r, bool passes)
{
    r->passes = passes;
}

void relay_follow_paper(struct relay *r)
{
    r->paper = true;
}

/* ---- the pixel format ---- */

void relay_format_waits(struct relay *r)
{
    r->format_waits = true;
}

void relay_format_changed(struct relay *r)
{
    r->format_waits = false;
}

bool relay_expects(const struct relay *r)
{
    return !r->receiving && (r->unanswered || r->repeats > 0);
}

bool relay_owes(const struct relay *r)
{
    return !r->passes && r->region.w > 0 && r->region.h > 0 && (r->receiving || !r->unanswered);
}

void relay_stop_asking(struct relay *r)
{
    r->owed = r->owed || relay_owes(r);
    relay_pass(r, true);
}

/* ---- the server's side ---- */

void relay_update_begins(struct relay *r, tick_t now)
{
    r->gap = now - r->begun_at;
    r->begun_at = now;
    if (!r->unanswered && r->repeats > 0) {
        r->repeats--;
        if (++r->unasked > 1) { /* it counts */
            r->repeats_most = RELAY_REPEATS;
            r->testing = r->repeats >= r->repeats_most;
        }
    }
    r->receiving = true;
    r->full_meanwhile = false;
}

static void note_answer(struct relay *r, tick_t took)
{
    r->answers[r->answered++ % RELAY_ANSWERS] = took;
    r->server_time = RELAY_SERVER_TIME_MOST;
    for (unsigned i = 0; i < RELAY_ANSWERS && i < r->answered; i++)
        r->server_time = tick_sooner(r->server_time, r->answers[i]);
}

void relay_update_ends(struct relay *r, tick_t now)
{
    if (r->unanswered && !r->full_meanwhile)
        note_answer(r, now - r->asked_at);
    r->receiving = false;
    r->ended_at = now;
    r->unanswered = r->full_meanwhile;
    r->full_meanwhile = false;
    r->waiting++;
}

void relay_resized(struct relay *r, int width, int height)
{
    struct rect screen = {0, 0, width, height};

    if (r->region.w >= r->width && r->region.h >= r->height)
        r->region = screen;
    else
        r->region = rect_intersect(r->region, screen);
    r->width = width;
    r->height = height;
}

void relay_update_left(struct relay *r, uint64_t end, tick_t now)
{
    size_t bytes = (size_t)(end - r->left);

    r->left = end;
    r->waiting--;
    if (r->unasked_since == TICK_NEVER)
        r->unasked_since = now;
    if (r->own_pace || r->asked_early) {
        r->asked_early = false;
        return;
    }
    if (r->sent == RELAY_SENT_MAX)
        forget_oldest(r);
    r->ring[(r->first + r->sent) % RELAY_SENT_MAX].at = now;
    r->ring[(r->first + r->sent) % RELAY_SENT_MAX].bytes = bytes;
    r->sent_bytes += bytes;
    r->sent++;
}

/* ---- what to do ---- */

/* Whether something between us and the client takes what the link does not: a gateway. */
static bool relay_has_gateway_link(const struct relay *r, const struct relay_view *v)
{
    if (r->pushes)
        return gateway_link_exists(&r->gateway_link, v->round_trip);
    return r->trips >= RELAY_TRIPS && r->trip > 2 * v->round_trip + GATEWAY_LINK_OWN;
}

/* Updates that may be on their way. */
static unsigned most_sent(const struct relay *r, const struct relay_view *v)
{
    bool gateway = relay_has_gateway_link(r, v);
    double least = RELAY_LEAD_LEAST;
    double most = r->client_rate * tick_to_s(2 * v->round_trip + RELAY_LEAD_TIME);

    if (r->pushes && gateway) {
        most = gateway_link_most(&r->gateway_link, r->client_rate);
    } else if (r->pushes && r->gateway_link.trips < GATEWAY_LINK_TRIPS) {
        least = most = GATEWAY_LINK_LEAST; /* there may be one */
    } else if (gateway) {
        most = r->client_rate * tick_to_s(r->trip) * RELAY_GATEWAY_MORE + 1;
        least = RELAY_GATEWAY_LEAST;
    }
    if (most < least)
        most = least;
    return most < RELAY_SENT_MAX ? (unsigned)most : RELAY_SENT_MAX;
}

/* When the server is to be asked for the sake of a link behind a gateway; 0: at any time. */
static tick_t relay_link_asks_at(const struct relay *r, const struct relay_view *v)
{
    if (!r->pushes || !relay_has_gateway_link(r, v))
        return 0;
    return gateway_link_ask_at(&r->gateway_link, r->sent, r->sent_bytes, r->ring[r->first].at,
                               r->server_time);
}

static bool relay_lags(const struct relay *r, const struct relay_view *v, tick_t now)
{
    if (r->own_pace)
        return r->unasked_since != TICK_NEVER &&
               now - r->unasked_since > RELAY_UNASKED + 2 * v->round_trip;
    return r->sent >= most_sent(r, v);
}

/* Whether it seems to lag, but has asked after it could see the newest update. */
static bool waits_for_us(const struct relay *r, const struct relay_view *v, tick_t now)
{
    return !r->own_pace && !r->pushes && relay_lags(r, v, now) && r->last_request != TICK_NEVER &&
           r->last_request >= relay_newest(r) + v->round_trip;
}

static void notice_own_pace(struct relay *r, const struct relay_view *v, tick_t now)
{
    if (waits_for_us(r, v, now) && now - r->last_request > RELAY_SILENCE + v->round_trip)
        set_own_pace(r);
}

/* Whether the next update would come before those ahead of it have left. */
static bool too_early(const struct relay *r, const struct relay_view *v)
{
    if (r->waiting == 0)
        return false;
    return v->rate <= 0 || (double)v->held / v->rate * (double)TICK_S > (double)r->server_time;
}

/* When the request that the server has is made once more though the client has not asked;
 * TICK_NEVER: not while the picture is still, nor for a client that repeats its requests itself. */
static tick_t repeat_at(const struct relay *r, const struct relay_view *v, tick_t now)
{
    bool moves = r->gap <= RELAY_MOTION_GAP && now - r->begun_at <= RELAY_MOTION_GAP;

    return moves && !r->own_pace && !relay_lags(r, v, now) ? r->last_asked + RELAY_REPEAT_EVERY
                                                           : TICK_NEVER;
}

/* Whether it may be made once more, when that is due: see relay.h. */
static bool may_repeat(const struct relay *r, const struct relay_view *v)
{
    return r->unanswered && r->repeats < r->repeats_most && !too_early(r, v);
}

static bool relay_repeats(const struct relay *r, const struct relay_view *v, tick_t now)
{
    return may_repeat(r, v) && (r->repeat_due || now >= repeat_at(r, v, now));
}

/* Whether it is waited whether the server answers the repeated requests, too. */
static bool tests_server(const struct relay *r, tick_t now)
{
    bool input = r->input_at != TICK_NEVER && now - r->input_at < RELAY_INPUT_SHOWN;

    return r->testing && !input && r->gap <= RELAY_MOTION_GAP;
}

static tick_t test_ends(const struct relay *r)
{
    return r->ended_at + r->gap + r->gap / 2;
}

static void end_test(struct relay *r)
{
    r->repeats = 0;
    r->testing = false;
    if (r->repeats_most < RELAY_REPEATS_MOST)
        r->repeats_most *= 2;
}

/* Algorithm 1: if ((!unansweredRequest) && (received - sent < 1)) write(server, request). */
static enum relay_action relay_next_of_paper(const struct relay *r)
{
    return !r->unanswered && r->waiting < 1 ? RELAY_ASK : RELAY_WAIT;
}

enum relay_action relay_next(struct relay *r, const struct relay_view *v, tick_t now)
{
    if (r->receiving || r->region.w <= 0 || r->region.h <= 0)
        return RELAY_WAIT;
    if (r->format_waits || r->passes)
        return RELAY_WAIT;
    if (r->paper)
        return relay_next_of_paper(r);
    if (relay_wants_more(r) && !too_early(r, v))
        return RELAY_ASK;
    if (r->unanswered)
        return relay_repeats(r, v, now) ? RELAY_ASK : RELAY_WAIT;
    if (tests_server(r, now)) {
        if (now < test_ends(r))
            return RELAY_WAIT;
        end_test(r);
    }
    notice_own_pace(r, v, now);
    if (too_early(r, v) || relay_lags(r, v, now) || now < relay_link_asks_at(r, v))
        return RELAY_WAIT;
    return RELAY_ASK;
}

void relay_asked(struct relay *r, tick_t now)
{
    r->asked = r->unanswered ? rect_bounds(r->asked, r->region) : r->region;
    if (r->unanswered)
        r->testing = ++r->repeats >= r->repeats_most;
    else
        r->asked_at = now;
    gateway_link_asked(&r->gateway_link);
    r->last_asked = now;
    r->unanswered = true;
    r->unasked = 0;
    r->repeat_due = false;
    r->region_new = false;
}

tick_t relay_look_again(const struct relay *r, const struct relay_view *v, tick_t now)
{
    tick_t at;

    if (r->receiving || r->passes || r->format_waits || r->paper || r->region.w <= 0)
        return TICK_NEVER;
    if (r->unanswered)
        return may_repeat(r, v) ? repeat_at(r, v, now) : TICK_NEVER;
    if (tests_server(r, now))
        return test_ends(r);
    if (too_early(r, v)) {
        double early = v->rate > 0
                           ? (double)v->held / v->rate * (double)TICK_S - (double)r->server_time
                           : (double)TICK_NEVER;
        return early < (double)TICK_S ? now + (tick_t)early : TICK_NEVER;
    }
    if (waits_for_us(r, v, now))
        return r->last_request + RELAY_SILENCE + v->round_trip + 1;
    at = relay_link_asks_at(r, v);
    return at > now ? at : TICK_NEVER;
}

unsigned relay_lead(const struct relay *r)
{
    return r->sent;
}
