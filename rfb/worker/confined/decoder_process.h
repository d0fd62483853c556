/* The process in which libavcodec decodes for a session: loaded when it is first needed, in memory
 * of its own, and without anything that the session has.
 */
#ifndef VNCHL_DECODER_PROCESS_H
#define VNCHL_DECODER_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include "rfb/worker/worker_message.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Starts it, as a fork. Only while this process has one thread, and no secret. It ends when nobody
 * has the other end of the socket any more. Confined as `sandbox` says, before it reads a byte of a
 * film: with SANDBOX_REQUIRE it decodes nothing otherwise.
 *
 * Returns its number, with the socket in *fd and the memory (decoder_messages.h) in *memory; -1:
 * the system has no process or memory for it. */
pid_t decoder_process_start(enum sandbox sandbox, int *fd, uint8_t **memory);

#ifdef __cplusplus
}
#endif
#endif
