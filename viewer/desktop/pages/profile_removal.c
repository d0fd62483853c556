#include "viewer/desktop/pages/profile_removal.h"

#include <limits.h>
#include <stdio.h>

#include "viewer/desktop/pages/told/error_page.h"
#include "viewer/options/form/profile_file.h"

static void profile_removal_end(struct profile_removal *r, const struct reason *why)
{
    char warning[ERROR_PAGE_WHY_MAX];

    error_page_sentence(why ? why->text : "", warning, sizeof warning);
    r->done(r->user, &r->choice, why ? warning : NULL);
}

static void profile_removal_answered(void *owner, enum ui_answer answer, const char *user,
                                     const char *password)
{
    struct profile_removal *r = owner;
    struct reason why;

    (void)user;
    (void)password;
    if (answer == UI_CANCELLED || r->remove(r->remover, r->profile, &why))
        profile_removal_end(r, NULL);
    else
        profile_removal_end(r, &why);
}

void profile_removal_ask(struct profile_removal *r, const struct ui_choice *choice)
{
    char title[sizeof r->profile + 32], text[PATH_MAX + 40], path[PATH_MAX];
    struct ui_dialog dialog = {.title = title,
                               .text = text,
                               .accept = "Delete",
                               .cancel = "Cancel",
                               .cancel_by_default = true,
                               .answered = profile_removal_answered,
                               .owner = r};
    struct reason why;

    snprintf(r->address, sizeof r->address, "%s", choice->address);
    snprintf(r->profile, sizeof r->profile, "%s", choice->profile);
    r->choice = *choice;
    r->choice.address = r->address;
    r->choice.profile = NULL;
    if (!profile_path(r->profile, path, &why)) {
        profile_removal_end(r, &why);
        return;
    }
    snprintf(title, sizeof title, "Delete the profile \"%s\"?", r->profile);
    snprintf(text, sizeof text, "This deletes the file %s.", path);
    sanitise(text);
    ui_ask(r->ui, &dialog);
}
