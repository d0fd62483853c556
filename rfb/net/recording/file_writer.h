/* Writes a file in a thread of its own, so that a slow disk delays nobody.
 *
 * Any thread adds bytes; that copies them and never waits for the disk. A bounded number of bytes
 * may wait. When the disk cannot keep up, or is full, the writer gives up: what was added before is
 * still written as far as that goes, and nothing more is taken. The writer owns the descriptor.
 */
#ifndef VNCHL_FILE_WRITER_H
#define VNCHL_FILE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that may wait for the disk. As many may be under way. Chosen: some seconds of a fast
 * connection. */
#define FILE_WRITER_WAITING_MAX (32u << 20)

/* The error of a writer whose disk cannot keep up. */
#define FILE_WRITER_TOO_SLOW ENOBUFS

struct file_writer;

/* NULL when out of memory or threads: the descriptor is closed then, too. */
struct file_writer *file_writer_create(int fd);

/* Adds all parts, or nothing. False: the writer has given up. */
bool file_writer_add(struct file_writer *w, const struct iovec *parts, int count);

/* 0, or the errno value of why it has given up. */
int file_writer_error(struct file_writer *w);

/* Nothing more is added. What waits is written, then the file is closed. */
void file_writer_end(struct file_writer *w);

/* Ends, waits until all is written, and frees. Returns as file_writer_error(). 0 for NULL. */
int file_writer_destroy(struct file_writer *w);

#ifdef __cplusplus
}
#endif
#endif
