/* Numbers as the protocol has them, big-endian. Pure. */
#ifndef VNCHL_BYTES_H
#define VNCHL_BYTES_H

#include <stdint.h>

static inline unsigned get16(const uint8_t *p)
{
    return (unsigned)p[0] << 8 | p[1];
}

static inline uint32_t get32(const uint8_t *p)
{
    return (uint32_t)get16(p) << 16 | get16(p + 2);
}

/* These return the place behind the number. */
static inline uint8_t *put16(uint8_t *p, unsigned v)
{
    *p++ = (uint8_t)(v >> 8);
    *p++ = (uint8_t)v;
    return p;
}

static inline uint8_t *put32(uint8_t *p, uint32_t v)
{
    return put16(put16(p, v >> 16), v & 0xffff);
}

#endif
