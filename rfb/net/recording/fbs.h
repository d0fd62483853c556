/* FBS 001.000, the form of a file with a recorded connection. rfbproxy has begun it; TightVNC's
 * viewers write it and rfbplayer reads it.
 *
 * The file begins with FBS_GREETING. Blocks follow. A block is a length in bytes (32 bits), so many
 * bytes from the server, zeros up to a multiple of 4 bytes, and a time (32 bits): the milliseconds
 * from the beginning of the recording until these bytes came. Numbers are big-endian. The bytes of
 * all blocks, one behind the other, are what an RFB 3.3 server without authentication sends.
 *
 * Pure.
 */
#ifndef VNCHL_FBS_H
#define VNCHL_FBS_H

#include <stddef.h>
#include <stdint.h>

#define FBS_GREETING       "FBS 001.000\n"
#define FBS_GREETING_BYTES 12
#define FBS_NUMBER_BYTES   4
/* The most bytes of a block that we write. One that is read may be longer. Chosen: what a stream
 * reads at once. */
#define FBS_BLOCK_MAX 65536

/* The zeros behind the bytes of a block. */
static inline size_t fbs_padding(uint32_t length)
{
    return -length & 3;
}

/* What a block takes in the file. */
static inline uint64_t fbs_block_bytes(uint32_t length)
{
    return (uint64_t)length + fbs_padding(length) + 2 * FBS_NUMBER_BYTES;
}

static inline void fbs_put_number(uint8_t *out, uint32_t n)
{
    for (int i = 0; i < FBS_NUMBER_BYTES; i++)
        out[i] = (uint8_t)(n >> (24 - 8 * i));
}

static inline uint32_t fbs_number(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

#endif
