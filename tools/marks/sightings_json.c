/* The sightings as JSON. By hand, so that this folder needs no library: there is nothing in it but
 * numbers. */
#include "tools/marks/sightings.h"

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
