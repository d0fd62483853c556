/* One direction of one connection through the demo link: a socket is read, the queue model says
 * when the bytes arrive, the other socket is written.
 *
 * TCP on both sides: nothing may be dropped, so where a packet would find no room the source is
 * not read, and its sender stops in time. Single thread; time is an argument. The sockets are
 * non-blocking and not owned.
 */
#ifndef VNCHL_DEMO_LINK_PIPE_H
#define VNCHL_DEMO_LINK_PIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prerequest/tick.h"
#include "tools/linkem/link/queue.h"

#define LINK_PACKET   1460        /* what a packet carries on an Ethernet path */
#define LINK_HELD_MAX (64u << 20) /* bytes held in one direction */
#define LINK_IDLE_MAX (4u << 20)  /* arrived but not taken by the reader: its window */

/* How a direction ended, once all that was sent before has been delivered. */
enum link_end { LINK_OPEN, LINK_FINISHED, LINK_RESET };

struct link_pipe {
    struct linkem_queue queue;
    uint8_t *bytes; /* ring of all bytes held, in order */
    size_t capacity, head, tail;
    size_t ready;           /* of them, how many have arrived */
    bool source_ended;      /* nothing more is read */
    enum link_end arriving; /* the end that has arrived, behind the ready bytes */
    enum link_end end;      /* the end that is delivered: the pipe is done */
};

/* False when the configuration is out of range. */
bool link_pipe_init(struct link_pipe *p, const struct linkem_config *c);
void link_pipe_deinit(struct link_pipe *p);

/* Whether the source should be read now. */
bool link_pipe_wants_input(struct link_pipe *p, tick_t now);

/* Reads once from `fd`; an end or an error becomes the end of this direction. */
void link_pipe_read(struct link_pipe *p, int fd, tick_t now);

/* Ends the direction from outside, behind all that was read. */
void link_pipe_end(struct link_pipe *p, enum link_end how, tick_t now);

/* Counts what has arrived by `now`. */
void link_pipe_arrive(struct link_pipe *p, tick_t now);

/* Whether there is something to write, or an end to deliver. */
bool link_pipe_wants_output(const struct link_pipe *p);

/* Writes what has arrived to `fd`, and its end. False when the reader is gone: then the pipe is
 * done and the rest forgotten. */
bool link_pipe_write(struct link_pipe *p, int fd);

/* Whether the far side's reset has reached the reader. */
bool link_pipe_was_reset(const struct link_pipe *p);

/* When this direction next needs attention without any socket event. */
tick_t link_pipe_due(struct link_pipe *p, tick_t now);

#endif
