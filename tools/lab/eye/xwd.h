/* The screen of an Xvfb as a picture in memory: the file that `Xvfb -fbdir FOLDER` keeps, an X
 * window dump whose pixels are the X server's own. Nobody is asked and nothing is copied, so
 * looking at it costs the X server nothing. */
#ifndef VNCHL_LAB_XWD_H
#define VNCHL_LAB_XWD_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/marks/mark.h"

struct xwd {
    const void *map;
    size_t size;
    struct mark_picture picture; /* of the mapping, which must not be written to */
};

/* False when the file is not what is needed; has said why on standard error. */
bool xwd_open(struct xwd *x, const char *file);
void xwd_close(struct xwd *x);

#endif
