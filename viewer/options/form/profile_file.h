/* Writes a connection as a profile: the file NAME.conf, which --profile NAME reads and the start
 * window lists. There is no secret in it: what holds one (a password file, a keyring) is only
 * named.
 *
 * What was typed, chosen and said in a form is written, and what the profile says that it was begun
 * with. Left out are the defaults, which count anyway, and what is about the program or one run of
 * it (--theme, --log). Only the user can read the file.
 */
#ifndef VNCHL_PROFILE_FILE_H
#define VNCHL_PROFILE_FILE_H

#include <limits.h>

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
};

enum profile_saved {
    PROFILE_SAVED,
    PROFILE_THERE, /* a file has the name already, and was left alone */
    PROFILE_FAILED,
};

/* `replace`: a file of this name is no reason to leave it. `path` gets its name. With a reason
 * where it is not saved. */
enum profile_saved profile_save(const char *name, const struct profile_source *from, bool replace,
                                char path[PATH_MAX], struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
