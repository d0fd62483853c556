/* A transport: what carries the bytes of a stream to and from the server.
 *
 * rfb/net/socket.h implements it for TCP and for Unix sockets, rfb/net/playback.h for the file of a
 * recording. Others lie on one of these (struct layer): rfb/net/tunnel.h is a way through ssh,
 * rfb/worker/confined/handed.h a connection that the viewer has made, rfb/net/tls.h a cipher. The
 * read buffer stands above them all (rfb/net/stream.h). A new transport fills in the table of
 * operations below and embeds `struct transport` in a struct of its own.
 *
 * One thread at a time reads, and one at a time writes, also at the same time. The other operations
 * are for any thread, except destroy(), which comes when nobody uses the transport any more. Only
 * wait() waits.
 */
#ifndef VNCHL_TRANSPORT_H
#define VNCHL_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "prerequest/tick.h"
#include "rfb/fingerprint.h"
#include "rfb/net/play_clock.h"
#include "rfb/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Who has waited for room can write so many bytes without waiting again. */
#define TRANSPORT_ROOM 4096

struct transport_options {
    /* Receive buffer in bytes, set before connect because the window scale is agreed in the SYN
     * (thesis, section 4.2: 170 kB against 32 MB); 0 leaves it to the kernel's own tuning, at
     * first. */
    int64_t window_bytes;
};

/* What has passed. */
struct transport_info {
    int64_t bytes_received; /* by the lowest transport, with what ciphers add; -1: unknown */
    int64_t bytes_sent;     /* the same, in the other direction */
    double rtt_ms;          /* smallest round trip of the last minutes; 0: unknown */
    double smoothed_ms;     /* its average, longer if the server delays its ACKs; 0: unknown */
    struct play_state play; /* zeroed where there is a server */
};

/* The receive buffer, in bytes of payload that it has room for. */
struct transport_window {
    int64_t bytes;   /* as it is now */
    int64_t tuned;   /* the transport's own tuning makes it at most so large; INT64_MAX: unknown */
    int64_t allowed; /* the most that set_window() can get */
};

/* How a wait ended: the first of these that is true. */
enum transport_wake {
    TRANSPORT_GONE,  /* nothing can be written any more; only for who waits for room */
    TRANSPORT_WOKEN, /* `wake_fd` is readable */
    TRANSPORT_READY, /* bytes, or room, are there */
    TRANSPORT_LATE   /* `until` has come */
};

/* What another process makes of the descriptor that it gets. */
enum transport_opening {
    TRANSPORT_SOCKET,    /* the connection (rfb/net/socket.h) */
    TRANSPORT_RECORDING, /* a recording that it plays (rfb/net/playback.h) */
    TRANSPORT_OPENINGS
};

struct transport_shared {
    int fd; /* the caller closes it */
    enum transport_opening opening;
};

struct transport;

struct transport_ops {
    /* Bytes read; 0: the server has closed the connection; -1 with errno, where EAGAIN says that
     * no bytes are there. */
    ssize_t (*read)(struct transport *t, void *out, size_t size);
    /* Bytes written, perhaps fewer than all; -1 with errno, where EAGAIN says that there is no
     * room. */
    ssize_t (*write)(struct transport *t, const struct iovec *parts, int count);
    /* Waits until there are bytes to read (`events` is POLLIN) or there is room to write (POLLOUT),
     * until another thread makes `wake_fd` readable (-1: nobody does), or until the time `until`;
     * one that has passed only asks. When the server has closed the connection, or it is broken,
     * bytes count as there: reading tells. */
    enum transport_wake (*wait)(struct transport *t, short events, int wake_fd, tick_t until);
    /* Bytes that have arrived and were not read. */
    int (*waiting)(struct transport *t);
    /* Bytes that were written and that the kernel has not sent yet; 0 where that is not known. A
     * wait for room ends when there are none, unless they may queue. */
    int (*unsent)(struct transport *t);
    void (*info)(struct transport *t, struct transport_info *info);
    void (*window)(struct transport *t, struct transport_window *window);
    /* Sets the receive buffer of a connection and ends the transport's own tuning of it. Returns
     * what was granted, in bytes of payload. */
    int64_t (*set_window)(struct transport *t, int64_t bytes);
    /* Whether written bytes may queue in the kernel behind others that it has not sent; at first
     * they may not. Then a wait for room ends when its buffer has some. NULL: nothing changes. */
    void (*set_queue)(struct transport *t, bool on);
    /* A wish of the person (play_clock.h). NULL: it is no recording. */
    void (*play)(struct transport *t, const struct play_wish *wish);
    /* What another process needs to go on with the connection. False, with errno; NULL: it cannot
     * be handed over. */
    bool (*share)(struct transport *t, struct transport_shared *out);
    /* The process that got the shared descriptor has read the server's first bytes. NULL: nobody
     * has to know. */
    void (*heard)(struct transport *t);
    /* Why reading has ended or failed, where the transport knows more of it than that; else false.
     * May wait for a second until a program has said so. NULL: it never knows more. */
    bool (*explain)(struct transport *t, struct reason *why);
    /* SHA-256 of the key that the server has proved to have: of its certificate (DER). False, or
     * NULL: it has shown none. */
    bool (*key)(const struct transport *t, uint8_t sha256[FINGERPRINT_BYTES]);
    /* Ends the connection: whoever waits returns, nobody waits any more, and nothing can be
     * written. */
    void (*cut)(struct transport *t);
    /* Closes the connection and frees the transport. */
    void (*destroy)(struct transport *t);
};

struct transport {
    const struct transport_ops *ops;
};

/* The operations that may be missing. */
bool transport_share(struct transport *t, struct transport_shared *out);
bool transport_explain(struct transport *t, struct reason *why);
bool transport_key(const struct transport *t, uint8_t sha256[FINGERPRINT_BYTES]);
void transport_set_queue(struct transport *t, bool on);

/* A transport that lies on another one and owns it: a cipher, a way through a program, what counts.
 *
 * The functions are what such a layer leaves to the transport below, one for each operation. A
 * layer's table names these, or functions of its own.
 *
 * This is the first member of a layer's own struct. */
struct layer {
    struct transport transport;
    struct transport *below;
};

/* The transport below this one, which is a layer. */
struct transport *layer_below(struct transport *t);

enum transport_wake layer_wait(struct transport *t, short events, int wake_fd, tick_t until);
int layer_waiting(struct transport *t);
int layer_unsent(struct transport *t);
void layer_info(struct transport *t, struct transport_info *info);
void layer_window(struct transport *t, struct transport_window *window);
int64_t layer_set_window(struct transport *t, int64_t bytes);
void layer_set_queue(struct transport *t, bool on);
bool layer_share(struct transport *t, struct transport_shared *out);
bool layer_explain(struct transport *t, struct reason *why);
void layer_cut(struct transport *t);

#ifdef __cplusplus
}
#endif
#endif
