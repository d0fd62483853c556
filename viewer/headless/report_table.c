/* The figures of a run as a table for people. */
#include <math.h>

#include "viewer/headless/report.h"

/* A figure that cannot be told; shown as "-". */
#define UNKNOWN NAN

static double report_table_seconds(const struct summary *r)
{
    return tick_to_s(r->stats.elapsed);
}

static double report_table_requests(const struct summary *r)
{
    double sum = 0;

    for (int i = 0; i < REQUEST_CAUSES; i++)
        sum += (double)r->stats.meter.requests[i];
    return sum;
}

static double per_second(const struct summary *r, double amount)
{
    return report_table_seconds(r) > 0 ? amount / report_table_seconds(r) : 0;
}

static double report_table_fps(const struct summary *r)
{
    return r->stats.fps;
}

static double report_table_gap50(const struct summary *r)
{
    return percentile_get(&r->stats.meter.gaps, 0.5);
}

static double report_table_gap95(const struct summary *r)
{
    return percentile_get(&r->stats.meter.gaps, 0.95);
}

static double gap_max(const struct summary *r)
{
    return r->stats.meter.gaps.max;
}

static double requests_rate(const struct summary *r)
{
    return per_second(r, report_table_requests(r));
}

static double bytes_rate(const struct summary *r, int64_t bytes)
{
    return bytes < 0 ? UNKNOWN : per_second(r, (double)bytes / 1e3);
}

static double report_table_received(const struct summary *r)
{
    return bytes_rate(r, r->stats.bytes_received);
}

static double report_table_sent(const struct summary *r)
{
    return bytes_rate(r, r->stats.bytes_sent);
}

static double report_table_cpu(const struct summary *r)
{
    return r->cpu_percent;
}

static double cpu_per_update(const struct summary *r)
{
    double updates = (double)r->stats.meter.updates;

    return updates > 0 ? r->cpu_s * 1e3 / updates : 0;
}

static double report_table_rtt(const struct summary *r)
{
    return r->stats.rtt_ms > 0 ? r->stats.rtt_ms : UNKNOWN;
}

static double report_table_prp(const struct summary *r)
{
    return r->stats.prp_ms > 0 ? r->stats.prp_ms : UNKNOWN;
}

static double marked_fps(const struct summary *r)
{
    return sightings_fps(r->marks);
}

static double marked_partial_fps(const struct summary *r)
{
    return sightings_partial_fps(r->marks);
}

static double marked_still(const struct summary *r)
{
    return sightings_still(r->marks);
}

/* % of the presses. */
static double report_table_unanswered(const struct summary *r)
{
    double share = sightings_lost(r->marks);

    return share < 0 ? UNKNOWN : 100 * share;
}

static double report_table_millions(double amount)
{
    return amount / 1e6;
}

/* Of the CPU time that decoding has taken. */
static double per_decode_second(const struct summary *r, double amount)
{
    return r->stats.decode_s > 0 ? amount / r->stats.decode_s : 0;
}

static double report_table_frames(const struct summary *r)
{
    return (double)r->stats.meter.updates;
}

static double report_table_megabytes(const struct summary *r)
{
    return report_table_millions((double)r->stats.bytes_received);
}

static double report_table_megapixels(const struct summary *r)
{
    return report_table_millions((double)r->stats.pixels);
}

static double decode_time(const struct summary *r)
{
    return r->stats.decode_s;
}

static double megabytes_rate(const struct summary *r)
{
    return per_decode_second(r, report_table_megabytes(r));
}

static double megapixels_rate(const struct summary *r)
{
    return per_decode_second(r, report_table_megapixels(r));
}

static double report_table_median(const struct samples *s)
{
    return s->kept ? samples_percentile(s, 0.5) : UNKNOWN;
}

static double report_table_age(const struct summary *r)
{
    return report_table_median(&r->marks->ages);
}

static double report_table_response(const struct summary *r)
{
    return report_table_median(&r->marks->responses);
}

static void print_figure(FILE *out, int width, double value, int digits)
{
    if (isnan(value))
        fprintf(out, "%*s", width, "-");
    else
        fprintf(out, "%*.*f", width, digits, value);
}

struct table_row {
    const char *label;
    double (*figure)(const struct summary *);
    int digits;
};

static void print_rows(FILE *out, const struct table_row *rows, size_t count,
                       const struct summary *plain, const struct summary *run)
{
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%-32s", rows[i].label);
        if (plain)
            print_figure(out, 13, rows[i].figure(plain), rows[i].digits);
        print_figure(out, plain ? 17 : 13, rows[i].figure(run), rows[i].digits);
        fputc('\n', out);
    }
}

/* One change may be a clock's. Over a slow link there are few, but more than that. */
static bool report_still(const struct summary *r)
{
    return r->stats.meter.changes < 2;
}

/* Over a link like this plain VNC waits less than a frame of 30 a second lasts. Chosen. */
#define NEAR_MS 20
/* By what two runs of the same differ, up and down. Chosen. */
#define NOISE 1.1
#define LOSS  0.8

static bool report_nothing_to_gain(const struct summary *plain, const struct summary *run)
{
    const double gain = report_speedup(plain, run);

    return plain->stats.rtt_ms > 0 && plain->stats.rtt_ms < NEAR_MS && gain > LOSS && gain < NOISE;
}

static void print_comparison(FILE *out, const struct summary *plain, const struct summary *run)
{
    fputc('\n', out);
    if (report_still(plain) && report_still(run))
        fputs("The server's screen stood still, so nothing was compared: let something move on it, "
              "and measure again.\n",
              out);
    else if (plain->stats.fps <= 0)
        fputs("Plain VNC showed too few frames to compare: measure for longer (--duration S).\n",
              out);
    else
        fprintf(
            out, "%.1f times the frame rate of plain VNC.%s\n", report_speedup(plain, run),
            report_nothing_to_gain(plain, run)
                ? "\nThe server is near, so plain VNC hardly waits and there is nothing to gain: "
                  "the difference is noise."
                : "");
}

void report_table(FILE *out, const struct summary *plain, const struct summary *run)
{
    static const struct table_row rows[] = {
        {"frames per second", report_table_fps, 1},
        {"gap between frames, median (ms)", report_table_gap50, 0},
        {"  95 %", report_table_gap95, 0},
        {"  longest", gap_max, 0},
        {"requests per second", requests_rate, 1},
        {"received (kB/s)", report_table_received, 1},
        {"sent (kB/s)", report_table_sent, 1},
        {"CPU (%)", report_table_cpu, 1},
        {"CPU per update (ms)", cpu_per_update, 2},
        {"round trip (ms)", report_table_rtt, 0},
        {"PRP (ms)", report_table_prp, 0},
    };
    static const struct table_row mark_rows[] = {
        {"marked frames per second", marked_fps, 1},
        {"  with halves of frames", marked_partial_fps, 1},
        {"longest without a new one (ms)", marked_still, 0},
        {"age of a frame, median (ms)", report_table_age, 1},
        {"press to its mark, median (ms)", report_table_response, 1},
        {"presses never answered (%)", report_table_unanswered, 1},
    };
    static const struct table_row play_rows[] = {
        {"frames", report_table_frames, 0},
        {"recorded (MB)", report_table_megabytes, 3},
        {"pixels decoded (millions)", report_table_megapixels, 3},
        {"CPU time of decoding (s)", decode_time, 3},
        {"decoded per CPU second (MB)", megabytes_rate, 1},
        {"  (millions of pixels)", megapixels_rate, 1},
    };

    if (run->stats.played) {
        print_rows(out, play_rows, sizeof play_rows / sizeof *play_rows, NULL, run);
        return;
    }
    if (plain)
        fprintf(out, "%-32s %12s %16s\n", "", "plain VNC", "pre-requesting");
    print_rows(out, rows, sizeof rows / sizeof *rows, plain, run);
    if (run->marks)
        print_rows(out, mark_rows, sizeof mark_rows / sizeof *mark_rows, plain, run);
    if (plain)
        print_comparison(out, plain, run);
    else if (report_still(run))
        fputs("\nThe server's screen stood still: let something move on it to measure.\n", out);
}
