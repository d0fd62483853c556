/* After the start the accelerator needs the network, and to read its configuration again. What else
 * a process may do is taken from it here, as far as the kernel can: with Landlock no file is
 * written, created or executed, and few are read; with seccomp no program is started, and nothing
 * of the system is changed. Threads that are started later are confined, too.
 */
#ifndef VNCHL_ACCELERATOR_CONFINE_H
#define VNCHL_ACCELERATOR_CONFINE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What has been taken. A kernel that cannot do it is no reason not to start. */
struct confined {
    bool files; /* Landlock */
    bool calls; /* seccomp */
};

/* `files`: what may be read later, `count` of them. */
struct confined confine(const char *const *files, int count);

#ifdef __cplusplus
}
#endif
#endif
