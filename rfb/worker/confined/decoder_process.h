/* The process in which libavcodec decodes for a session: loaded when it is first needed, in memory
 * of its own, and without anything that the session has.
 */
#ifndef VNCHL_DECODER_PROCESS_H
#define VNCHL_DECODER_PROCESS_H

#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Starts it, as a fork: only while this process has one thread, and nothing that a server or the
 * viewer said. It ends when nobody has the other end of the socket any more.
 *
 * Returns its number, with the socket in *fd and the memory that both share (decoder_messages.h) in
 * *memory; -1: the system has no process or memory for it. */
pid_t decoder_process_start(int *fd, uint8_t **memory);

#ifdef __cplusplus
}
#endif
#endif
