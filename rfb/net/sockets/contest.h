/* Connects to whichever of several servers answers first.
 *
 * They are tried in their order, each with a head start before the next one; one that fails leaves
 * its place to the next at once. A server has answered when its first byte has come: a server of
 * RFB speaks first, and a port behind which nobody works any more takes connections, too. Nothing
 * is sent to any of them here, and what comes is not read: the connection to the one that is chosen
 * is handed on as it is, the others are closed.
 *
 * Not all at once: servers such as TigerVNC count a connection that comes and goes as a failed
 * login, and shut an address out after a few. With the head start the others hear nothing as long
 * as the first one works.
 */
#ifndef VNCHL_CONTEST_H
#define VNCHL_CONTEST_H

#include "prerequest/tick.h"
#include "rfb/net/address/candidates.h"
#include "rfb/net/transport.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ns. Chosen: the first byte takes two round trips, and links of 500 ms are what this viewer is
 * for. */
#define CONTEST_HEAD_START TICK_S

/* The same, or less where `time` is short: each of `count` servers gets its turn in it. Pure. */
tick_t contest_head_start(tick_t time, int count);

/* How the reason begins when none of them has answered. */
#define CONTEST_NOBODY "no server has answered: "

/* Connects before `deadline`. Gives up when `cancel_fd` becomes readable. *chosen is the server
 * then. NULL with a reason, and its kind: FAILURE_NAME if no name was found, else
 * FAILURE_UNREACHABLE. */
struct transport *contest_connect(const struct candidates *c,
                                  const struct transport_options *options, tick_t deadline,
                                  int cancel_fd, struct address *chosen, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
