/* Makes connections for the process of a session, which may be in a server's hands. So the viewer
 * decides where to connect, by the user's options. The courier's thread.
 */
#ifndef VNCHL_CONNECTOR_H
#define VNCHL_CONNECTOR_H

#include "rfb/worker/worker_state.h"

/* Connects before `deadline`, and hands the connection to the process, or says why there is none.
 * False: the process may not ask for one (any more). */
bool connector_connect(struct worker *w, tick_t deadline);

/* Tells the process why the connection has ended, where its transport knows that. */
void connector_explain(struct worker *w);

/* Closes this side's end of the connection, which is kept for what it knows. */
void connector_drop(struct worker *w);

/* This machine's address at its end of the connection. */
void connector_set_own(struct worker *w, bool known, const struct sockaddr_storage *own);

/* The way to the server: to one that has come to us it is the straight one. */
const struct route *connector_route(const struct session_options *o);

#endif
