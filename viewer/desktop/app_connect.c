/* How the window comes to its connection, and how the session wakes the window. */
#include "rfb/clock.h"
#include "viewer/desktop/app_state.h"
#include "viewer/desktop/display.h"

void app_wake(void *user)
{
    struct app *a = user;
    if (!SDL_AtomicCAS(&a->wake_pending, 0, 1) || !SDL_AtomicGet(&a->wakes))
        return;
    SDL_Event e = {.user = {.type = a->wake_event}};
    if (SDL_PushEvent(&e) < 0)
        SDL_AtomicSet(&a->wake_pending, 0);
}

static void name_server(struct app *a)
{
    dialogs_set_server(a->dialogs, &a->options->address, &a->options->route);
}

void app_start(struct app *a)
{
    a->told.slow = (struct slow_news){.telling = SLOW_NOT};
    a->told.scaled = false;
    name_server(a);
    connection_start(a->connection, a->options); /* what fails is told by a callback */
}

void app_disconnect(struct app *a)
{
    connection_stop(a->connection);
    app_show_start(a);
}

bool app_connect_early(struct app *a)
{
    struct connection_callbacks callbacks = {.wake = app_wake};

    app_connection_callbacks(a, &callbacks);
    a->connection = connection_create(&callbacks, a->ui->reconnect);
    if (a->connection && !a->ui->start && display_named())
        connection_start(a->connection, a->options);
    return a->connection;
}

/* From now on the session's wake-ups come as events. There may have been some already. */
static void begin_to_wake(struct app *a)
{
    a->wake_event = SDL_RegisterEvents(1);
    SDL_AtomicSet(&a->wakes, 1);
    SDL_AtomicSet(&a->wake_pending, 0);
    app_wake(a);
}

void app_begin_connection(struct app *a)
{
    struct connection_status status;

    begin_to_wake(a);
    connection_status(a->connection, tick_now(), &status);
    if (a->ui->start) {
        app_show_start(a);
    } else if (status.state == CONNECTION_IDLE) {
        app_start(a);
    } else {
        name_server(a);
        app_follow_connection(a);
    }
}
