/* Numbers and rectangles as the protocol has them: big-endian, 16 or 32 bits. Pure. */
#ifndef VNCHL_BYTES_H
#define VNCHL_BYTES_H

#include <stdint.h>

#include "rfb/region.h"

#define RECT_BYTES 8

static inline unsigned get16(const uint8_t *p)
{
    return (unsigned)p[0] << 8 | p[1];
}

static inline uint32_t get32(const uint8_t *p)
{
    return (uint32_t)get16(p) << 16 | get16(p + 2);
}

/* Each side is 0..65535. */
static inline struct rect get_rect(const uint8_t *p)
{
    struct rect r = {(int)get16(p), (int)get16(p + 2), (int)get16(p + 4), (int)get16(p + 6)};

    return r;
}

/* These return the place behind what they put. */
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

static inline uint8_t *put_rect(uint8_t *p, struct rect r)
{
    p = put16(p, (unsigned)r.x);
    p = put16(p, (unsigned)r.y);
    p = put16(p, (unsigned)r.w);
    return put16(p, (unsigned)r.h);
}

#endif
