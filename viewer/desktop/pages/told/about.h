/* The page about the connection: what was agreed with the server, and how it is reached.
 *
 * UI thread.
 */
#ifndef VNCHL_ABOUT_H
#define VNCHL_ABOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "rfb/net/route.h"
#include "rfb/session/session.h"
#include "viewer/ui/ui.h"

#ifdef __cplusplus
extern "C" {
#endif

struct about {
    struct session *session; /* which is up */
    const struct session_options *options;
    const char *name; /* the desktop's */
    bool expert;      /* what only an expert understands is told, too */
};

/* What protects the connection on this way; for experts with the security type's name. Pure. */
void about_security(const struct session_stats *s, const struct route *route, bool expert,
                    char *out, size_t size);

void about_show(struct ui *ui, const struct about *about);

#ifdef __cplusplus
}
#endif
#endif
