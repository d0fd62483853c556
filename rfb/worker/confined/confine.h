/* Shuts a process in, for good: what it is to do later, it can do with the descriptors that it has.
 *
 * docs/security.md says what each layer stops. A kernel may lack some of them. The first two
 * functions are called once, in this order.
 */
#ifndef VNCHL_CONFINE_H
#define VNCHL_CONFINE_H

#include "rfb/worker/worker_message.h"

#ifdef __cplusplus
extern "C" {
#endif

enum confined {
    CONFINED_SESSION, /* a session, or a far end */
    CONFINED_DECODER, /* the process that decodes films for a session */
};

/* Limits, and Landlock. Before any thread starts: those that run already would not be confined.
 * Fills in `limits` and `files`. */
void confine_begin(struct worker_layers *layers, enum confined who);

/* The filter of system calls. After all threads have started: it holds for them, and no other can
 * start. Fills in `calls`. */
void confine_finish(struct worker_layers *layers);

/* Whether those hold without which --sandbox require does not start: files and calls. */
bool confine_suffices(const struct worker_layers *layers);

#ifdef __cplusplus
}
#endif
#endif
