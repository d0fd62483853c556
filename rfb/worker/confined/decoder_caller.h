/* The session's side of its decoder process: the decoders of rfb/film/decoder.h are there, not
 * here.
 *
 * Where the process has ended, or does not answer within DECODER_PATIENCE, no film can be decoded
 * any more, and film_decoder_works() says so.
 */
#ifndef VNCHL_DECODER_CALLER_H
#define VNCHL_DECODER_CALLER_H

#include <stdint.h>
#include <sys/types.h>

#include "rfb/worker/worker_message.h"

#ifdef __cplusplus
extern "C" {
#endif

/* s. Chosen: the largest picture takes 0.1 s, but libavcodec may have to be loaded from a slow disk
 * before, and a machine may be busy. */
#define DECODER_PATIENCE 30

/* Films are decoded by this process from now on, through the socket and the shared memory
 * (decoder_process_start()), which it takes over until the program ends. */
void decoder_caller_use(pid_t pid, int fd, uint8_t *memory);

/* Tells the process how the session is confined; NULL: it is not to be. Once, before the session
 * reads a byte of a server. */
void decoder_caller_confine(const struct worker_layers *layers);

#ifdef __cplusplus
}
#endif
#endif
