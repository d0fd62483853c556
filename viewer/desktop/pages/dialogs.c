#include "viewer/desktop/pages/dialogs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rfb/net/address/candidates.h"
#include "rfb/net/route.h"
#include "rfb/system/clock.h"
#include "rfb/system/log.h"
#include "viewer/desktop/pages/profile_removal.h"
#include "viewer/desktop/pages/start_list.h"
#include "viewer/desktop/pages/told/connecting_page.h"
#include "viewer/desktop/pages/told/error_page.h"
#include "viewer/desktop/pages/told/listening.h"
#include "viewer/desktop/pages/told/told.h"
#include "viewer/desktop/pages/told/trust_page.h"
#include "viewer/options/way.h"
#include "viewer/servers/nearby.h"
#include "viewer/servers/recent.h"
#include "viewer/ui/ui_form.h"

/* Chosen: what is there for less only flickers. */
#define CONNECTING_AFTER (300 * TICK_MS)

#define SERVER_MAX CANDIDATES_TEXT

struct dialogs {
    struct ui *ui;
    struct dialogs_callbacks callbacks;
    struct profile_removal removal; /* of a profile of the start window */
    struct nearby *nearby;          /* while the start window is open; NULL: nobody looks */
    char field[SERVER_MAX];         /* its address as it is typed, or several; may be empty */
    char given[SERVER_MAX];         /* as people name it, with the way, or several */
    char server[SERVER_MAX];        /* the same, or the one of them that is connected to */
    char way[WAY_TEXT_MAX];         /* that leads to it */
    struct gateway gateway;         /* that leads to it */
    bool listens;                   /* the server is to come to us */
    char entered[LISTENING_MAX];    /* then: what is entered there, as a sentence; else empty */
    char came[SERVER_MAX];          /* then: who has come and has asked something; empty: nobody */
    bool several;                   /* there are several, and none has answered yet */
    bool announced;                 /* its address was announced, and not typed */
    bool typed;                     /* it has an address, which may be a mistake */
    bool again;                     /* address and way say all that is needed to reach it */
    bool starts;                    /* who leaves a server comes to the start window */
    bool recent;                    /* it shows what was there before */
    char said[DIALOGS_SAID_MAX];    /* it says of options; may be empty */
    char typed_way[WAY_TEXT_MAX];   /* of what is typed there */
    tick_t connecting_due;          /* TICK_NEVER: not */
    const char *waits_for;          /* while connecting: what keeps an answer back; NULL: nothing */
    bool asking;                    /* a question of the session is open */
    struct prompt_options question; /* while asking */
    struct trust_change change;     /* while its page is open */
    struct asker asker;
};

struct dialogs *dialogs_create(struct ui *ui, const struct dialogs_callbacks *callbacks)
{
    struct dialogs *d = calloc(1, sizeof *d);

    if (d) {
        d->ui = ui;
        d->callbacks = *callbacks;
        d->connecting_due = TICK_NEVER;
    }
    return d;
}

void dialogs_destroy(struct dialogs *d)
{
    if (d)
        nearby_end(d->nearby);
    free(d);
}

/* --ssh without an address: the user's own server there. */
static bool dialogs_is_own(const struct route *route, const struct address *a)
{
    return route->gateway.far_end && !*a->path && a->port == 0;
}

/* A server behind ssh is another one than that of the same address here. */
static void dialogs_name_way(struct dialogs *d, const struct gateway *g)
{
    const struct route way = {.gateway = *g};
    char words[WAY_WORDS_MAX];
    size_t used = strlen(d->server);

    way_words(&way, words);
    snprintf(d->server + used, sizeof d->server - used, "%s", words);
}

bool dialogs_set_server(struct dialogs *d, const struct session_options *o, struct session *s)
{
    const struct route *route = &o->route;
    const struct address *a = &o->address;
    struct address chosen;

    if (s && o->candidates.count == 0)
        return false;
    d->listens = route->listen;
    *d->entered = *d->came = '\0';
    d->several = o->candidates.count > 0;
    if (d->several && s && session_server(s, &chosen)) {
        d->several = false;
        a = &chosen;
    }
    d->typed = !route->listen && !*route->play;
    d->again = d->typed && !*route->repeater.host;
    way_text(route, d->way);
    if (*route->play)
        snprintf(d->server, sizeof d->server, "%.*s", (int)sizeof d->server - 1, route->play);
    else if (d->listens)
        listening_words(a, d->server, sizeof d->server, d->entered);
    else if (dialogs_is_own(route, a))
        *d->server = '\0';
    else if (d->several)
        candidates_format(&o->candidates, d->server, sizeof d->server);
    else
        address_format(a, d->server, sizeof d->server);
    sanitise(d->server);
    if (a != &chosen)
        memcpy(d->field, d->server, sizeof d->field);
    if (dialogs_is_own(route, a))
        snprintf(d->server, sizeof d->server, "%s", route->gateway.host);
    else
        dialogs_name_way(d, &route->gateway);
    if (a != &chosen)
        memcpy(d->given, d->server, sizeof d->given);
    d->gateway = route->gateway;
    return true;
}

const char *dialogs_server(const struct dialogs *d)
{
    return d->server;
}

/* ---- the start window ---- */

static void show_start(struct dialogs *d, const struct ui_choice *first, const char *warning);

/* The start window is closed. */
static void leave_start(struct dialogs *d)
{
    nearby_end(d->nearby);
    d->nearby = NULL;
}

static void show_nearby(struct dialogs *d)
{
    struct nearby_server found[NEARBY_MAX];
    struct ui_nearby shown[NEARBY_MAX];
    int count = d->nearby ? nearby_list(d->nearby, found) : 0;

    for (int i = 0; i < count; i++)
        shown[i] = (struct ui_nearby){found[i].name, found[i].address, found[i].accelerated};
    if (count > 0)
        ui_show_nearby(d->ui, shown, count);
}

static void dialogs_chosen(void *owner, const struct ui_choice *choice)
{
    char warning[ERROR_PAGE_WHY_MAX];
    struct dialogs *d = owner;
    struct ui_choice first;
    struct reason why;

    leave_start(d);
    d->announced = choice && choice->nearby;
    if (!choice) {
        d->callbacks.leave(d->callbacks.user);
    } else if (!d->callbacks.connect(d->callbacks.user, choice, &why)) {
        error_page_sentence(why.text, warning, sizeof warning);
        first = *choice;
        if (first.way && strcmp(first.way, d->typed_way) != 0) /* typed it would be another one */
            first.address = "";
        show_start(d, &first, warning);
    }
}

static void dialogs_on_options(void *owner, const struct ui_choice *choice)
{
    struct dialogs *d = owner;

    leave_start(d);
    d->callbacks.options(d->callbacks.user, choice);
}

static void dialogs_forget(void *owner, const char *address, const char *way)
{
    (void)owner;
    start_list_forget(address, way);
}

/* Back from the question. */
static void dialogs_removed(void *user, const struct ui_choice *choice, const char *warning)
{
    show_start(user, choice, warning);
}

static void dialogs_remove(void *owner, const struct ui_choice *choice)
{
    struct dialogs *d = owner;

    d->removal.ui = d->ui;
    d->removal.remove = d->callbacks.remove;
    d->removal.remover = d->callbacks.remover;
    d->removal.done = dialogs_removed;
    d->removal.user = d;
    profile_removal_ask(&d->removal, choice);
}

static void show_start(struct dialogs *d, const struct ui_choice *first, const char *warning)
{
    struct start_list list;
    struct ui_start start = {.first = *first,
                             .warning = warning,
                             .servers = list.servers,
                             .profiles = list.profiles,
                             .said = *d->said ? d->said : NULL,
                             .complete = way_value(d->typed_way, "ssh"),
                             .chosen = dialogs_chosen,
                             .options = dialogs_on_options,
                             .remove = dialogs_remove,
                             .forget = dialogs_forget,
                             .owner = d};

    start_list_load(&list, d->recent);
    start.count = list.count;
    start.profile_count = list.profile_count;
    ui_show_start(d->ui, &start);
    start_list_deinit(&list);
    if (!d->nearby)
        d->nearby = nearby_start(d->callbacks.wake, d->callbacks.user);
}

void dialogs_start(struct dialogs *d, const struct ui_choice *first, bool recent)
{
    const bool same_way = d->typed && strcmp(d->way, d->typed_way) == 0;
    struct ui_choice choice = *first;

    choice.address = same_way ? d->field : "";
    choice.nearby = same_way && d->announced;
    d->starts = true;
    d->recent = recent;
    show_start(d, &choice, NULL);
}

void dialogs_start_again(struct dialogs *d, const struct ui_choice *choice)
{
    show_start(d, choice, NULL);
}

void dialogs_set_said(struct dialogs *d, const char *said, const char *way)
{
    snprintf(d->said, sizeof d->said, "%s", said);
    snprintf(d->typed_way, sizeof d->typed_way, "%s", way);
}

void dialogs_remember(struct dialogs *d, struct session *s)
{
    struct framebuffer_reader *picture = session_framebuffer(s);
    struct session_stats stats;
    struct framebuffer_view view;
    struct address server;
    const struct route route = {.gateway = d->gateway};
    char address[320] = "";
    struct reason why;
    bool ok = true;

    session_stats(s, false, &stats);
    if (!d->again || !session_server(s, &server) || !framebuffer_lock(picture, &view, false))
        return;
    if (!dialogs_is_own(&route, &server))
        address_format(&server, address, sizeof address);
    if (view.width > 0 && view.height > 0)
        ok = recent_remember(address, d->way, stats.name, view.pixels, view.width, view.height,
                             &why);
    framebuffer_unlock(picture);
    if (!ok)
        log_debug("the server is not remembered: %s", why.text);
}

/* ---- the state ---- */

/* What is typed in a form of options stays: it belongs to no state. */
static void dialogs_close_page(struct dialogs *d)
{
    if (!ui_is_form(d->ui))
        ui_close(d->ui);
}

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
    const struct connecting c = {d->server, d->listens, d->entered, d->came, d->waits_for};
    struct connecting_page page;
    struct ui_dialog dialog = {.title = page.title,
                               .text = page.text,
                               .cancel = "Cancel",
                               .answered = connecting_answered,
                               .owner = d};

    connecting_page_make(&c, &page);
    ui_ask(d->ui, &dialog);
}

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

bool dialogs_lead_back(const struct dialogs *d)
{
    return d->starts || d->typed;
}

/* "Close" alone closes a page: that it closes the program is said. */
static const char *dialogs_leaving(const struct dialogs *d)
{
    return dialogs_lead_back(d) ? "Back" : "Close vnchl";
}

static void show_error(struct dialogs *d, const struct connection_status *status)
{
    struct error_page page;
    struct ui_dialog dialog = {.title = page.title,
                               .warning = page.why,
                               .text = page.next,
                               .cancel = dialogs_leaving(d),
                               .answered = error_answered,
                               .owner = d};

    error_page_make(status, d->server, &d->gateway, &page);
    dialog.below = page.steps;
    dialog.accept = page.retry ? "Try again" : NULL;
    dialog.cancel_by_default = page.risky;
    ui_ask(d->ui, &dialog);
}

/* ---- certificates ---- */

static void show_changed(struct dialogs *d, const struct trust_change *change, const char *warning);

static void changed_answered(void *owner, enum ui_answer answer, const char *user,
                             const char *password)
{
    char warning[ERROR_PAGE_WHY_MAX];
    struct dialogs *d = owner;
    struct trust_change change = d->change;
    struct reason why;

    (void)user;
    (void)password;
    if (answer == UI_CANCELLED) {
        d->callbacks.leave(d->callbacks.user);
    } else if (trust_forget(&change, &why)) {
        d->callbacks.retry(d->callbacks.user); /* which asks as for a server that is not known */
    } else {
        error_page_sentence(why.text, warning, sizeof warning);
        show_changed(d, &change, warning);
    }
}

/* The server that asks. With --listen, or of several, it is known only now. */
static const char *dialogs_asking(const struct dialogs *d, const char *host)
{
    return (d->listens || d->several) && *host ? host : d->server;
}

static void show_changed(struct dialogs *d, const struct trust_change *change, const char *warning)
{
    struct trust_page page;

    d->change = *change;
    trust_page_change(change, dialogs_asking(d, change->host), &page);
    page.dialog.warning = warning;
    page.dialog.cancel = dialogs_leaving(d);
    page.dialog.answered = changed_answered;
    page.dialog.owner = d;
    ui_ask(d->ui, &page.dialog);
}

tick_t dialogs_wait(const struct dialogs *d)
{
    return d->connecting_due;
}

void dialogs_time(struct dialogs *d, tick_t now)
{
    show_nearby(d);
    if (now < d->connecting_due)
        return;
    if (ui_is_form(d->ui)) { /* what is typed there stays in sight */
        d->connecting_due = now + CONNECTING_AFTER;
        return;
    }
    d->connecting_due = TICK_NEVER;
    show_connecting(d);
}

void dialogs_follow(struct dialogs *d, const struct connection_status *status,
                    const struct trust_change *change, tick_t now)
{
    d->connecting_due = TICK_NEVER;
    d->waits_for = NULL;
    switch (status->state) {
    case CONNECTION_CONNECTING:
        if (status->play.seeking) /* within a recording: the menu may stay */
            break;
        memcpy(d->server, d->given, sizeof d->server); /* which one it will be is not known yet */
        *d->came = '\0';
        dialogs_close_page(d);
        if (!status->again) /* otherwise a notice above the last picture tells */
            d->connecting_due = now + CONNECTING_AFTER;
        break;
    case CONNECTION_FAILED:
        if (status->failure == FAILURE_TRUST && change->there)
            show_changed(d, change, NULL);
        else
            show_error(d, status);
        break;
    case CONNECTION_UP:
        if (!status->plays || !status->again)
            dialogs_close_page(d);
        break;
    case CONNECTION_IDLE:
    case CONNECTION_WAITING:
        dialogs_close_page(d);
        break;
    }
}

void dialogs_connected_again(struct dialogs *d, bool another)
{
    char text[SERVER_MAX + 40];

    if (!another) {
        log_line("connected again");
        return;
    }
    snprintf(text, sizeof text, "Connected again. This is now %s.", d->server);
    told_say(d->ui, text);
}

/* ---- questions ---- */

static char *dialogs_copied(const char *text)
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
        q.decided(q.owner, answer == UI_ACCEPTED_ONCE ? DECISION_ONCE : DECISION_YES);
    else
        q.done(q.owner, dialogs_copied(user), dialogs_copied(password));
}

static void question_keep_chosen(void *owner, bool on)
{
    struct dialogs *d = owner;

    d->question.keep(d->question.owner, on);
}

static void ask_trust(struct dialogs *d, const struct session_question *q)
{
    struct trust_page page;

    trust_page_ask(q, dialogs_asking(d, q->host), &page);
    page.dialog.answered = question_answered;
    page.dialog.owner = d;
    ui_ask(d->ui, &page.dialog);
}

static void dialogs_ask_credentials(struct dialogs *d, const struct asker_question *q)
{
    char title[SERVER_MAX + 32], refused[ERROR_PAGE_WHY_MAX];
    struct ui_dialog dialog = {
        .title = title,
        .warning = refused,
        .text = q->prompt.notice,
        .ask_user = q->prompt.user,
        .ask_password = q->prompt.password,
        .user = q->user,
        .keep = q->prompt.keep ? "Remember it in the keyring" : NULL,
        .keeps = q->prompt.keeps,
        .keep_chosen = question_keep_chosen,
        .accept = "Log in",
        .cancel = "Cancel",
        .answered = question_answered,
        .owner = d,
    };

    error_page_sentence(q->refused ? q->refused : "", refused, sizeof refused);
    snprintf(title, sizeof title, q->prompt.user ? "Log in to %s" : "Password for %s",
             dialogs_asking(d, q->session->host));
    ui_ask(d->ui, &dialog);
}

/* Whether a password that is known may go. */
static void ask_to_send(struct dialogs *d, const struct asker_question *q)
{
    char title[SERVER_MAX + 32];
    struct ui_dialog dialog = {
        .title = title,
        .warning = q->prompt.notice,
        .text = "Send the password only if this is the server that it is for.",
        .accept = "Send it",
        .cancel = "Cancel",
        .cancel_by_default = true,
        .answered = question_answered,
        .owner = d,
    };

    snprintf(title, sizeof title, "Send the password to %s?", dialogs_asking(d, q->session->host));
    ui_ask(d->ui, &dialog);
}

static void dialogs_ask(void *user, const struct asker_question *q)
{
    struct dialogs *d = user;

    d->asking = true;
    d->waits_for = NULL;
    d->connecting_due = TICK_NEVER;
    if (d->listens)
        snprintf(d->came, sizeof d->came, "%s", dialogs_asking(d, q->session->host));
    d->question = q->prompt;
    if (q->session->kind == QUESTION_TRUST)
        ask_trust(d, q->session);
    else if (q->prompt.question)
        ask_to_send(d, q);
    else
        dialogs_ask_credentials(d, q);
}

/* Like the page that says that the server is being connected to, and in its place. */
static void dialogs_wait_for(void *user, const char *what)
{
    struct dialogs *d = user;

    d->waits_for = what;
    if (ui_is_open(d->ui) && !ui_is_form(d->ui))
        show_connecting(d);
    else if (what)
        d->connecting_due = tick_now() + CONNECTING_AFTER;
}

static void dialogs_cancel(void *user)
{
    struct dialogs *d = user;

    d->waits_for = NULL;
    if (d->asking)
        ui_close(d->ui);
    d->asking = false;
}

const struct asker *dialogs_asker(struct dialogs *d)
{
    d->asker = (struct asker){dialogs_ask, dialogs_wait_for, dialogs_cancel, d};
    return &d->asker;
}
