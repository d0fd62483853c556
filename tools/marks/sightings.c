#include "tools/marks/sightings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- samples ---- */

static bool samples_init(struct samples *s, size_t capacity)
{
    s->values = calloc(capacity, sizeof *s->values);
    s->capacity = s->values ? capacity : 0;
    return s->values != NULL;
}

static void samples_add(struct samples *s, double value)
{
    if (s->kept == s->capacity)
        return;
    s->max = s->kept == 0 || value > s->max ? value : s->max;
    s->sum += value;
    s->values[s->kept++] = (float)value;
}

static int sightings_compare(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;

    return (x > y) - (x < y);
}

double samples_percentile(const struct samples *s, double share)
{
    float *sorted = s->kept ? malloc(s->kept * sizeof *sorted) : NULL;
    size_t rank = (size_t)ceil(share * (double)s->kept);
    double value;

    if (!sorted)
        return 0;
    memcpy(sorted, s->values, s->kept * sizeof *sorted);
    qsort(sorted, s->kept, sizeof *sorted, sightings_compare);
    value = (double)sorted[rank == 0 ? 0 : rank - 1];
    free(sorted);
    return value;
}

/* ---- life ---- */

bool sightings_init(struct sightings *s)
{
    bool ok;

    memset(s, 0, sizeof *s);
    s->begin = s->end = TICK_NEVER;
    s->first_mark = s->first_half = s->first_whole = TICK_NEVER;
    s->looked_at = TICK_NEVER;
    s->made = calloc(SIGHTINGS_PRESSES, sizeof *s->made);
    ok = samples_init(&s->ages, SIGHTINGS_FRAMES) && samples_init(&s->gaps, SIGHTINGS_FRAMES) &&
         samples_init(&s->numbers, SIGHTINGS_FRAMES) && samples_init(&s->seen, SIGHTINGS_FRAMES) &&
         samples_init(&s->responses, SIGHTINGS_PRESSES) &&
         samples_init(&s->pressed, SIGHTINGS_PRESSES) && s->made;
    if (!ok)
        sightings_deinit(s);
    return ok;
}

void sightings_deinit(struct sightings *s)
{
    free(s->ages.values);
    free(s->gaps.values);
    free(s->responses.values);
    free(s->numbers.values);
    free(s->seen.values);
    free(s->pressed.values);
    free(s->made);
    memset(s, 0, sizeof *s);
}

void sightings_begin(struct sightings *s, tick_t begin, tick_t duration)
{
    s->begin = begin;
    s->end = duration < TICK_NEVER - begin ? begin + duration : TICK_NEVER;
}

bool sightings_measures(const struct sightings *s, tick_t at)
{
    return s->begin != TICK_NEVER && at >= s->begin && at < s->end;
}

/* ---- looks ---- */

/* How far number `a` is ahead of `b`: they are counted modulo 2^28. */
static int32_t sightings_ahead(uint32_t a, uint32_t b)
{
    return (int32_t)((a - b) << 4) >> 4;
}

/* What the last look saw was there until now. */
static void sightings_account(struct sightings *s, tick_t now)
{
    tick_t from = s->looked_at, to = now;

    if (from == TICK_NEVER || s->begin == TICK_NEVER)
        return;
    from = from > s->begin ? from : s->begin;
    to = to < s->end ? to : s->end;
    if (to <= from)
        return;
    s->looked += to - from;
    if (s->torn)
        s->looked_torn += to - from;
    if (s->hidden)
        s->looked_hidden += to - from;
}

static void count_frame(struct sightings *s, const struct mark *m, tick_t now)
{
    if (s->frames++ == 0) {
        s->first_number = m->number;
        s->first_seen = now;
    } else {
        samples_add(&s->gaps, tick_to_ms(now - s->last_seen));
    }
    s->last_number = m->number;
    s->last_seen = now;
    samples_add(&s->numbers, sightings_ahead(m->number, s->first_number));
    samples_add(&s->seen, tick_to_ms(now - s->begin));
    if (m->time)
        samples_add(&s->ages, tick_to_ms(mark_age(m, now)));
}

/* The bit of a number; 0: it is older than what is remembered. A number that nobody has seen yet,
 * or of a new pass, becomes the newest. */
static uint32_t bit_of(struct sightings *s, uint32_t number)
{
    int32_t step = sightings_ahead(number, s->begun);

    if (s->begun_known && step <= 0 && step > -SIGHTINGS_NEW_PASS)
        return 1u << -step;
    if (!s->begun_known || step <= 0 || step >= 32)
        s->begun_set = s->half_set = 0;
    else
        s->begun_set <<= step, s->half_set <<= step;
    s->begun_known = true;
    s->begun = number;
    return 1;
}

/* A number is seen in a mark. It is a half until it is seen whole. */
static void see_half(struct sightings *s, uint32_t number, tick_t now)
{
    uint32_t bit = bit_of(s, number);

    if (s->begun_set & bit)
        return;
    s->begun_set |= bit;
    if (!sightings_measures(s, now))
        return;
    s->half_set |= bit;
    s->halves++;
}

/* A mark counts when its number changes. While one mark is far ahead of the other, the other one's
 * numbers are of old pictures, and no new pass. */
static void see_mark(struct sightings *s, int which, uint32_t number, tick_t now)
{
    int other = SIGHTING_FRAME + SIGHTING_FRAME_END - which;

    if (s->shown_known[which] && s->shown[which] == number)
        return;
    s->shown_known[which] = true;
    s->shown[which] = number;
    if (s->begun_known && sightings_ahead(number, s->begun) <= -SIGHTINGS_NEW_PASS &&
        s->shown_known[other] && sightings_ahead(s->shown[other], s->begun) > -SIGHTINGS_NEW_PASS)
        return;
    see_half(s, number, now);
}

/* What becomes whole only after the period was a half in it. */
static void see_whole(struct sightings *s, uint32_t number, tick_t now)
{
    uint32_t bit = bit_of(s, number);

    if (!sightings_measures(s, now))
        return;
    s->halves -= (s->half_set & bit) != 0;
    s->half_set &= ~bit;
}

static void see_frame(struct sightings *s, const struct sighting *what, tick_t now)
{
    const struct mark *m = &what->marks[SIGHTING_FRAME];
    bool begins = what->seen[SIGHTING_FRAME], ends = what->seen[SIGHTING_FRAME_END], whole;
    int32_t step;

    s->needs_end = s->needs_end || ends;
    if (begins && s->first_half == TICK_NEVER)
        s->first_half = now;
    whole =
        begins && (!s->needs_end || (ends && what->marks[SIGHTING_FRAME_END].number == m->number));
    if (begins)
        see_mark(s, SIGHTING_FRAME, m->number, now);
    if (ends)
        see_mark(s, SIGHTING_FRAME_END, what->marks[SIGHTING_FRAME_END].number, now);
    if (whole)
        see_whole(s, m->number, now);
    s->torn = !whole && s->first_half != TICK_NEVER;
    if (!whole)
        return;
    if (s->needs_end && s->first_whole == TICK_NEVER)
        s->first_whole = now;
    step = sightings_ahead(m->number, s->frame);
    if (s->frame_known && step <= 0 && step > -SIGHTINGS_NEW_PASS)
        return;
    s->frame_known = true;
    s->frame = m->number;
    if (sightings_measures(s, now))
        count_frame(s, m, now);
}

static void see_input(struct sightings *s, const struct mark *m, tick_t now)
{
    s->input_known = true;
    s->input = m->number;
    while (s->answered < s->presses && sightings_ahead(s->input, s->base) > (int32_t)s->answered) {
        tick_t made = s->made[s->answered++];

        if (sightings_measures(s, made)) {
            samples_add(&s->responses, tick_to_ms(now - made));
            samples_add(&s->pressed, tick_to_ms(made - s->begin));
        }
    }
}

void sightings_look(struct sightings *s, const struct sighting *what, tick_t now)
{
    sightings_account(s, now);
    s->looked_at = now;
    if (sightings_measures(s, now))
        s->looks++;
    if (s->first_mark == TICK_NEVER && (what->seen[SIGHTING_FRAME] || what->seen[SIGHTING_INPUT]))
        s->first_mark = now;
    see_frame(s, what, now);
    s->hidden = s->input_known && !what->seen[SIGHTING_INPUT];
    if (what->seen[SIGHTING_INPUT])
        see_input(s, &what->marks[SIGHTING_INPUT], now);
}

void sightings_end(struct sightings *s, tick_t now)
{
    if (s->begin == TICK_NEVER)
        return;
    if (now < s->end)
        s->end = now > s->begin ? now : s->begin;
    sightings_account(s, s->end);
    /* nothing is left to be accounted */
    s->looked_at = TICK_NEVER;
}

bool sightings_press(struct sightings *s, tick_t now)
{
    if (!s->input_known || s->presses == SIGHTINGS_PRESSES)
        return false;
    if (s->presses == 0)
        s->base = s->input;
    s->made[s->presses++] = now;
    if (sightings_measures(s, now))
        s->measured++;
    return true;
}

/* ---- answers ---- */

tick_t sightings_first(const struct sightings *s, tick_t now)
{
    tick_t first = s->first_half != TICK_NEVER ? s->first_half : s->first_mark;

    if (s->needs_end)
        return s->first_whole;
    return first != TICK_NEVER && now - first >= SIGHTINGS_COMPLETE ? first : TICK_NEVER;
}

size_t sightings_waiting(const struct sightings *s)
{
    return s->presses - s->answered;
}

/* Per second of the measured period. */
static double sightings_rate(const struct sightings *s, double frames)
{
    return s->begin != TICK_NEVER && s->end > s->begin ? frames / tick_to_s(s->end - s->begin) : 0;
}

double sightings_fps(const struct sightings *s)
{
    return sightings_rate(s, (double)s->frames);
}

double sightings_partial_fps(const struct sightings *s)
{
    return sightings_rate(s, (double)s->frames + (double)s->halves / 2);
}

double sightings_still(const struct sightings *s)
{
    if (s->begin == TICK_NEVER)
        return 0;
    if (s->frames == 0)
        return tick_to_ms(s->end - s->begin);
    return fmax(s->gaps.max,
                fmax(tick_to_ms(s->first_seen - s->begin), tick_to_ms(s->end - s->last_seen)));
}

double sightings_lost(const struct sightings *s)
{
    size_t lost = s->measured - s->responses.kept;

    return s->measured > 0 ? (double)lost / (double)s->measured : -1;
}

/* ---- as JSON ---- */

/* By hand, so that this folder needs no library: there is nothing in it but numbers. */
static void write_raw(const struct samples *s, const char *key, int digits, FILE *to)
{
    fprintf(to, ",\"%s\":[", key);
    for (size_t i = 0; i < s->kept; i++)
        fprintf(to, "%s%.*f", i ? "," : "", digits, (double)s->values[i]);
    fputc(']', to);
}

/* The percentiles, the largest, and the mean where asked for; null when there are no values. */
static void write_spread(const struct samples *s, const char *key, const int *percents, bool mean,
                         FILE *to)
{
    fprintf(to, ",\"%s\":", key);
    if (s->kept == 0) {
        fputs("null", to);
        return;
    }
    fputc('{', to);
    for (int i = 0; percents[i]; i++)
        fprintf(to, "\"p%d\":%.2f,", percents[i], samples_percentile(s, percents[i] / 100.0));
    fprintf(to, "\"max\":%.2f", s->max);
    if (mean)
        fprintf(to, ",\"mean\":%.2f", s->sum / (double)s->kept);
    fputc('}', to);
}

void sightings_write(const struct sightings *s, FILE *to)
{
    static const int wide[] = {5, 25, 50, 75, 95, 0}, tail[] = {50, 95, 99, 0};
    double looked = tick_to_s(s->looked);
    bool measured = s->begin != TICK_NEVER && s->end != TICK_NEVER;

    fprintf(to, "{\"duration_s\":%.3f", measured ? tick_to_s(s->end - s->begin) : 0);
    fprintf(to, ",\"looks_per_s\":%.1f", looked > 0 ? (double)s->looks / looked : 0);
    fprintf(to, ",\"frames\":%llu,\"fps\":%.3f", (unsigned long long)s->frames, sightings_fps(s));
    fprintf(to, ",\"halves\":%llu,\"partial_fps\":%.3f", (unsigned long long)s->halves,
            sightings_partial_fps(s));
    fprintf(to, ",\"still_ms\":%.1f", sightings_still(s));
    if (s->frames)
        fprintf(to, ",\"first_number\":%u,\"last_number\":%u", s->first_number, s->last_number);
    else
        fputs(",\"first_number\":null,\"last_number\":null", to);
    fprintf(to, ",\"torn_share\":%.4f", looked > 0 ? tick_to_s(s->looked_torn) / looked : 0);
    fprintf(to, ",\"input_hidden_share\":%.4f",
            looked > 0 ? tick_to_s(s->looked_hidden) / looked : 0);
    write_spread(&s->ages, "age_ms", wide, true, to);
    write_spread(&s->gaps, "gap_ms", tail, false, to);
    write_raw(&s->ages, "ages_ms", 1, to);
    write_raw(&s->seen, "seen_ms", 1, to);
    write_raw(&s->numbers, "numbers", 0, to);
    fprintf(to, ",\"presses\":%zu,\"responses\":%zu", s->measured, s->responses.kept);
    write_raw(&s->responses, "responses_ms", 1, to);
    write_raw(&s->pressed, "pressed_ms", 1, to);
    write_spread(&s->responses, "response_ms", wide, true, to);
    fprintf(to, ",\"responses_lost\":%zu,\"lost_share\":", s->measured - s->responses.kept);
    if (sightings_lost(s) < 0)
        fputs("null}", to);
    else
        fprintf(to, "%.4f}", sightings_lost(s));
}
