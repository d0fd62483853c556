/* A session whose server is a recording (--play). Pure.
 */
#ifndef VNCHL_PLAYING_H
#define VNCHL_PLAYING_H

#include "rfb/session/session.h"

/* Changes options that are for a server: a recording says itself when it has ended, it is asked for
 * nothing, it takes and gives no clipboard, and it may have been made with any encodings. */
void playing_options(struct session_options *session);

#endif
