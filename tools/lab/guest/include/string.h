/* What compilers expect of every program, and a little of <string.h>. */
#ifndef VNCHL_GUEST_STRING_H
#define VNCHL_GUEST_STRING_H

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *at, int value, size_t size);
int memcmp(const void *a, const void *b, size_t size);

#endif
