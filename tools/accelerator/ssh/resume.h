/* A viewer that comes to a far end which is kept (tools/accelerator/push/keeper.h): it is led
 * there, and gets a door for its own datagrams. All that is done then is to carry bytes, and to let
 * the viewer in at that door. Both end together.
 *
 * Only the loop's thread.
 */
#ifndef VNCHL_ACCELERATOR_RESUME_H
#define VNCHL_ACCELERATOR_RESUME_H

#include <stdbool.h>
#include <uv.h>

#include "tools/accelerator/connection/connection.h"
#include "tools/accelerator/push/door.h"

#ifdef __cplusplus
extern "C" {
#endif

struct resume {
    uv_loop_t loop;
    struct door *door; /* NULL: no datagrams come */
    uint64_t refused;  /* packets, at the door */
    int far_end;       /* the viewer's connection to it */
};

/* Finds the far end that is kept under the token of these options, if they have one. False: there
 * is none, and nothing is left of this. */
bool resume_find(struct resume *r, const struct connection_options *o);

/* Serves the viewer on standard input and output until it has ended. False, with a reason: it has
 * not come to that. */
bool resume_run(struct resume *r, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
