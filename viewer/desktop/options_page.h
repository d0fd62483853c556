/* The form of options (option_form.h) as a page: opened from the start window, or from the menu
 * of a session; that of a profile also has the profile's server. Checks what is typed there, saves
 * it as a profile, and says when it counts: what a session can change counts at once, all else for
 * the next connection.
 *
 * UI thread. Value type; what it points to outlives it. The callbacks come from inside ui_event().
 */
#ifndef VNCHL_OPTIONS_PAGE_H
#define VNCHL_OPTIONS_PAGE_H

#include <stdbool.h>

#include "viewer/desktop/connection/connection.h"
#include "viewer/desktop/front.h"
#include "viewer/desktop/pages/dialogs.h"
#include "viewer/ui/ui_form.h"

#ifdef __cplusplus
extern "C" {
#endif

struct options_page {
    struct ui *ui;
    struct front *front;
    struct connection *connection;
    struct dialogs *dialogs; /* which show the start window again */
    const struct form_source *source;
    void (*connect_again)(void *user); /* the session, with what was said */
    void *user;

    bool pending; /* something is said that the session does not have yet */
    bool noted;   /* the start window knows which options count there */

    /* while it is open: */
    bool in_session;
    struct ui_choice choice; /* of the start window; with a profile: the form is about that one */
    char address[4096];      /* its address; else that of the session */
    char profile[300];       /* its profile, or that of the session; empty: none */
    char server[UI_FORM_VALUE_MAX];        /* of the form of a profile: its server, */
    char server_before[UI_FORM_VALUE_MAX]; /* and the one in its file */
    int first;                             /* fields before those of the options */
    struct option_form form;
    struct option_form shown;   /* the form before it was changed */
    int order[FORM_FIELDS_MAX]; /* which field of the form stands where, behind those */
    char name[UI_FORM_VALUE_MAX];
    bool may_replace; /* the profile of this name, which the person was told of */
    bool interrupted; /* by another page: it comes back with the connection */
};

/* Opens it over the start window. `choice` is copied. With a profile it is the form of that one:
 * the address in the start window is only kept for later. */
void options_page_start(struct options_page *p, const struct ui_choice *choice);

/* Opens it over a session. */
void options_page_session(struct options_page *p);

/* The connection is in this state now. Opens the form again that another page interrupted, when a
 * session is up; without a connection it is forgotten. */
void options_page_follow(struct options_page *p, enum connection_state state);

/* Ends the session that does not have what was said, and puts that into the options of the next
 * one. False: nothing is new, or it cannot be, which is told. */
bool options_page_renew(struct options_page *p, const struct session_options **session,
                        const struct app_options **ui);

/* The start window opens: it is to show what counts there, also where nothing was said. */
void options_page_tell(struct options_page *p);

/* What was said counts no more. */
void options_page_forget(struct options_page *p);

#ifdef __cplusplus
}
#endif
#endif
