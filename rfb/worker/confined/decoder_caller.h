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

#ifdef __cplusplus
extern "C" {
#endif

/* s. Chosen: the largest picture takes 0.1 s, and a machine may be busy. */
#define DECODER_PATIENCE 10

/* Films are decoded by this process from now on, through the socket and the memory of both
 * (decoder_process_start()), which it takes over until the program ends. */
void decoder_caller_use(pid_t pid, int fd, uint8_t *memory);

#ifdef __cplusplus
}
#endif
#endif
