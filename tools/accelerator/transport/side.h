/* One end of a connection: a socket in the loop, TLS on it or none, and how far it has come to its
 * end. Only the loop's thread. The connection that owns it says what is waited for.
 */
#ifndef VNCHL_ACCELERATOR_SIDE_H
#define VNCHL_ACCELERATOR_SIDE_H

#include <stdbool.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <uv.h>

#include "tools/accelerator/transport/cipher.h"

#ifdef __cplusplus
extern "C" {
#endif

struct side {
    int fd;                /* -1: none */
    uv_poll_t *poll;       /* NULL: none */
    struct cipher *cipher; /* NULL: none; the side's own. While it does not stand nothing is read
                              and written here */
    int events;            /* that are waited for now */
    bool full;             /* bytes wait until the socket has room */
    bool leaving;          /* it has said that it ends: what it said before may still be unread */
    bool ended;            /* nothing more comes from there */
    bool shut;             /* nothing more is sent there */
};

/* Takes the socket; -1: there is none yet. */
void side_init(struct side *s, int fd);

/* Takes over what another side has; that one is as after side_init(-1) then. What was waited for
 * there is waited for no more. */
void side_move(struct side *to, struct side *from);

/* Closes the socket. The side is as after side_init(-1). */
void side_close(struct side *s);

/* Waits for these events; 0: for none. `callback` gets `owner` as the data of the poll. False: it
 * cannot be waited for. */
bool side_wait(struct side *s, uv_loop_t *loop, int events, uv_poll_cb callback, void *owner);

/* Says to the peer that nothing more comes. */
void side_shut(struct side *s);

/* Bytes that have been read; 0: none are there now. At the end `ended` becomes true. */
size_t side_read(struct side *s, void *bytes, size_t size);

/* Whether bytes are there of which the socket does not tell. */
bool side_pending(const struct side *s);

/* What is wrong with the peer's TLS; NULL: nothing. */
const char *side_fault(const struct side *s);

/* Takes from the socket what nobody wants any more, until it ends. */
void side_skip(struct side *s, void *bytes, size_t size);

/* Bytes that have been taken; 0: none now; -1: the socket takes nothing any more. What was not
 * taken has to be offered again, in its order. */
ssize_t side_write(struct side *s, struct iovec *pieces, int count);

#ifdef __cplusplus
}
#endif
#endif
