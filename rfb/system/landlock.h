/* Landlock of Linux: a process gives up its rights to files, ports and other processes.
 *
 * Linux before 5.13 has none: there no rules can be made.
 */
#ifndef VNCHL_LANDLOCK_H
#define VNCHL_LANDLOCK_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* New rules, which allow nothing to be done to any file. -1: this kernel has no Landlock. */
int landlock_allow_no_files(void);

/* The same. From Linux 6.7 on, no TCP port is bound or connected to either; from 6.12 on, no
 * process outside gets a signal, and no abstract socket of one is connected to. */
int landlock_allow_nothing(void);

/* What lies below this folder may be listed and read. Where there is none nothing is allowed. */
void landlock_allow_reading(int rules, const char *folder);

/* The calling thread, and those that it starts, keep to the rules for ever. Closes them; -1 is
 * safe. The thread must have given up new privileges (PR_SET_NO_NEW_PRIVS). False: they do not
 * hold. */
bool landlock_enforce(int rules);

#ifdef __cplusplus
}
#endif
#endif
