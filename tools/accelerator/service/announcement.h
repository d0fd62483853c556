/* Ports that are announced in this network by DNS-SD (rfb/net/dns_sd.h), through Avahi's daemon,
 * where the configuration says so. The TXT record says that they are an accelerator's: the viewer
 * shows that.
 *
 * A thread of its own speaks with the daemon, which may be slow, absent, or be started again: the
 * loop does not wait for it. A name that somebody else has already gets a number behind it.
 */
#ifndef VNCHL_ACCELERATOR_ANNOUNCEMENT_H
#define VNCHL_ACCELERATOR_ANNOUNCEMENT_H

#include <stdbool.h>

#include "rfb/reason.h"
#include "tools/accelerator/service/config.h"

#ifdef __cplusplus
extern "C" {
#endif

struct announcement;

/* Whether this program is built with Avahi's client library. */
bool announcement_built(void);

/* What it has to say to the administrator: that the ports are announced, under which names; or why
 * they are not. */
struct announcement_news {
    bool announced;
    char text[400]; /* fit to be shown */
};

/* Announces the ports of the configuration that have a name, which is copied. Another thread calls
 * `told` when there is news. NULL: none has one, or out of memory or threads. */
struct announcement *announcement_create(const struct config *c, void (*told)(void *user),
                                         void *user);

/* Announces the ports of this configuration in place of those before. False: none has a name, out
 * of memory, or the daemon was given up; then all there is to do is to end it. */
bool announcement_change(struct announcement *a, const struct config *c);

/* The newest news. False: there are none since the last time. */
bool announcement_take(struct announcement *a, struct announcement_news *out);

/* Takes the announcement back; `told` is not called any more. Does not wait. Safe on NULL. */
void announcement_end(struct announcement *a);

#ifdef __cplusplus
}
#endif
#endif
