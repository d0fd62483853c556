/* Processes: starting them so that none outlives the link, and ending all of them.
 *
 * The calling process must be a subreaper (PR_SET_CHILD_SUBREAPER): then whatever its children
 * leave behind becomes its child. Only children are ever signalled, by process id, and before they
 * are waited for; so no signal can hit a process that has nothing to do with us.
 */
#ifndef VNCHL_LINKEM_CHILDREN_H
#define VNCHL_LINKEM_CHILDREN_H

#include <stdbool.h>
#include <sys/types.h>

#include "prerequest/tick.h"
#include "tools/linkem/hosts/host.h"

/* As shells do, for a program that is not there or cannot be run. */
#define CHILDREN_EXIT_NOT_FOUND 127
#define CHILDREN_EXIT_NOT_RUN   126

struct children_ending {
    bool active;
    tick_t kill_at;  /* from then on SIGKILL */
    tick_t again_at; /* when children_end() wants to be called next */
    tick_t give_up;
    pid_t told[256]; /* have had their SIGTERM */
    int told_count;
};

/* What the programs are to be started with again, whatever this process chose for itself. */
struct children_defaults {
    unsigned long timer_slack;
    pid_t group;
};
void children_remember(struct children_defaults *d);

/* Starts argv[0], looked up in PATH, on a host (NULL: the one we are on); it gets a SIGTERM if this
 * process dies. Without `input` its standard input is /dev/null. -1 after a line on stderr. */
pid_t children_start(const struct children_defaults *d, char *const *argv,
                     const struct linkem_host *host, bool input);

/* Replaces this process, or returns the exit status after a line on stderr. */
int children_exec(char *const *argv);

/* One step of ending all children: SIGTERM to each, SIGKILL when `grace` has passed. The first call
 * begins; to be called again at `again_at` and when a child has ended. True when no child is left,
 * or the rest cannot be ended. Children that ended are left to be waited for. */
bool children_end(struct children_ending *e, tick_t grace);

/* The exit status a shell would give for what waitpid() reported. */
int children_status(int status);

#endif
