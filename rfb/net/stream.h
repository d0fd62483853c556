/* The stream of bytes to and from the server: a connected socket, with TLS on it once it has begun,
 * and a buffer in front for reading.
 *
 * stream_read(), stream_unread() and stream_start_tls() are the receiver's. One thread at a time
 * may write, also while another one reads. stream_cut() and stream_is_cut() are for any thread.
 */
#ifndef VNCHL_STREAM_H
#define VNCHL_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "rfb/net/tls.h"
#include "rfb/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What may be unread before it has to be read again. */
#define STREAM_UNREAD_MAX 8192

struct stream;

/* Takes over a connected socket, which it makes non-blocking. NULL when out of memory; the socket
 * is closed then. */
struct stream *stream_create(int fd);

/* Closes the socket too. Safe on NULL. */
void stream_destroy(struct stream *s);

/* From now on all bytes are encrypted. Waits for the handshake. */
bool stream_start_tls(struct stream *s, const struct tls_options *options, struct reason *why);

/* Reads exactly `size` bytes; waits until they are there, or the stream has ended. */
bool stream_read(struct stream *s, void *out, size_t size, struct reason *why);

/* Reads what is there, at least one byte and at most `size`; waits for the first. 0: failed. */
size_t stream_read_some(struct stream *s, void *out, size_t size, struct reason *why);

/* Whether reading failed because the server has closed the stream. */
bool stream_ended(const struct stream *s);

/* Puts bytes in front of those that are read next; at most STREAM_UNREAD_MAX wait at a time. */
void stream_unread(struct stream *s, const void *bytes, size_t size);

/* Bytes that have arrived and were not read yet. */
int stream_waiting(struct stream *s);

/* Writes all; waits while the socket is full. */
bool stream_write(struct stream *s, const void *bytes, size_t size);

/* Ends the stream from outside: whoever waits in it returns, and nothing is read any more. */
void stream_cut(struct stream *s);
bool stream_is_cut(const struct stream *s);

#ifdef __cplusplus
}
#endif
#endif
