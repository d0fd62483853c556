/* The stream of bytes to and from the server: a transport, what is laid on it (a cipher), and a
 * buffer in front for reading. Whoever talks to a server knows nothing below this.
 *
 * One thread, the receiver, connects, lays ciphers, reads, unreads and asks what is waiting. One
 * thread at a time writes and waits for room, also while another one reads. The other functions are
 * for any thread while the stream exists.
 */
#ifndef VNCHL_STREAM_H
#define VNCHL_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/net/address.h"
#include "rfb/net/recording.h"
#include "rfb/net/route.h"
#include "rfb/net/transport.h"
#include "rfb/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What may be unread before it has to be read again. */
#define STREAM_UNREAD_MAX 8192

struct stream;

/* Connects before `deadline`. Gives up when `cancel_fd` becomes readable. NULL with a reason.
 * A route that listens waits without a limit; a->host becomes the address of whoever connects. */
struct stream *stream_connect(const struct route *route, struct address *a,
                              const struct transport_options *options, tick_t deadline,
                              int cancel_fd, struct reason *why);

/* The same, without a stream on it: for who hands it on. */
struct transport *stream_connect_transport(const struct route *route, struct address *a,
                                           const struct transport_options *options, tick_t deadline,
                                           int cancel_fd, struct reason *why);

/* Takes over a connected transport. NULL when that is NULL, or when out of memory; the transport is
 * destroyed then. */
struct stream *stream_create(struct transport *t);

/* Closes the connection, too. Safe on NULL. */
void stream_destroy(struct stream *s);

/* Makes a transport that lies on `below` and owns it from then on, and waits until it is ready; as
 * tls_begin(). `with` is the layer's own. NULL, with a reason and its kind: `below` is the caller's
 * again. */
typedef struct transport *stream_layer(struct transport *below, void *with, struct reason *why);

/* From now on, until a layer is laid, no byte is taken from the transport before it is asked for:
 * what comes behind may be for that layer. */
void stream_read_singly(struct stream *s);

/* From now on all bytes go through this layer, too. Whether that was possible. */
bool stream_lay(struct stream *s, stream_layer *begin, void *with, struct reason *why);

/* SHA-256 of the key that the server has proved to have; of a certificate (DER), once TLS has
 * begun. False: it has shown none. */
bool stream_key(const struct stream *s, uint8_t sha256[FINGERPRINT_BYTES]);

/* Reads exactly `size` bytes; waits until they are there, or the stream has ended. */
bool stream_read(struct stream *s, void *out, size_t size, struct reason *why);

/* Reads what is there, at least one byte and at most `size`; waits for the first. 0: failed. */
size_t stream_read_some(struct stream *s, void *out, size_t size, struct reason *why);

/* From now on all that comes is added to this part of the recording, beginning with what has come
 * and was not read yet. Encrypted bytes are added as what they mean. */
void stream_record(struct stream *s, struct recording *r, unsigned part);

/* Why the stream has ended, where the transport knows more of it than that; else false. */
bool stream_explain(struct stream *s, struct reason *why);

/* Whether reading failed because the server has closed the stream, as far as that is known. */
bool stream_ended(const struct stream *s);

/* What kind of failure has ended the stream, by reading, writing or a layer. FAILURE_NONE: it
 * works. */
enum failure stream_failure(const struct stream *s);

/* Puts bytes in front of those that are read next; at most STREAM_UNREAD_MAX wait at a time. */
void stream_unread(struct stream *s, const void *bytes, size_t size);

/* Bytes that were read since the stream began. */
uint64_t stream_taken(const struct stream *s);

/* Bytes that have arrived and were not read yet. */
int stream_waiting(struct stream *s);

/* Writes all; waits while there is no room. False: the stream is broken, or was cut. */
bool stream_write(struct stream *s, const void *bytes, size_t size);

/* Waits until there is room for TRANSPORT_ROOM bytes, until another thread makes `wake_fd` readable
 * (-1: nobody does), or until the time `until`; one that has passed only asks. Tells which of these
 * came. What made `wake_fd` readable stays there, for the caller to take. */
enum transport_wake stream_wait_writable(struct stream *s, int wake_fd, tick_t until);

/* The same, until there is something to read. */
enum transport_wake stream_wait_readable(struct stream *s, int wake_fd, tick_t until);

/* Bytes that were written and that the kernel has not sent yet; 0 where that is not known. */
int stream_unsent(struct stream *s);

/* Counters, round trip and receive window; what is not known has values of its own. */
void stream_info(struct stream *s, struct transport_info *info);
void stream_window(struct stream *s, struct transport_window *window);

/* Sets the receive buffer and ends the transport's own tuning of it. Returns what was granted, in
 * bytes of payload. */
int64_t stream_set_window(struct stream *s, int64_t bytes);

/* Whether written bytes may queue in the kernel behind others that it has not sent (at first they
 * may not, see stream_unsent()). Then a wait for room ends when its buffer has some. */
void stream_set_queue(struct stream *s, bool on);

/* A wish of who plays a recording (rfb/net/play_clock.h), the first one once the handshake is over.
 * Of a server nothing comes of it. */
void stream_play(struct stream *s, const struct play_wish *wish);

/* Ends the stream from outside: whoever waits in it returns, and nothing is read any more. */
void stream_cut(struct stream *s);
bool stream_is_cut(const struct stream *s);

#ifdef __cplusplus
}
#endif
#endif
