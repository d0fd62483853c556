/* The session's side of its decoder process: the decoders of rfb/film/decoder.h are there, not
 * here.
 *
 * Where the process has ended, or does not answer within DECODER_PATIENCE, no film can be decoded
 * any more, and film_decoder_works() says so.
 */
#ifndef VNCHL_DECODER_CALLER_H
#define VNCHL_DECODER_CALLER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* s. Chosen: the largest picture takes 0.1 s, and a machine may be busy. */
#define DECODER_PATIENCE 10

/* Films are decoded by the process at the other end of this socket from now on, with this memory of
 * both (decoder_process_start()). It takes over both until the program ends. */
void decoder_caller_use(int fd, uint8_t *memory);

#ifdef __cplusplus
}
#endif
#endif
