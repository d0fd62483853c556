#include "viewer/desktop/dialogs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rfb/fingerprint.h"
#include "rfb/log.h"
#include "viewer/options/profiles.h"
#include "viewer/recent.h"

#define SERVER_MAX 320 /* bytes that hold every address_format(), with the NUL */

struct dialogs {
    struct ui *ui;
    struct dialogs_callbacks callbacks;
    char server[SERVER_MAX];
    bool listens;                   /* the server is to come to us */
    bool straight;                  /* its address says all that is needed to reach it */
    bool plays;                     /* a recording takes the place of a server */
    bool recent;                    /* the start window shows what was there before */
    bool asking;                    /* a question of the session is open */
    struct prompt_options question; /* while asking */
    struct asker asker;
};

struct dialogs *dialogs_create(struct ui *ui, const struct dialogs_callbacks *callbacks)
{
    struct dialogs *d = calloc(1, sizeof *d);

    if (d) {
        d->ui = ui;
        d->callbacks = *callbacks;
    }
    return d;
}

void dialogs_destroy(struct dialogs *d)
{
    free(d);
}

void dialogs_set_server(struct dialogs *d, const struct address *a, const struct route *route)
{
    d->listens = route->listen;
    d->straight =
        !route->listen && !*route->gateway.host && !*route->repeater.host && !*route->play;
    d->plays = *route->play;
    if (d->plays)
        snprintf(d->server, sizeof d->server, "%.*s", (int)sizeof d->server - 1, route->play);
    else if (d->listens)
        snprintf(d->server, sizeof d->server, "port %u", (unsigned)a->port);
    else
        address_format(a, d->server, sizeof d->server);
    sanitise(d->server);
}

/* ---- the start window ---- */

static void show_start(struct dialogs *d, const struct ui_choice *first, const char *warning);

static void chosen(void *owner, const struct ui_choice *choice)
{
    struct dialogs *d = owner;
    struct reason why;

    if (!choice)
        d->callbacks.leave(d->callbacks.user);
    else if (!d->callbacks.connect(d->callbacks.user, choice, &why))
        show_start(d, choice, why.text);
}

static void forget(void *owner, const char *address)
{
    struct reason why;

    (void)owner;
    if (!recent_forget(address, &why))
        log_line("the server is not forgotten: %s", why.text);
}

static int servers_of(const struct recent *list, struct ui_server out[RECENT_MAX])
{
    for (int i = 0; i < list->count; i++) {
        const struct recent_server *from = &list->servers[i];

        out[i] =
            (struct ui_server){from->address, from->name, from->pixels, from->width, from->height};
    }
    return list->count;
}

static int profiles_of(const struct profiles *list, struct ui_profile out[PROFILES_MAX])
{
    for (int i = 0; i < list->count; i++)
        out[i] = (struct ui_profile){list->profiles[i].name,
                                     *list->profiles[i].server ? list->profiles[i].server : NULL};
    return list->count;
}

static void show_start(struct dialogs *d, const struct ui_choice *first, const char *warning)
{
    struct ui_server servers[RECENT_MAX];
    struct ui_profile profiles[PROFILES_MAX];
    struct ui_start start = {.first = *first,
                             .warning = warning,
                             .servers = servers,
                             .profiles = profiles,
                             .chosen = chosen,
                             .forget = forget,
                             .owner = d};
    struct recent recent = {0};
    struct profiles own;

    if (d->recent)
        recent_load(&recent, true);
    profiles_load(&own);
    start.count = servers_of(&recent, servers);
    start.profile_count = profiles_of(&own, profiles);
    ui_show_start(d->ui, &start);
    recent_deinit(&recent);
}

void dialogs_start(struct dialogs *d, const struct ui_choice *first, bool recent)
{
    struct ui_choice choice = *first;

    choice.address = d->server;
    d->recent = recent;
    show_start(d, &choice, NULL);
}

void dialogs_remember(struct dialogs *d, const char *name, struct framebuffer_reader *picture)
{
    struct framebuffer_view view;
    struct reason why;
    bool ok = true;

    if (!d->straight || !framebuffer_lock(picture, &view, false))
        return;
    if (view.width > 0 && view.height > 0)
        ok = recent_remember(d->server, name, view.pixels, view.width, view.height, &why);
    framebuffer_unlock(picture);
    if (!ok)
        log_debug("the server is not remembered: %s", why.text);
}

/* ---- the state ---- */

static void connecting_answered(void *owner, enum ui_answer answer, const char *user,
                                const char *password)
{
    struct dialogs *d = owner;

    (void)answer; /* there is only one */
    (void)user;
    (void)password;
    d->callbacks.leave(d->callbacks.user);
}

static void show_connecting(struct dialogs *d)
{
    char title[SERVER_MAX + 32];
    struct ui_dialog dialog = {
        .title = title, .cancel = "Cancel", .answered = connecting_answered, .owner = d};

    snprintf(title, sizeof title,
             d->listens ? "Waiting for a server on %s..." : "Connecting to %s...", d->server);
    ui_ask(d->ui, &dialog);
}

/* What a person reads first, and what there is to do. */
struct advice {
    const char *title; /* %s is the server */
    const char *next;
};

static const struct advice advices[FAILURES] = {
    [FAILURE_NONE] = {"The connection to %s has ended", ""},
    [FAILURE_LOST] = {"No connection to %s",
                      "Check the address, the network, and that the server runs. Then try again."},
    [FAILURE_REFUSED] = {"%s accepts no connection now", "Try again later."},
    [FAILURE_AUTHENTICATION] = {"%s does not let you in", "Check user name and password."},
    [FAILURE_TRUST] = {"It is not certain that this is %s",
                       "Ask whoever looks after the server. Nothing secret was sent."},
    [FAILURE_PROTOCOL] = {"%s cannot be understood",
                          "Is this the address of a VNC server? If it is, its settings may help."},
};

/* Whatever goes wrong with a recording. */
static const struct advice play_advice = {
    "%s cannot be played",
    "Is the file whole? It has to be one that --record has written, with a picture in it."};

static void error_answered(void *owner, enum ui_answer answer, const char *user,
                           const char *password)
{
    struct dialogs *d = owner;

    (void)user;
    (void)password;
    if (answer == UI_ACCEPTED)
        d->callbacks.retry(d->callbacks.user);
    else
        d->callbacks.leave(d->callbacks.user);
}

static void show_error(struct dialogs *d, const struct connection_status *status)
{
    const struct advice *a = d->plays ? &play_advice : &advices[status->failure];
    char title[SERVER_MAX + 64];
    struct ui_dialog dialog = {.title = title,
                               .warning = status->why.text,
                               .text = a->next,
                               .accept = "Retry",
                               .cancel = "Close",
                               .answered = error_answered,
                               .owner = d};

    snprintf(title, sizeof title, a->title, d->server);
    ui_ask(d->ui, &dialog);
}

void dialogs_follow(struct dialogs *d, const struct connection_status *status)
{
    switch (status->state) {
    case CONNECTION_CONNECTING:
        if (status->again)
            ui_close(d->ui); /* a notice above the last picture tells */
        else
            show_connecting(d);
        break;
    case CONNECTION_FAILED:
        show_error(d, status);
        break;
    case CONNECTION_IDLE:
    case CONNECTION_UP:
    case CONNECTION_WAITING:
        ui_close(d->ui);
        break;
    }
}

/* ---- questions ---- */

static char *copied(const char *text)
{
    return text ? strdup(text) : NULL;
}

static void question_answered(void *owner, enum ui_answer answer, const char *user,
                              const char *password)
{
    struct dialogs *d = owner;
    struct prompt_options q = d->question;

    d->asking = false;
    if (answer == UI_CANCELLED) {
        d->callbacks.leave(d->callbacks.user);
        return;
    }
    show_connecting(d);
    if (q.question)
        q.decided(q.owner, true);
    else
        q.done(q.owner, copied(user), copied(password));
}

static void ask_trust(struct dialogs *d, const struct session_question *q)
{
    char title[SERVER_MAX + 32], code[FINGERPRINT_TEXT];
    struct ui_dialog dialog = {
        .title = title,
        .warning = q->faults,
        .text = "Nobody this machine trusts vouches for the server. Compare this SHA-256 "
                "fingerprint with what the server's owner tells you. Whoever accepts a wrong one "
                "shows the screen, the keys and the password to somebody else.",
        .code = code,
        .accept = "Accept and remember",
        .cancel = "Refuse",
        .cancel_by_default = true,
        .answered = question_answered,
        .owner = d,
    };

    snprintf(title, sizeof title, "Is this really %s?", *q->host ? q->host : d->server);
    fingerprint_text(q->sha256, code);
    ui_ask(d->ui, &dialog);
}

static void ask_credentials(struct dialogs *d, const struct asker_question *q)
{
    char title[SERVER_MAX + 32];
    struct ui_dialog dialog = {
        .title = title,
        .warning = q->refused,
        .text = q->prompt.notice,
        .ask_user = q->prompt.user,
        .ask_password = q->prompt.password,
        .user = q->user,
        .accept = "Log in",
        .cancel = "Cancel",
        .answered = question_answered,
        .owner = d,
    };

    snprintf(title, sizeof title, q->prompt.user ? "Log in to %s" : "Password for %s", d->server);
    ui_ask(d->ui, &dialog);
}

static void ask(void *user, const struct asker_question *q)
{
    struct dialogs *d = user;

    d->asking = true;
    d->question = q->prompt;
    if (q->session->kind == QUESTION_TRUST)
        ask_trust(d, q->session);
    else
        ask_credentials(d, q);
}

static void cancel(void *user)
{
    struct dialogs *d = user;

    if (d->asking)
        ui_close(d->ui);
    d->asking = false;
}

const struct asker *dialogs_asker(struct dialogs *d)
{
    d->asker = (struct asker){ask, cancel, d};
    return &d->asker;
}
