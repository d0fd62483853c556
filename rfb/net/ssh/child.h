/* A program that is run to reach a server: ssh, or a shell with VNC_VIA_CMD.
 *
 * It stays in our process group, so that it can ask on the terminal. A thread of this module reads
 * its standard error: the last lines are the reason when the program fails. On a terminal all lines
 * are shown at once as well, because a person has to see what ssh wants (a touch of a key, say).
 *
 * The thread that connects starts, waits and asks; whoever destroys the connection ends the
 * program.
 *
 * What such a program inherits counts for another window, too: child_environment(),
 * child_attributes().
 */
#ifndef VNCHL_CHILD_H
#define VNCHL_CHILD_H

#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>

#include "prerequest/tick.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

struct child;

struct child_options {
    const char *name;         /* in messages; outlives the child */
    const char *const *argv;  /* the program is looked up in PATH; ends with NULL */
    char *const *environment; /* ends with NULL */
    int io; /* becomes standard input and output; -1: it reads nothing, and what it writes is taken
             * as if it came on standard error */
};

/* Our environment without the password, which is the server's only, and with `count` others instead
 * of variables of the same names. The caller frees the list, not what it points to. NULL: out of
 * memory. */
char **child_environment(char *const others[], size_t count);

/* Attributes of a program that is to inherit none of the signals that we have ignored or blocked.
 * `flags`: others of posix_spawnattr_setflags(). The caller destroys them. */
void child_attributes(posix_spawnattr_t *attributes, short flags);

/* Starts the program. The descriptor `io` stays the caller's. NULL with a reason; it is of the kind
 * FAILURE_START if there is no such program. */
struct child *child_start(const struct child_options *options, struct reason *why);

/* Waits for the program's end until the time `until`. Whether it has ended. */
bool child_wait(struct child *c, tick_t until);

/* Whether a program that has ended has failed. Then `why` is "NAME: " and the last lines that it
 * wrote on standard error, or how it ended. */
bool child_failed(struct child *c, struct reason *why);

/* The status with which a program that has ended has ended; -1: a signal has ended it. */
int child_status(const struct child *c);

/* Gives the program `grace` ns to end by itself, then ends it, and frees. Safe on NULL. */
void child_destroy(struct child *c, tick_t grace);

#ifdef __cplusplus
}
#endif
#endif
