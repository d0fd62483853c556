/* What the user has chosen of a session's tuning: quality and period. It holds for the sessions
 * that follow, too, until another server is chosen.
 *
 * UI thread. Value type.
 */
#ifndef VNCHL_TUNED_H
#define VNCHL_TUNED_H

#include <stdbool.h>

#include "rfb/session/session.h"
#include "viewer/desktop/pages/menu/menu.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tuned {
    struct session_tuning tuning;
    bool chosen; /* it is other than the options' */
};

/* As the options have it. */
void tuned_reset(struct tuned *t, const struct session_options *options);

/* MENU_SET_QUALITY or MENU_SET_PRP. */
void tuned_choose(struct tuned *t, enum menu_action action, int value);

/* Tells a session that is up, if there is something to tell. NULL: none is. */
void tuned_tell(const struct tuned *t, struct session *live);

#ifdef __cplusplus
}
#endif
#endif
