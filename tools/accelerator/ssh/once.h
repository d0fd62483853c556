/* One viewer on standard input and output, and then the end: `vnchl-accel --once --stdio`, which
 * `vnchl --ssh` starts.
 *
 * A session that pushes may be kept (tools/accelerator/push/keeper.h): then its server's connection
 * and the process that pushes outlive this one, and the next viewer with the same token is only led
 * to them (tools/accelerator/ssh/resume.h). Of all others nothing is left: no file, no process.
 */
#ifndef VNCHL_ACCELERATOR_ONCE_H
#define VNCHL_ACCELERATOR_ONCE_H

#include "tools/accelerator/service/config.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Serves the viewer until it or the server ends. `server`: as address_parse() takes it; NULL: the
 * user's own is found. `proves`: to a server that wants it, with the user's password file there.
 * Takes the configuration, which says whether it is kept. False, with a reason: it has not come to
 * that. */
bool once_run(struct config *config, const char *server, bool proves, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
