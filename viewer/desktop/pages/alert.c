#include "viewer/desktop/pages/alert.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <SDL.h>

#include "viewer/desktop/display/screen.h"
#include "viewer/desktop/display/window/display.h"
#include "viewer/desktop/input/sound_output.h"
#include "viewer/desktop/input/wake.h"
#include "viewer/desktop/pages/settings_portal.h"
#include "viewer/ui/ui.h"

static bool alert_is_set(const char *name)
{
    const char *value = getenv(name);

    return value && *value;
}

bool alert_is_unread(int in, int out, int err)
{
    struct stat o, e;

    if (isatty(in) || isatty(out) || isatty(err) || fstat(out, &o) != 0 || fstat(err, &e) != 0 ||
        S_ISFIFO(o.st_mode) || S_ISFIFO(e.st_mode))
        return false;
    return S_ISSOCK(e.st_mode) || (o.st_dev == e.st_dev && o.st_ino == e.st_ino);
}

bool alert_is_needed(void)
{
    return (alert_is_set("DISPLAY") || alert_is_set("WAYLAND_DISPLAY")) &&
           alert_is_unread(STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO);
}

static void alert_answered(void *owner, enum ui_answer answer, const char *user,
                           const char *password)
{
    bool *closed = owner;

    (void)answer;
    (void)user;
    (void)password;
    *closed = true;
}

static void alert_loop(struct ui *ui, struct screen *screen, struct settings_portal *portal,
                       const bool *closed)
{
    struct reason why;
    bool ended = false;
    SDL_Event e;

    while (!*closed && !ended && screen_draw(screen, NULL, &why)) {
        if (!SDL_WaitEvent(&e))
            break;
        screen_event(screen, &e);
        ui_event(ui, &e);
        settings_portal_show(portal, ui); /* it wakes by an event */
        ended = e.type == SDL_QUIT;
    }
}

void alert_show(const char *text, enum ui_theme theme)
{
    bool closed = false;
    const struct ui_dialog dialog = {.title = "vnchl cannot start",
                                     .warning = text,
                                     .cancel = "Close vnchl",
                                     .answered = alert_answered,
                                     .owner = &closed};
    struct settings_portal *portal = NULL;
    struct screen *screen = NULL;
    struct wake wake = {0};
    struct reason why;
    struct ui *ui;

    if (!display_open("vnchl"))
        return;
    ui = ui_create(theme);
    if (ui)
        screen = screen_create(ui, true, false, &why);
    if (screen) {
        wake_begin(&wake);
        if (theme == UI_THEME_AUTO)
            portal = settings_portal_open(wake_up, &wake);
        ui_ask(ui, &dialog);
        alert_loop(ui, screen, portal, &closed);
    }
    settings_portal_close(portal);
    screen_destroy(screen);
    ui_destroy(ui);
    sound_output_quit(); /* SDL, unless a session before has left a thread in it */
}
