/* The statistics above the picture, and the picture of the server's screen in a file. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rfb/clock.h"
#include "rfb/log.h"
#include "viewer/desktop/app_state.h"
#include "viewer/screenshot.h"

/* ---- statistics ---- */

_Static_assert((int)STATISTICS_SECONDS == (int)UI_GRAPH_MAX, "a minute fits the graph");

static void show(struct app *a)
{
    const struct statistics *s = &a->figures.statistics;
    struct statistics_row rows[STATISTICS_ROWS];
    struct ui_fact facts[STATISTICS_ROWS];
    struct ui_figures figures = {
        .corner = a->figures.corner,
        .rows = facts,
        .count = statistics_rows(s, a->ui->verbose, rows),
        .graphs = {{"Pictures a second, last minute", s->frames, s->count},
                   {a->ui->verbose ? "Response delay, ms, last minute"
                                   : "A key is seen after, ms, last minute",
                    s->responses, s->count}},
    };

    for (int i = 0; i < figures.count; i++)
        facts[i] = (struct ui_fact){rows[i].name, rows[i].value};
    ui_show_figures(a->pages, &figures);
}

void app_show_figures(struct app *a, bool on)
{
    a->figures.shown = on;
    a->figures.corner = UI_TOP_RIGHT;
    if (on)
        show(a);
    else
        ui_show_figures(a->pages, NULL);
}

void app_move_figures(struct app *a)
{
    if (!a->figures.shown || a->figures.corner == UI_BOTTOM_RIGHT) {
        app_show_figures(a, !a->figures.shown);
        return;
    }
    a->figures.corner++;
    show(a);
}

void app_begin_figures(struct app *a)
{
    statistics_begin(&a->figures.statistics);
    a->figures.drawn_before = a->figures.drawn;
}

void app_count_figures(struct app *a, struct session *s, bool last)
{
    const struct drawn drawn = {a->figures.drawn.pictures - a->figures.drawn_before.pictures,
                                a->figures.drawn.seconds - a->figures.drawn_before.seconds};
    struct connection_status status;
    struct session_stats stats;
    char line[400];

    session_stats(s, false, &stats);
    statistics_second(&a->figures.statistics, &stats, &drawn);
    connection_status(a->connection, tick_now(), &status);
    a->figures.statistics.slow_because = notice_cause(status.slow);
    if (last && a->ui->verbose) {
        statistics_line(&a->figures.statistics, line, sizeof line);
        log_debug("%s", line);
    }
    if (!last && a->figures.shown)
        show(a);
}

bool app_draw(struct app *a, struct reason *why)
{
    uint64_t before = screen_pictures(a->screen);
    tick_t begun = tick_now();
    bool ok = screen_draw(a->screen, connection_picture(a->connection), why);

    if (screen_pictures(a->screen) > before) {
        a->figures.drawn.pictures++;
        a->figures.drawn.seconds += tick_to_s(tick_now() - begun);
    }
    return ok;
}

/* ---- screenshot ---- */

/* A copy of the picture; the caller frees it. NULL: there is none. */
static uint32_t *copied(struct framebuffer_reader *picture, int *width, int *height)
{
    struct framebuffer_view view;
    uint32_t *pixels = NULL;
    size_t size;

    if (!picture || !framebuffer_lock(picture, &view, false))
        return NULL;
    size = (size_t)view.width * (size_t)view.height * sizeof *pixels;
    pixels = size > 0 ? malloc(size) : NULL;
    if (pixels)
        memcpy(pixels, view.pixels, size);
    *width = view.width;
    *height = view.height;
    framebuffer_unlock(picture);
    return pixels;
}

static bool save(struct app *a, char path[PATH_MAX], struct reason *why)
{
    char folder[PATH_MAX], name[SCREENSHOT_NAME_MAX];
    int width, height;
    uint32_t *pixels;
    struct tm when;
    time_t now = time(NULL);
    bool ok;

    if (!screenshot_folder(folder, why))
        return false;
    pixels = copied(connection_picture(a->connection), &width, &height);
    if (!pixels)
        return reason_set(why, "there is no picture to save yet");
    screenshot_name(a->told.name, localtime_r(&now, &when), name);
    ok = screenshot_save(folder, name, pixels, width, height, path, why);
    free(pixels);
    return ok;
}

void app_take_screenshot(struct app *a)
{
    char path[PATH_MAX], text[PATH_MAX + 32];
    struct reason why;

    if (save(a, path, &why))
        snprintf(text, sizeof text, "picture saved as %s", path);
    else
        snprintf(text, sizeof text, "%s", why.text);
    sanitise(text); /* a folder may have any name */
    app_tell_user(a, text);
}
