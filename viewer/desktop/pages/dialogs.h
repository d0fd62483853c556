/* What the window shows of a connection beside its picture: that it is being established, its
 * questions to the person, why it ended; and the start window before all that.
 *
 * UI thread. Owns nothing but itself: `ui` outlives it. The callbacks come from inside ui_event(),
 * so never from inside a callback of the connection. They may start, retry and stop it.
 */
#ifndef VNCHL_DIALOGS_H
#define VNCHL_DIALOGS_H

#include <stdbool.h>

#include "prerequest/tick.h"
#include "rfb/net/route.h"
#include "viewer/desktop/connection/connection.h"
#include "viewer/trust/credentials.h"
#include "viewer/ui/ui.h"

#ifdef __cplusplus
extern "C" {
#endif

struct dialogs;

struct dialogs_callbacks {
    /* In the start window: what was typed or chosen there. False, with a reason: it leads to no
     * server. */
    bool (*connect)(void *user, const struct ui_choice *choice, struct reason *why);
    /* There: the person wants to see the options (options_page.h), or those of a profile. */
    void (*options)(void *user, const struct ui_choice *choice);
    void (*retry)(void *user); /* after an error */
    /* The person wants no connection to this server (any more), or cancels the start window. */
    void (*leave)(void *user);
    void (*wake)(void *user); /* another thread: dialogs_time() has something to do */
    void *user;
    /* In the start window, with a user of its own: deletes a profile. False, with a reason: it is
     * not deleted. */
    bool (*remove)(void *remover, const char *profile, struct reason *why);
    void *remover;
};

/* NULL when out of memory. */
struct dialogs *dialogs_create(struct ui *ui, const struct dialogs_callbacks *callbacks);
void dialogs_destroy(struct dialogs *d);

/* Opens the start window, with the user's profiles. `recent`: with the servers that were shown
 * before, too. `first` is what it shows at first; the last server stands in its field, or several
 * as they were given, if what is typed there goes the same way to it. */
void dialogs_start(struct dialogs *d, const struct ui_choice *first, bool recent);

/* Opens it again where it was left. */
void dialogs_start_again(struct dialogs *d, const struct ui_choice *choice);

#define DIALOGS_SAID_MAX 1200

/* What the start window says of options that count there (empty: nothing), and the way of what is
 * typed (way.h). With --ssh that leads to a server without an address. */
void dialogs_set_said(struct dialogs *d, const char *said, const char *way);

/* The server that is spoken of from now on, and how it is reached. Of several, the one that this
 * session is connected to; NULL: all of them. False: that says no more than was known. */
bool dialogs_set_server(struct dialogs *d, const struct session_options *o, struct session *s);

/* Its name for people: an address, "localhost:94 at desk", "port 5500", a file. Until another one
 * is set. */
const char *dialogs_server(const struct dialogs *d);

/* Whether an error page leads to the start window, where the address can be mended. Otherwise it
 * ends the program. */
bool dialogs_lead_back(const struct dialogs *d);

/* The state of the connection is another one. `change` says whether the certificate in the last
 * question has changed; then the person may forget the old one. */
void dialogs_follow(struct dialogs *d, const struct connection_status *status,
                    const struct trust_change *change, tick_t now);

/* What was lost is there again; `another`: of several servers another one than before, which the
 * person would else take for that. */
void dialogs_connected_again(struct dialogs *d, bool another);

/* That the server is being connected to is shown only when it takes long: most servers answer
 * before the page could be read. When it is due; TICK_NEVER: nothing is. dialogs_time() shows it
 * then. */
tick_t dialogs_wait(const struct dialogs *d);
void dialogs_time(struct dialogs *d, tick_t now);

/* A session is over: remembers its server, the name that its desktop had at first, and its last
 * picture, if there was one, for the start window. With the way through
 * ssh to it. Servers that need more are not remembered. */
void dialogs_remember(struct dialogs *d, struct session *s);

/* Puts the questions of a session to the person. It lives as long as the dialogs. */
const struct asker *dialogs_asker(struct dialogs *d);

#ifdef __cplusplus
}
#endif
#endif
