/* Shuts a process in, for good: what it is to do later, it can do with the descriptors that it has.
 *
 * docs/security.md says what each layer stops. A kernel may lack some of them. Called once, before
 * any thread starts.
 */
#ifndef VNCHL_CONFINE_H
#define VNCHL_CONFINE_H

#include "rfb/worker/worker_message.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fills in which layers hold. `namespaces` is left as it is: a process begins in them
 * (rfb/worker/spawn.h). */
void confine(struct worker_layers *layers);

/* Whether those hold without which --sandbox require does not start: files and calls. */
bool confine_suffices(const struct worker_layers *layers);

/* "Landlock, seccomp, limits; not: namespaces". */
void confine_describe(const struct worker_layers *layers, char *out, size_t size);

#ifdef __cplusplus
}
#endif
#endif
