/* The process that is the link: makes the hosts, starts the programs, carries the packets, ends
 * everything. Its parent (main.c) only waits for it.
 */
#ifndef VNCHL_LINKEM_KEEPER_H
#define VNCHL_LINKEM_KEEPER_H

#include <stdio.h>

#include "tools/linkem/options.h"

/* How long programs have between SIGTERM and SIGKILL. */
#define LINKEM_GRACE (2 * TICK_S)

/* Runs the link to its end; the program's exit status. Signals that end it (SIGINT, SIGTERM,
 * SIGHUP, SIGQUIT) and SIGCHLD are blocked by the caller. `stats`: where to, or NULL. */
int linkem_keeper_run(const struct linkem_options *o, FILE *stats);

#endif
