/* How the window is to be, and what it reports to: for one program (app.h), or for a choice in its
 * start window.
 */
#ifndef VNCHL_APP_OPTIONS_H
#define VNCHL_APP_OPTIONS_H

#include <stdbool.h>

#include "rfb/session/session.h"
#include "viewer/options/form/option_form.h"
#include "viewer/options/form/profile_file.h"
#include "viewer/options/menu_key.h"
#include "viewer/options/way.h"
#include "viewer/options/window_options.h"
#include "viewer/trust/credentials.h"
#include "viewer/ui/ui.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where the form of options (options_page.h) gets what it shows, and what becomes of what it says.
 *
 * A `choice` is what the start window holds while the form is open over it. NULL: the form belongs
 * to the session that is up, or was last. A choice with a profile is about that one alone; its
 * address is the server that this profile is to have, empty for none, and NULL for its own.
 */
struct form_source {
    /* What counts now, with what was said before. Returns the address of the server, of a profile
     * as its file has it; it may be empty. `profile` gets the name of the profile that it began
     * with; NULL: none. */
    const char *(*fill)(void *user, const struct ui_choice *choice, struct option_form *form,
                        const char **profile);
    /* What the form says counts for the next connection. False, with a reason: its options do not
     * go together. */
    bool (*use)(void *user, const struct ui_choice *choice, const struct option_form *form,
                struct reason *why);
    /* Saves the connection with what the form says, see profile_save(). */
    enum profile_saved (*save)(void *user, const struct ui_choice *choice,
                               const struct option_form *form, const char *name, bool replace,
                               char path[PATH_MAX], struct reason *why);
    void (*forget)(void *user); /* what was said counts no more */
    /* Deletes a profile, and what was said for it. False, with a reason: it is not deleted. */
    bool (*remove)(void *user, const char *profile, struct reason *why);
    /* The way that counts for an address that is typed in the start window (way.h). */
    void (*way)(void *user, char out[WAY_TEXT_MAX]);
    void *user;
};

struct app_options {
    bool view_only;   /* sends no keys, no pointer and no text; the menu can change it */
    unsigned primary; /* X11's primary selection, too: enum clipboard_way */
    bool reconnect;   /* a session that was lost is connected again */
    bool full_screen; /* with a server: the start window is an ordinary window */
    bool maximize;
    struct full_screen monitors; /* that full screen takes */
    struct window_place place;
    struct scale scale;
    bool remote_resize;                /* with SCALE_AUTO the server's screen follows the window */
    int desktop_width, desktop_height; /* that the server's screen is to have first; 0: its own */
    bool grab_keyboard;                /* from the start */
    bool dot_cursor;                   /* a dot where the server hides the pointer */
    bool vsync;                        /* show pictures in step with the screen */
    bool start;                        /* no server is named: a start window asks for one */
    bool recent;                       /* the start window knows what was shown before */
    bool keep_picture;                 /* and the last picture is kept, if `recent` */
    bool ask;                          /* questions are asked in the window, not on the terminal */
    bool alert;                        /* a failure is shown in the window until that is closed */
    enum ui_theme theme;
    const char *notice; /* what to tell the user at first; NULL: nothing */
    struct menu_key menu_key;
    bool statistics; /* shown from the start */
    bool verbose;    /* they are said at the end of a session */
    struct credentials *credentials;
    /* What another session and the window are to be like for this choice of the start window. NULL:
     * for the same server again, with what the form has said since. Both stay valid until it is
     * called again. False, with a reason: the choice leads to no server. */
    bool (*choose)(void *user, const struct ui_choice *choice,
                   const struct session_options **session, const struct app_options **ui,
                   struct reason *why);
    const struct form_source *form; /* of the form of options */
    /* Called about once a second while a session is up. Another session follows one that was lost.
     * The last session of all is told of a last time before it is destroyed (`last`). NULL: nobody
     * counts, so a window in which nothing happens can sleep for longer. */
    void (*tick)(void *user, struct session *s, bool last);
    void *user;
};

#ifdef __cplusplus
}
#endif
#endif
