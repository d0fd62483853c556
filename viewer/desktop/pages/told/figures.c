#include "viewer/desktop/pages/told/figures.h"

#include "rfb/system/log.h"

_Static_assert((int)STATISTICS_SECONDS == (int)UI_GRAPH_MAX, "a minute fits the graph");

void figures_init(struct figures *f, struct ui *ui)
{
    *f = (struct figures){.ui = ui};
}

static void figures_update(const struct figures *f)
{
    if (!f->counts)
        return;

    const struct statistics *s = &f->statistics;
    struct statistics_row rows[STATISTICS_ROWS];
    struct ui_fact facts[STATISTICS_ROWS];
    struct ui_figures figures = {
        .corner = f->corner,
        .rows = facts,
        .count = statistics_rows(s, f->expert, rows),
        .graphs = {{"Pictures a second, last minute", s->frames, s->count},
                   {f->expert ? "Response delay, ms, last minute"
                              : "A key is seen after, ms, last minute",
                    s->responses, s->count}},
    };

    for (int i = 0; i < figures.count; i++)
        facts[i] = (struct ui_fact){rows[i].name, rows[i].value};
    ui_show_figures(f->ui, &figures);
}

void figures_show(struct figures *f, bool on)
{
    f->shown = on;
    f->corner = UI_TOP_RIGHT;
    if (on)
        figures_update(f);
    else
        ui_show_figures(f->ui, NULL);
}

void figures_move(struct figures *f)
{
    if (!f->shown || f->corner == UI_BOTTOM_RIGHT) {
        figures_show(f, !f->shown);
        return;
    }
    f->corner++;
    figures_update(f);
}

void figures_begin(struct figures *f)
{
    const bool first = !f->counts;

    statistics_begin(&f->statistics);
    f->drawn_before = f->drawn;
    f->counts = true;
    if (first && f->shown)
        figures_update(f);
}

void figures_leave(struct figures *f)
{
    f->counts = false;
    ui_show_figures(f->ui, NULL);
}

void figures_drew(struct figures *f, tick_t begun, tick_t ended)
{
    f->drawn.pictures++;
    f->drawn.seconds += tick_to_s(ended - begun);
    displayed_picture(&f->displayed, begun, ended);
}

void figures_second(struct figures *f, const struct session_stats *stats, const char *slow_because,
                    bool last)
{
    const struct drawn drawn = {f->drawn.pictures - f->drawn_before.pictures,
                                f->drawn.seconds - f->drawn_before.seconds};
    struct session_stats now = *stats;
    char line[400];

    displayed_add(&f->displayed, &now);
    statistics_second(&f->statistics, &now, &drawn);
    f->statistics.slow_because = slow_because;
    f->statistics.sound_fails = f->sound_fails;
    if (last && f->expert) {
        statistics_line(&f->statistics, line, sizeof line);
        log_debug("%s", line);
    }
    if (!last && f->shown)
        figures_update(f);
}
