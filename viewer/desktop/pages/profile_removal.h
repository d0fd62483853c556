/* The question before a profile is deleted, over the start window, which comes back after it.
 *
 * UI thread. Value type; `ui` outlives it. The callbacks come from inside ui_event().
 */
#ifndef VNCHL_PROFILE_REMOVAL_H
#define VNCHL_PROFILE_REMOVAL_H

#include "rfb/texts/reason.h"
#include "viewer/ui/ui.h"

#ifdef __cplusplus
extern "C" {
#endif

struct profile_removal {
    struct ui *ui;
    /* False, with a reason: it is not deleted. */
    bool (*remove)(void *remover, const char *profile, struct reason *why);
    void *remover;
    /* The person has answered: the start window is to open where it was left. `warning` says why
     * the profile is still there; NULL: nothing went wrong. */
    void (*done)(void *user, const struct ui_choice *choice, const char *warning);
    void *user;

    /* while it asks: what the start window holds, with its texts */
    struct ui_choice choice;
    char address[4096], profile[300];
};

/* Asks about the profile of this choice, which is copied. */
void profile_removal_ask(struct profile_removal *r, const struct ui_choice *choice);

#ifdef __cplusplus
}
#endif
#endif
