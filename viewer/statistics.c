#include "viewer/statistics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rfb/proto/encodings/encodings.h"
#include "rfb/texts/response_words.h"

void statistics_begin(struct statistics *s)
{
    *s = (struct statistics){.decode_ms = -1, .present_ms = -1};
}

static void statistics_push(float *values, int count, double value)
{
    if (count == STATISTICS_SECONDS)
        memmove(values, values + 1, (STATISTICS_SECONDS - 1) * sizeof *values);
    values[count == STATISTICS_SECONDS ? count - 1 : count] = (float)value;
}

/* What is not above 0 was not measured. */
static void statistics_widen(struct spread *s, double value)
{
    if (value <= 0)
        return;
    s->least = s->count == 0 ? value : fmin(s->least, value);
    s->most = fmax(s->most, value);
    s->sum += value;
    s->count++;
}

static double statistics_each(double seconds, uint64_t count)
{
    return count > 0 ? fmax(seconds, 0) * 1e3 / (double)count : -1;
}

/* ms that the window has worked for a picture; below 0: there was none. Of a picture in blocks it
 * draws each part as soon as it has come: how often it has drawn says nothing then. */
static double statistics_shown_ms(const struct session_stats *s, const struct drawn *drawn,
                                  uint64_t received)
{
    return statistics_each(drawn->seconds, s->blocks ? received : drawn->pictures);
}

void statistics_second(struct statistics *s, const struct session_stats *now,
                       const struct drawn *drawn)
{
    struct drawn since;
    double seconds;
    uint64_t received;

    s->before = s->now;
    s->drawn_before = s->drawn;
    s->now = *now;
    s->drawn = *drawn;
    if (!s->begun) { /* nothing to compare with */
        s->begun = true;
        return;
    }
    seconds = tick_to_s(s->now.elapsed - s->before.elapsed);
    if (seconds <= 0)
        return;
    received = s->now.meter.updates - s->before.meter.updates;
    since.pictures = s->drawn.pictures - s->drawn_before.pictures;
    since.seconds = s->drawn.seconds - s->drawn_before.seconds;
    s->fps = (double)received / seconds;
    s->shown_fps = (double)since.pictures / seconds;
    s->sound_rate = (double)(s->now.sound_bytes - s->before.sound_bytes) / seconds;
    s->sound_late = (double)(s->now.sound_late - s->before.sound_late) / seconds;
    s->decode_ms = statistics_each(s->now.decode_s - s->before.decode_s, received);
    s->present_ms = statistics_shown_ms(now, &since, received);
    statistics_push(s->frames, s->count, s->fps);
    statistics_push(s->responses, s->count, now->response_ms > 0 ? now->response_ms : -1);
    statistics_push(s->round_trips, s->count, now->rtt_now_ms > 0 ? now->rtt_now_ms : -1);
    if (s->count < STATISTICS_SECONDS)
        s->count++;
    statistics_widen(&s->response, now->response_ms);
    statistics_widen(&s->round_trip, now->rtt_now_ms);
}

/* ---- rows ---- */

#define UNKNOWN "not known"

/* The ends of what is known of these values. */
static struct spread spread_of(const float *values, int count)
{
    struct spread s = {0};

    for (int i = 0; i < count; i++)
        statistics_widen(&s, values[i]);
    return s;
}

/* ms: what is less is not told apart. */
#define STATISTICS_LEAST_MS 0.1

/* How many digits stand behind the point. */
static int statistics_digits(double value)
{
    return value < STATISTICS_LEAST_MS ? 2 : value < 10 ? 1 : 0;
}

static void put_pictures(char *out, size_t size, const struct statistics *s)
{
    if (s->now.blocks)
        snprintf(out, size, "%.1f received", s->fps);
    else
        snprintf(out, size, "%.1f received, %.1f shown", s->fps, s->shown_fps);
}

static void put_ms(char *out, size_t size, double ms)
{
    snprintf(out, size, "%.*f ms", statistics_digits(ms), ms);
}

static void put_spread(char *out, size_t size, double newest, const struct spread *s,
                       const char *none)
{
    if (newest <= 0 || s->count == 0)
        snprintf(out, size, "%s", none);
    else if (newest < STATISTICS_LEAST_MS && s->most < STATISTICS_LEAST_MS)
        snprintf(out, size, "below 0.1 ms");
    else
        snprintf(out, size, "%.*f ms, %.*f to %.*f in a minute", statistics_digits(newest), newest,
                 statistics_digits(s->least), s->least, statistics_digits(s->most), s->most);
}

static void put_rate(char *out, size_t size, double bytes, double busy)
{
    double bits = bytes * 8;

    if (bytes <= 0)
        snprintf(out, size, UNKNOWN);
    else
        snprintf(out, size, "%.*f %s, %.0f %% of it in use", bits < 1e7 ? 1 : 0,
                 bits < 1e6 ? bits / 1e3 : bits / 1e6, bits < 1e6 ? "kbit/s" : "Mbit/s",
                 busy * 100);
}

static void put_sound(char *out, size_t size, const struct statistics *s)
{
    static const char *const silent[SOUND_STATES] = {
        [SOUND_MUTED] = "off", [SOUND_SLOW] = "off: the connection may be too slow"};
    const double rate = s->sound_rate * 8 / 1e6;

    if (s->now.sound == SOUND_MUTED && s->sound_fails)
        snprintf(out, size, "off: this computer cannot play it");
    else if (s->now.sound != SOUND_ON)
        snprintf(out, size, "%s", silent[s->now.sound]);
    else if (s->sound_late > 0 && s->sound_rate > 0)
        snprintf(out, size, "%.1f Mbit/s, %.0f %% of it too late", rate,
                 fmin(s->sound_late * 100 / s->sound_rate, 100));
    else
        snprintf(out, size, "%.1f Mbit/s", rate);
}

static void put_rule(char *out, size_t size, const struct session_stats *s)
{
    if (s->pushed)
        snprintf(out, size, "none: the server sends by itself");
    else if (s->prp_ms <= 0)
        snprintf(out, size, "off, rule \"%s\"", *s->rule ? s->rule : "none");
    else
        snprintf(out, size, "%.*f ms, rule \"%s\"", statistics_digits(s->prp_ms), s->prp_ms,
                 *s->rule ? s->rule : "none");
}

static void put_period(char *out, size_t size, const struct session_stats *s)
{
    if (s->pushed)
        snprintf(out, size, "no: the server sends them by itself");
    else if (s->prp_ms <= 0)
        snprintf(out, size, "when the last one has come");
    else
        snprintf(out, size, "every %.*f ms", statistics_digits(s->prp_ms), s->prp_ms);
}

static void put_work(char *out, size_t size, double decode_ms, double present_ms)
{
    char decode[24] = "-", present[24] = "-";

    if (decode_ms >= 0)
        put_ms(decode, sizeof decode, decode_ms);
    if (present_ms >= 0)
        put_ms(present, sizeof present, present_ms);
    snprintf(out, size, "%s to decode, %s to show", decode, present);
}

/* The newest that was measured in the last minute, however long ago. */
static double newest_response(const struct statistics *s)
{
    for (int i = s->count - 1; i >= 0; i--)
        if (s->responses[i] > 0)
            return s->responses[i];
    return 0;
}

void statistics_quality(char *out, size_t size, const struct session_stats *s, bool expert)
{
    if (s->blocks && s->film && s->pushing.film_qp > 0)
        snprintf(out, size, "film (H.264, QP %u) while it moves, then exact", s->pushing.film_qp);
    else if (s->blocks && s->film)
        snprintf(out, size, "film (H.264) while it moves, then exact");
    else if (s->blocks && s->jpeg > 0)
        snprintf(out, size, "JPEG %d of 100 while it moves, then exact", s->jpeg);
    else if (s->blocks)
        snprintf(out, size, "exact");
    else if (s->h264)
        snprintf(out, size, "H.264, %d of 9", s->quality);
    else
        snprintf(out, size, expert ? "JPEG %d, compression %d" : "%d of 9, compression %d of 9",
                 s->quality, s->compress);
}

int statistics_rows(const struct statistics *s, bool expert,
                    struct statistics_row out[STATISTICS_ROWS])
{
    const struct session_stats *n = &s->now;
    struct spread response = spread_of(s->responses, s->count);
    struct spread round_trip = spread_of(s->round_trips, s->count);
    struct statistics_row *row = out;

#define ROW(expert_text, text)                                                                     \
    (row->name = expert ? (expert_text) : (text), (row++)->value), sizeof out->value
    put_pictures(ROW("Pictures a second", "Pictures a second"), s);
    put_spread(ROW("Response delay", "A key is seen after"), newest_response(s), &response,
               "nothing was typed or clicked");
    if (n->response.total > 0) {
        response_list(ROW("Parts of the newest", "Of that took"), &n->response, !expert);
        response_say(ROW("Most of it", "Most of it"), &n->response);
    }
    put_spread(ROW("Round trip", "To the server and back"), n->rtt_now_ms, &round_trip, UNKNOWN);
    if (!n->blocks) { /* then the far end knows these */
        put_ms(ROW("Queueing delay", "Pictures wait on the way"), n->queue_ms);
        put_rate(ROW("Delivery rate", "The way carries"), n->delivery_rate, n->busy);
        snprintf(ROW("Requests in flight", "Pictures on order"), "%u", n->in_flight);
    }
    (expert ? put_rule : put_period)(ROW("Request period", "Pictures are asked for"), n);
    statistics_quality(ROW("Quality", "Picture quality"), n, expert);
    put_work(ROW("For a picture", "Work for a picture"), s->decode_ms, s->present_ms);
    if (n->sound != SOUND_NONE)
        put_sound(ROW("Sound", "Sound"), s);
    if (s->slow_because && *s->slow_because)
        snprintf(ROW("Slow because", "Slow because"), "%s", s->slow_because);
#undef ROW
    return (int)(row - out);
}

static void put_whole(char *out, size_t size, const char *name, const struct spread *s)
{
    if (s->count > 0)
        snprintf(out, size, ", %s %.1f ms (%.1f to %.1f)", name, s->sum / s->count, s->least,
                 s->most);
}

void statistics_line(const struct statistics *s, char *out, size_t size)
{
    const struct session_stats *n = &s->now;
    char shown[32] = "", response[64] = "", round_trip[64] = "", work[64];

    put_whole(response, sizeof response, "response delay", &s->response);
    put_whole(round_trip, sizeof round_trip, "round trip", &s->round_trip);
    put_work(work, sizeof work, statistics_each(n->decode_s, n->meter.updates),
             statistics_shown_ms(n, &s->drawn, n->meter.updates));
    if (!n->blocks)
        snprintf(shown, sizeof shown, ", %llu shown", (unsigned long long)s->drawn.pictures);
    snprintf(out, size, "%.0f s, %llu pictures received (%.1f a second)%s%s%s; a picture took %s",
             tick_to_s(n->elapsed), (unsigned long long)n->meter.updates, n->fps, shown, response,
             round_trip, work);
}

/* ---- the status line ---- */

/* A round trip that differs by less than this is the same. */
#define STATUS_LINE_RTT_FACTOR 1.5
#define STATUS_LINE_RTT_MS     10

static bool status_line_differs(const struct session_stats *said, const struct session_stats *now)
{
    double difference = fabs(now->rtt_ms - said->rtt_ms);

    return now->encodings_seen != said->encodings_seen || now->blocks != said->blocks ||
           now->datagrams != said->datagrams || now->film != said->film ||
           now->quality != said->quality || now->compress != said->compress ||
           (difference > STATUS_LINE_RTT_MS &&
            difference > (STATUS_LINE_RTT_FACTOR - 1) * said->rtt_ms);
}

static void status_line_encodings(uint32_t seen, char *out, size_t size)
{
    size_t used = 0;

    for (int row = 0; row < ENCODINGS_MAX; row++)
        if (seen >> row & 1 && used < size)
            used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "",
                                     encoding_name(encoding_number(row)));
}

/* What moves goes as a film. An old far end does not say how good it is. */
static void status_line_film(const struct session_stats *now, char *out, size_t size)
{
    if (now->film && now->pushing.film_qp > 0)
        snprintf(out, size, "; film, QP %u", now->pushing.film_qp);
    else if (now->film)
        snprintf(out, size, "; film");
}

bool status_line(const struct session_stats *said, const struct session_stats *now, char *out,
                 size_t size)
{
    char encodings[80] = "", rtt[40] = "round trip not known", film[32] = "";

    if (!(now->encodings_seen || now->blocks) || !status_line_differs(said, now))
        return false;
    status_line_encodings(now->encodings_seen, encodings, sizeof encodings);
    if (now->rtt_ms > 0)
        snprintf(rtt, sizeof rtt, "round trip %.*f ms", now->rtt_ms < 10 ? 1 : 0, now->rtt_ms);
    status_line_film(now, film, sizeof film);
    if (now->blocks)
        snprintf(out, size, "%s; the far end pushes blocks%s%s", rtt,
                 now->datagrams ? ", as datagrams, too" : "", film);
    else
        snprintf(out, size, "%s; encodings: %s; JPEG level %d, compression %d", rtt, encodings,
                 now->quality, now->compress);
    return true;
}
