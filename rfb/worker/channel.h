/* Messages between two processes of this program, over a pair of stream sockets.
 *
 * A message has a type, a body of bytes, and at most one file descriptor. Each side says how large
 * the body of each type may be. What is longer, or of a type that it does not take, breaks the
 * channel for good: nothing is allocated by what the other side says before it was checked.
 *
 * Any thread sends. Sending does not wait: what the socket has no room for is kept, and goes when
 * channel_flush() is called. One thread receives. Bytes that were sent or taken are overwritten,
 * for a message may hold a password.
 */
#ifndef VNCHL_CHANNEL_H
#define VNCHL_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* So many bytes may wait to be sent. If more waits, the other side has stopped
 * reading, and the channel is broken. */
#define CHANNEL_WAITING_MAX (16u << 20)

struct channel;

struct channel_message {
    uint32_t type;
    uint32_t size; /* bytes of the body */
    void *body;    /* valid until the next channel_receive() */
    int fd;        /* -1: none; else the receiver's to close */
};

struct channel_options {
    /* The most that the body of a message of this type may hold; -1: no such message is taken. */
    int64_t (*limit)(uint32_t type);
    bool takes_fds; /* descriptors are taken; else the kernel closes what comes */
};

/* Takes over one end. NULL when out of memory; the socket is closed then. */
struct channel *channel_create(int fd, const struct channel_options *options);
void channel_destroy(struct channel *c); /* safe on NULL */

/* To be waited on. */
int channel_fd(const struct channel *c);

/* Sends a message. False: the channel is broken, or too much waits. */
bool channel_send(struct channel *c, uint32_t type, const void *body, size_t size);

/* The same with a descriptor, which stays the caller's. Waits up to a second for room. */
bool channel_send_fd(struct channel *c, uint32_t type, const void *body, size_t size, int fd);

/* Sends what waits, as far as there is room. False: the channel is broken. */
bool channel_flush(struct channel *c);

/* Bytes that wait to be sent. */
size_t channel_waiting(struct channel *c);

enum channel_state {
    CHANNEL_MESSAGE, /* one was received */
    CHANNEL_EMPTY,   /* none is there now */
    CHANNEL_ENDED,   /* the other side has closed its end */
    CHANNEL_BROKEN   /* what came is no message, or the socket failed */
};

enum channel_state channel_receive(struct channel *c, struct channel_message *out);

#ifdef __cplusplus
}
#endif
#endif
