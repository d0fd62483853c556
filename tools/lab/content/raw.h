/* Frames of a scene as raw BGRA on standard output, for an encoder; and the check of what came back
 * from a decoder on standard input. Both report errors themselves. */
#ifndef VNCHL_LAB_CONTENT_RAW_H
#define VNCHL_LAB_CONTENT_RAW_H

#include "tools/lab/content/scene.h"

/* Frames 0 to count - 1, without the input mark. */
bool raw_write(struct scene *s, uint32_t count);

/* True when there are `count` frames and each has both its marks, in order. */
bool raw_check(const struct scene *s, uint32_t count);

#endif
