/* The connection of a session, as several threads touch it: whoever wants it cut, whoever asks for
 * its counters, the watchdog, which also fits the receive window. The receiver makes the stream and
 * reads it; the sender writes it.
 *
 * Any thread; it has a lock of its own.
 */
#ifndef VNCHL_LINK_H
#define VNCHL_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/tick.h"
#include "rfb/net/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

struct link;

/* `window_asked`: bytes of the receive window that the user or an earlier session has asked for; 0:
 * none. `fit`: the window is fitted to the path while the session runs (--window auto). NULL when
 * out of memory or descriptors. */
struct link *link_create(int64_t window_asked, bool fit);
/* Destroys the stream, too. */
void link_destroy(struct link *l);

/* Readable once the connection is cut: for who connects. */
int link_cancel_fd(const struct link *l);

/* The connection is there. If it was cut already, the stream is cut at once. */
void link_set_stream(struct link *l, struct stream *stream);
/* Takes the stream out, to be destroyed by the caller; another may follow. */
struct stream *link_take_stream(struct link *l);
/* NULL: there is none. It stays as long as the link, unless its receiver takes it out. */
struct stream *link_stream(struct link *l);

/* The connection has ended: its counters stay as they are. */
void link_end(struct link *l);

/* Ends it from outside: whoever waits in connect, read or write returns. */
void link_cut(struct link *l);

/* stream_play(), if there is a stream. */
void link_play(struct link *l, const struct play_wish *wish);

/* An early handshake begins on the stream (rfb/proto/handshake/early.h); it has ended. While it
 * lasts, link_cut_early() cuts the stream, and another may follow. False: it was cut. */
void link_begin_early(struct link *l);
bool link_end_early(struct link *l);
void link_cut_early(struct link *l);

/* The newest counters; bytes -1: not known. False: there is no stream, or it has ended. */
bool link_info(struct link *l, struct transport_info *info);

/* Bytes of the receive buffer that was set, as granted; 0: the kernel's own tuning. */
int64_t link_window(struct link *l);

/* Sets the receive window if it has become too small for the path (prerequest/decide/window.h). */
void link_fit_window(struct link *l, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
