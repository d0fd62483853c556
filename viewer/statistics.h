/* The figures of a session as people read them: a second at a time, and of the whole session; and
 * as --verbose says them.
 *
 * Value type. Pure. The owner's thread: the window's, or headless mode's.
 */
#ifndef VNCHL_STATISTICS_H
#define VNCHL_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

#include "rfb/session/session.h"

#ifdef __cplusplus
extern "C" {
#endif

#define STATISTICS_SECONDS 60
#define STATISTICS_ROWS    13

/* What the window has done since the session began. */
struct drawn {
    uint64_t pictures; /* brought to the display */
    double seconds;    /* that this took */
};

/* A mean, and the ends. */
struct spread {
    double sum, least, most;
    unsigned count;
};

struct statistics {
    struct session_stats now; /* the newest */
    struct session_stats before;
    struct drawn drawn, drawn_before;
    bool begun;
    double fps, shown_fps;         /* in the newest second; in blocks it is parts that are shown */
    double sound_rate, sound_late; /* of it: bytes a second that came, and that came too late */
    double decode_ms,
        present_ms; /* for one picture, in the newest second; below 0: there was none */
    /* The last seconds, the newest one last. */
    float frames[STATISTICS_SECONDS];
    float responses[STATISTICS_SECONDS];   /* ms; below 0: nothing was measured */
    float round_trips[STATISTICS_SECONDS]; /* the same */
    int count;
    struct spread response, round_trip; /* of the whole session, ms */
    const char *slow_because;           /* empty: it is not slow. The owner of this sets it, */
    bool sound_fails;                   /* and whether this computer cannot play any sound */
};

/* A session begins. */
void statistics_begin(struct statistics *s);

/* About a second has passed. */
void statistics_second(struct statistics *s, const struct session_stats *now,
                       const struct drawn *drawn);

/* What the pictures are like: the levels that the server was told, or what a far end chooses. */
void statistics_quality(char *out, size_t size, const struct session_stats *s, bool expert);

struct statistics_row {
    const char *name;
    char value[128];
};

/* What is shown of the newest second, in the words of an expert or of everybody else. Returns how
 * many rows. */
int statistics_rows(const struct statistics *s, bool expert,
                    struct statistics_row out[STATISTICS_ROWS]);

/* The whole session in one line: "12 s, 340 pictures received, ..." */
void statistics_line(const struct statistics *s, char *out, size_t size);

/* What --verbose says of a session while it runs. Writes the line for `now`: "round trip 12 ms;
 * tight, copyrect; JPEG level 6, compression 2". Returns false when nothing worth a line has
 * changed since `said`, the figures of the line before (zeroed: there was none), or when there is
 * nothing to say yet. */
bool status_line(const struct session_stats *said, const struct session_stats *now, char *out,
                 size_t size);

#ifdef __cplusplus
}
#endif
#endif
