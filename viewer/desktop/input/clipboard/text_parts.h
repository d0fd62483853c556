/* A text that comes in parts, put together up to a length. What cannot be kept as a whole is given
 * up as a whole: a text that is too long, or for which there is no memory. Its length is counted to
 * the end all the same.
 *
 * Value type, one thread. All zero, but for `most`, in the beginning.
 */
#ifndef VNCHL_TEXT_PARTS_H
#define VNCHL_TEXT_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct text_parts {
    size_t most;   /* longer texts are not kept, bytes */
    char *text;    /* NULL: nothing has come, or it was given up */
    size_t length; /* bytes that have come */
};

/* Begins anew. Frees what there is. */
void text_parts_clear(struct text_parts *t);

/* The next part. */
void text_parts_add(struct text_parts *t, const void *bytes, size_t size);

/* So many bytes belong to the text and cannot be had: it is given up. */
void text_parts_miss(struct text_parts *t, size_t size);

bool text_parts_too_long(const struct text_parts *t);

/* The text, which ends with a NUL; the caller frees it. NULL: there is none. Begins anew. */
char *text_parts_take(struct text_parts *t);

#ifdef __cplusplus
}
#endif
#endif
