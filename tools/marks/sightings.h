/* What somebody who watches a picture with marks in it (mark.h) has seen: frames, how old they
 * were, how long presses took to show.
 *
 * Pure: no clock, threads or pictures; the caller passes what it read and when. Memory is allocated
 * once, by sightings_init().
 *
 *   frame     a number seen whole: in the frame mark and, once an end mark has ever been seen, in
 *             both. One that is far below the last is a new pass of a film that repeats.
 *   age       first whole sight of a frame - the moment it was drawn
 *   gap       between the first sights of two frames that follow each other
 *   still     without a new frame: a gap, or from the beginning of the period to the first frame,
 * or from the last one to its end half      a number that was seen in one of the two marks only,
 * and never in both at a time. Octopus (section 5) counts of an update that comes in parts the
 * share that has come, from a half on. Two marks tell no finer shares. torn      the two marks
 * disagree, or one cannot be read that could before hidden    the input mark cannot be read
 * although it was seen before: something covers it, and responses may look longer than they were
 *   response  press -> the input mark that counts it is seen. Presses are told apart by number
 * only: press i shows when the mark's number is at least what it was before the first + i.
 *
 * Frames count when first seen, presses when made within the measured period; answers count until
 * the caller gives up, SIGHTINGS_GRACE after it.
 */
#ifndef VNCHL_SIGHTINGS_H
#define VNCHL_SIGHTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "prerequest/tick.h"
#include "tools/marks/mark.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Frames (ages and gaps) and presses of a run beyond these are counted but not kept. */
#define SIGHTINGS_FRAMES  262144
#define SIGHTINGS_PRESSES 65536

/* Answers to the last presses are awaited for so long. */
#define SIGHTINGS_GRACE (2 * TICK_S)

/* A content that has a mark shows it within this after its others. */
#define SIGHTINGS_COMPLETE (3 * TICK_S)

/* A number that drops by this much begins a new pass; a smaller drop is an old picture again. */
#define SIGHTINGS_NEW_PASS 16

/* The marks, in the order of enum mark_kind. */
enum { SIGHTING_FRAME, SIGHTING_FRAME_END, SIGHTING_INPUT, SIGHTING_KINDS };

/* What one look read. */
struct sighting {
    bool seen[SIGHTING_KINDS]; /* false: no mark, or not a whole one */
    struct mark marks[SIGHTING_KINDS];
};

/* Values in the order they came, ms unless said otherwise. */
struct samples {
    float *values; /* `kept` of them */
    size_t kept, capacity;
    double sum, max; /* of the kept ones */
};

struct sightings {
    tick_t begin, end; /* the measured period; TICK_NEVER: not known yet */

    /* what is shown */
    bool frame_known, needs_end, torn, hidden;
    uint32_t frame;      /* the last one seen whole */
    bool shown_known[2]; /* of the frame mark and of its end: */
    uint32_t shown[2];   /* the last number */
    bool begun_known;    /* the next three */
    uint32_t begun; /* the newest number seen in either mark. Bit i is for the number i below: */
    uint32_t begun_set; /* it was seen; */
    uint32_t half_set;  /* it counts as a half */
    tick_t first_mark;  /* first sight of any mark, */
    tick_t first_half;  /* of a frame mark, */
    tick_t first_whole; /* and of a frame whose end mark agrees; TICK_NEVER: not yet */
    tick_t looked_at;   /* the last look; TICK_NEVER: none */

    /* within the period */
    uint64_t looks;
    tick_t looked, looked_torn, looked_hidden; /* ns */
    uint64_t frames, halves;
    uint32_t first_number, last_number;
    tick_t first_seen, last_seen;
    struct samples ages, gaps, responses;
    struct samples numbers; /* of the frames, from the first one's on */
    struct samples seen;    /* when they were seen, and */
    struct samples pressed; /* when what was answered was pressed: ms since `begin` */

    /* presses, also those before the period */
    bool input_known;
    uint32_t input, base; /* number now, and before the first press */
    tick_t *made;         /* when each press was made */
    size_t presses, answered;
    size_t measured; /* made within the period */
};

/* False when out of memory. */
bool sightings_init(struct sightings *s);
void sightings_deinit(struct sightings *s);

/* The measured period is [begin, begin + duration). Duration TICK_NEVER: until sightings_end(). */
void sightings_begin(struct sightings *s, tick_t begin, tick_t duration);

/* The period is over, at `now` or before. Looks after it see answers only. */
void sightings_end(struct sightings *s, tick_t now);

/* What was read at `now`. What a look has read is taken to stay until the next. */
void sightings_look(struct sightings *s, const struct sighting *what, tick_t now);

/* Whether `now` lies in the measured period. */
bool sightings_measures(const struct sightings *s, tick_t now);

/* A key or button is pressed. False, and it does not count, before the first input mark has been
 * seen and when there were too many. */
bool sightings_press(struct sightings *s, tick_t now);

/* When the first whole picture was seen; TICK_NEVER: not known yet. A content may do without an end
 * mark, or without frames at all; so where they are missing the answer comes SIGHTINGS_COMPLETE
 * later. */
tick_t sightings_first(const struct sightings *s, tick_t now);

/* Presses that have not shown yet. */
size_t sightings_waiting(const struct sightings *s);

/* After sightings_end(): frames of the measured period, per second of it; 0 when nothing was
 * measured. The second counts what came in parts, too: a half for each half. */
double sightings_fps(const struct sightings *s);
double sightings_partial_fps(const struct sightings *s);

/* After sightings_end(): the longest time in the measured period without a new frame, ms. */
double sightings_still(const struct sightings *s);

/* The share of the presses that were never answered, 0..1; below 0 where there were none. */
double sightings_lost(const struct sightings *s);

/* The value that `share` (0..1) of the samples do not exceed; 0 when there are none. Sorts a copy:
 * not for hot paths. */
double samples_percentile(const struct samples *s, double share);

/* One JSON object in one line, without a newline (docs/benchmark.md). After sightings_end(). */
void sightings_write(const struct sightings *s, FILE *to);

#ifdef __cplusplus
}
#endif
#endif
