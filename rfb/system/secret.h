/* Passwords in memory: gone when they are no longer needed. */
#ifndef VNCHL_SECRET_H
#define VNCHL_SECRET_H

#include <stdlib.h>
#include <string.h>

/* Overwrites a malloc'ed string, then frees it. Safe on NULL. */
static inline void secret_free(char *secret)
{
    if (secret)
        explicit_bzero(secret, strlen(secret));
    free(secret);
}

#endif
