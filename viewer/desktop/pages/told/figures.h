/* The statistics of a session (viewer/statistics.h), above the picture while they are shown.
 *
 * UI thread. Value type; `ui` outlives it.
 */
#ifndef VNCHL_FIGURES_H
#define VNCHL_FIGURES_H

#include <stdbool.h>

#include "prerequest/tick.h"
#include "viewer/desktop/display/displayed.h"
#include "viewer/statistics.h"
#include "viewer/ui/ui.h"

#ifdef __cplusplus
extern "C" {
#endif

struct figures {
    struct ui *ui;
    bool expert; /* in an expert's words; and the whole session is told at its end */
    bool shown;  /* as the user wants it; */
    bool counts; /* but only since a session has begun, until its server is left */
    enum ui_corner corner;
    struct statistics statistics;
    struct drawn drawn, drawn_before; /* by the window; before the session began */
    struct displayed displayed;
    bool sound_fails; /* this computer cannot play sound. The owner of this sets it */
};

void figures_init(struct figures *f, struct ui *ui);

void figures_show(struct figures *f, bool on);

/* Shown: in the next corner. After the last one they are hidden. */
void figures_move(struct figures *f);

/* A session begins to be counted. */
void figures_begin(struct figures *f);

/* The user has left the server: there is nothing to show until a session begins. */
void figures_leave(struct figures *f);

/* The window began to draw a picture then, and then it was on the display. */
void figures_drew(struct figures *f, tick_t begun, tick_t ended);

/* A second has passed in a session that is up; `last`: it ends. `slow_because`: notice_cause(). */
void figures_second(struct figures *f, const struct session_stats *stats, const char *slow_because,
                    bool last);

#ifdef __cplusplus
}
#endif
#endif
