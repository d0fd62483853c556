/* What a person has chosen in the window: the connection, in the start window, and how it is to be,
 * in the form of options (options_page.h). It counts as if it had been typed on the command line,
 * behind all that was typed.
 *
 * UI thread. Value type; what it points to outlives it.
 */
#ifndef VNCHL_CHOSEN_H
#define VNCHL_CHOSEN_H

#include <stdbool.h>

#include "viewer/desktop/app_options.h"
#include "viewer/options/files/setting.h"
#include "viewer/options/form/option_form.h"
#include "viewer/options/options.h"
#include "viewer/options/way.h"
#include "viewer/ui/ui.h"

#ifdef __cplusplus
extern "C" {
#endif

struct chosen {
    const struct options *base; /* what the command line alone has said: */
    int argc;
    char **argv;

    /* of the session that is up, or was last: */
    struct chosen_start {
        bool made; /* in the start window; else the command line names the server */
        char address[4096], profile[300];
        bool has_profile, view_only, full_screen, shared, nearby;
        char way[WAY_TEXT_MAX]; /* with has_way: of a server of the list, whatever else is said */
        bool has_way;
    } start;
    struct options now; /* all zero before */
    bool has_now;

    struct option_form said;        /* in the form of options; all zero: nothing */
    char said_for[300];             /* the profile that it was said for; empty: for all */
    char server[SETTINGS_LINE_MAX]; /* of the profile that a form was filled for */
};

/* Frees what it keeps. Safe on one in which nothing was chosen. */
void chosen_deinit(struct chosen *c);

/* What counts for this choice, with what the form has said. NULL: for the same server again, which
 * is that of the command line as long as none was chosen. False, with a reason. *o is to be freed
 * with options_deinit() in both cases. */
bool chosen_read(const struct chosen *c, const struct ui_choice *choice, struct options *o,
                 struct reason *why);

/* This is the connection from now on, with what was read for it: `now` keeps that, and *o is not to
 * be freed any more. NULL: the same server again. */
void chosen_take(struct chosen *c, const struct ui_choice *choice, struct options *o);

/* The size of the picture: what was chosen in the menu for this server, where nothing is said. */
struct scale chosen_scale(const struct options *o);

/* What the form of options shows, and what becomes of what it says. `c` outlives it. */
struct form_source chosen_form_source(struct chosen *c);

#ifdef __cplusplus
}
#endif
#endif
