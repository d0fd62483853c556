/* Writes a connection as a profile: the file NAME.conf, which --profile NAME reads and the start
 * window lists. There is no secret in it: what holds one (a password file, a keyring) is only
 * named.
 *
 * All that the profile says is written that it was begun with, and what was typed, chosen and said
 * in a form. So another name makes a copy of that profile, which stays as it is. Of what was typed
 * is left out what is about the program or one run of it (--theme, --log). The defaults are left
 * out, which count anyway. Only the user can read the file. And deletes a profile.
 */
#ifndef VNCHL_PROFILE_FILE_H
#define VNCHL_PROFILE_FILE_H

#include <limits.h>

#include "viewer/options/files/setting.h"
#include "viewer/options/form/option_form.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where it comes from. */
struct profile_source {
    const struct options *base; /* what the command line alone has said: */
    int argc;
    char **argv;
    const char *server;                  /* as it was typed; NULL or empty: none is named */
    const struct options_choice *choice; /* of the start window; NULL: there was none */
    const struct option_form *form;      /* only what it says is taken */
    bool readdressed; /* `server` takes the place of the profile's, also where none is named */
};

enum profile_saved {
    PROFILE_SAVED,
    PROFILE_THERE,   /* a file has the name already, and was left alone */
    PROFILE_REFUSED, /* what it would say does not go together, or its server cannot be one */
    PROFILE_FAILED,
};

/* `replace`: a file of this name is no reason to leave it. `path` gets its name. With a reason
 * where it is not saved. */
enum profile_saved profile_save(const char *name, const struct profile_source *from, bool replace,
                                char path[PATH_MAX], struct reason *why);

/* The file of the profile of this name. False, with a reason: there can be none. */
bool profile_path(const char *name, char path[PATH_MAX], struct reason *why);

/* Deletes that file; of a link only the link. False, with a reason: it is not deleted. */
bool profile_delete(const char *name, struct reason *why);

/* Whether the profile of this name leads to a server of its own, which `server` gets as it stands
 * there. NULL: nobody wants to know. */
bool profile_names_server(const char *name, char server[SETTINGS_LINE_MAX]);

/* Whether the profile of this name has a line of this option. */
bool profile_says(const char *name, const struct option_entry *e);

#ifdef __cplusplus
}
#endif
#endif
