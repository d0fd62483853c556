/* What waits for a client: up to megabytes, appended at the end and taken from the front. They lie
 * in blocks, so they cost little more memory than they are. What has to be in one piece is in
 * bytes_held.h. One owner.
 */
#ifndef VNCHL_ACCELERATOR_BACKLOG_H
#define VNCHL_ACCELERATOR_BACKLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes in a block. */
#define BACKLOG_BLOCK 16000

struct backlog_block;

struct backlog {
    struct backlog_block *first, *last; /* NULL: none */
    size_t size;
    size_t begin; /* where in the first block the first byte is, */
    size_t end;   /* and where in the last one the last byte ends */
};

/* All zero is an empty one. False when out of memory: only the beginning may be appended then. */
bool backlog_append(struct backlog *b, const void *bytes, size_t size);
void backlog_take(struct backlog *b, size_t size);
void backlog_deinit(struct backlog *b);

/* Where the first `size` bytes are, or as many of them as `most` pieces hold. Returns the pieces.
 */
int backlog_pieces(const struct backlog *b, size_t size, struct iovec *pieces, int most);

#ifdef __cplusplus
}
#endif
#endif
