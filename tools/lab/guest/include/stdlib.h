/* What tools/demo/film.c needs of <stdlib.h>, in the guest. */
#ifndef VNCHL_GUEST_STDLIB_H
#define VNCHL_GUEST_STDLIB_H

#include <stddef.h>

void *calloc(size_t count, size_t size); /* from a small heap */
void free(void *p);                      /* gives nothing back */

#endif
