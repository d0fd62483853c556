/* The few library functions that the guest's C needs: the shared code's (include/), and those that
 * gcc calls on its own: memory blocks and 64-bit division. There is no 32-bit libgcc on a machine
 * without multilib packages. */
#include <stdint.h>

#include "include/math.h"
#include "include/stdlib.h"
#include "include/string.h"

void *memcpy(void *to, const void *from, size_t size)
{
    unsigned char *t = to;
    const unsigned char *f = from;

    for (size_t i = 0; i < size; i++)
        t[i] = f[i];
    return to;
}

void *memmove(void *to, const void *from, size_t size)
{
    unsigned char *t = to;
    const unsigned char *f = from;

    if (t <= f)
        return memcpy(to, from, size);
    while (size--)
        t[size] = f[size];
    return to;
}

void *memset(void *at, int value, size_t size)
{
    unsigned char *t = at;

    for (size_t i = 0; i < size; i++)
        t[i] = (unsigned char)value;
    return at;
}

int memcmp(const void *a, const void *b, size_t size)
{
    const unsigned char *x = a, *y = b;

    for (size_t i = 0; i < size; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

void *calloc(size_t count, size_t size)
{
    static uint64_t heap[8192];
    static size_t used;
    size_t wanted = (count * size + sizeof *heap - 1) / sizeof *heap;

    if (wanted > sizeof heap / sizeof *heap - used)
        return NULL;
    used += wanted;
    return heap + used - wanted; /* as static memory it is zero, and nothing comes back */
}

void free(void *p)
{
    (void)p;
}

double sin(double x)
{
    double y;

    __asm__("fsin" : "=t"(y) : "0"(x));
    return y;
}

long lround(double x)
{
    return (long)(x < 0 ? x - 0.5 : x + 0.5);
}

uint64_t __udivmoddi4(uint64_t n, uint64_t d, uint64_t *rest);
uint64_t __udivdi3(uint64_t n, uint64_t d);
uint64_t __umoddi3(uint64_t n, uint64_t d);
int64_t __divdi3(int64_t n, int64_t d);
int64_t __moddi3(int64_t n, int64_t d);
int64_t __divmoddi4(int64_t n, int64_t d, int64_t *rest);

uint64_t __udivmoddi4(uint64_t n, uint64_t d, uint64_t *rest)
{
    uint64_t q = 0, r = 0;

    for (int bit = 63; bit >= 0; bit--) {
        r = r << 1 | (n >> bit & 1);
        if (r >= d) {
            r -= d;
            q |= 1ull << bit;
        }
    }
    if (rest)
        *rest = r;
    return q;
}

uint64_t __udivdi3(uint64_t n, uint64_t d)
{
    return __udivmoddi4(n, d, NULL);
}

uint64_t __umoddi3(uint64_t n, uint64_t d)
{
    uint64_t rest;

    __udivmoddi4(n, d, &rest);
    return rest;
}

static uint64_t libc_magnitude(int64_t x)
{
    return x < 0 ? -(uint64_t)x : (uint64_t)x;
}

/* The rest has the sign of n. */
int64_t __divmoddi4(int64_t n, int64_t d, int64_t *rest)
{
    uint64_t r, q = __udivmoddi4(libc_magnitude(n), libc_magnitude(d), &r);

    *rest = (int64_t)(n < 0 ? -r : r);
    return (int64_t)((n < 0) != (d < 0) ? -q : q);
}

int64_t __divdi3(int64_t n, int64_t d)
{
    int64_t rest;

    return __divmoddi4(n, d, &rest);
}

int64_t __moddi3(int64_t n, int64_t d)
{
    int64_t rest;

    __divmoddi4(n, d, &rest);
    return rest;
}
