/* Where the form of options (options_page.h) gets what it shows, and what becomes of what it says.
 *
 * A `choice` is what the start window holds while the form is open over it. NULL: the form belongs
 * to the session that is up, or was last.
 */
#ifndef VNCHL_FORM_SOURCE_H
#define VNCHL_FORM_SOURCE_H

#include "viewer/options/form/option_form.h"
#include "viewer/options/form/profile_file.h"
#include "viewer/ui/ui.h"

#ifdef __cplusplus
extern "C" {
#endif

struct app_options;
struct session_options;

struct form_source {
    /* What counts now, with what was said before. Returns the address of the server; it may be
     * empty. */
    const char *(*fill)(void *user, const struct ui_choice *choice, struct option_form *form);
    /* What the form says counts for the next connection. False, with a reason: its options do not
     * go together. */
    bool (*use)(void *user, const struct ui_choice *choice, const struct option_form *form,
                struct reason *why);
    /* Saves the connection with what the form says, see profile_save(). */
    enum profile_saved (*save)(void *user, const struct ui_choice *choice,
                               const struct option_form *form, const char *name, bool replace,
                               char path[PATH_MAX], struct reason *why);
    /* The same server again, with what was said since: as app_options.choose(). */
    bool (*again)(void *user, const struct session_options **session, const struct app_options **ui,
                  struct reason *why);
    void (*forget)(void *user); /* what was said counts no more */
    void *user;
};

#ifdef __cplusplus
}
#endif
#endif
