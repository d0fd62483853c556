/* What the start window lists: the user's profiles, and the servers that were shown last.
 *
 * UI thread. Owns what was read; `servers` and `profiles` point into it, so it may not be moved.
 */
#ifndef VNCHL_START_LIST_H
#define VNCHL_START_LIST_H

#include <stdbool.h>

#include "viewer/options/files/profiles.h"
#include "viewer/options/way.h"
#include "viewer/servers/recent.h"
#include "viewer/ui/ui.h"

#ifdef __cplusplus
extern "C" {
#endif

#define START_LIST_CALLED_MAX (RECENT_ADDRESS_MAX + WAY_WORDS_MAX)

struct start_list {
    struct ui_server servers[RECENT_MAX];
    struct ui_profile profiles[PROFILES_MAX];
    int count, profile_count;
    struct recent recent;
    struct profiles own;
    char called[RECENT_MAX][START_LIST_CALLED_MAX];
};

/* `recent`: with the servers that were shown last, and their pictures. */
void start_list_load(struct start_list *l, bool recent);
void start_list_deinit(struct start_list *l);

/* Forgets a server that was shown, and all its pictures. */
void start_list_forget(const char *address, const char *way);

#ifdef __cplusplus
}
#endif
#endif
