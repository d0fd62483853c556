/* What a user is told once. */
#ifndef VNCHL_FIRST_USE_H
#define VNCHL_FIRST_USE_H

#include <stdbool.h>

/* Whether this is the first time that `what` (the name of an empty file in $XDG_STATE_HOME/vnchl)
 * happens to the user. Where that cannot be kept in mind, it is not. */
bool first_use(const char *what);

#endif
