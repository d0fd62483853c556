/* The user's profiles, for a choice: the files NAME.conf in $XDG_CONFIG_HOME/vnchl, but for
 * defaults.conf. What they ask for is read when one is chosen (options_choose()).
 *
 * Any thread. A value type.
 */
#ifndef VNCHL_PROFILES_H
#define VNCHL_PROFILES_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PROFILES_MAX 24 /* more are not shown */

struct profile_entry {
    char name[64];    /* as --profile takes it; one that is longer is not listed */
    char server[300]; /* that it names; may be empty */
    bool straight;    /* it names no way to the server */
};

struct profiles {
    struct profile_entry profiles[PROFILES_MAX]; /* by name */
    int count;
};

/* An empty list when there are none. A file that cannot be read is listed without a server: who
 * chooses it is told what is wrong with it. */
void profiles_load(struct profiles *p);

#ifdef __cplusplus
}
#endif
#endif
