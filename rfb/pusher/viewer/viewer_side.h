/* What goes to the viewer: the server's messages that are passed on, and blocks of the picture. It
 * holds the shared picture, the plan of what is sent when and how good (prerequest/push/plan.h),
 * and the writer of blocks.
 *
 * Two threads use it: the puller, which draws, and the loop, which sends. It has a lock of its own.
 * What the puller passes on leaves before blocks that were not made yet. So a new size of the
 * picture comes before its first block. Sound leaves when nothing else waits.
 *
 * While the viewer is away nothing waits for it, and the puller waits for nobody. Of what the
 * server says then, and said before, the viewer that comes next is told what still holds.
 */
#ifndef VNCHL_VIEWER_SIDE_H
#define VNCHL_VIEWER_SIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prerequest/push/report.h"
#include "prerequest/push/turnaround.h"
#include "rfb/bytes_held.h"
#include "rfb/datagrams/body.h"
#include "rfb/decode/framebuffer.h"
#include "rfb/proto/blocks.h"
#include "rfb/proto/server_messages.h"
#include "rfb/pusher/constants.h"
#include "rfb/pusher/references/references.h"
#include "rfb/pusher/viewer/update_parts.h"

#ifdef __cplusplus
extern "C" {
#endif

struct viewer_side;

/* `fb` outlives it. `wake_fd`: an eventfd by which the loop is woken. NULL when out of memory. */
struct viewer_side *viewer_side_create(struct framebuffer *fb, int wake_fd);
void viewer_side_destroy(struct viewer_side *v);
/* Datagrams follow Octopus's rules (prerequest/push/octopus.h), `interval` as there. Before the
 * loop begins. False: out of memory. */
bool viewer_side_follow_octopus(struct viewer_side *v, tick_t interval);
/* The viewer takes these references. False: out of memory. */
bool viewer_side_refer(struct viewer_side *v, struct references_taken taken);
/* Films may be made for a viewer that takes them. It begins a thread: before the process is shut
 * in, and before the loop begins. */
void viewer_side_make_films(struct viewer_side *v);
/* TCP towards the viewer uses this congestion control; empty: not known. Before the loop begins. */
void viewer_side_learn_congestion(struct viewer_side *v, const char *name);

/* ---- the puller ---- */

/* Passes a message on: so many bytes of our own, and those behind them. Waits while too many wait.
 * False: out of memory, or the loop has ended. */
bool viewer_side_pass(struct viewer_side *v, const void *own, size_t own_size, const void *bytes,
                      size_t size);
/* The same message holds until the next one that goes with this encoding
 * (rfb/pusher/viewer/standing.h). It is not passed on here. */
void viewer_side_keep(struct viewer_side *v, int32_t encoding, const void *own, size_t own_size,
                      const void *bytes, size_t size);
/* Passes a whole message of sound on to a viewer that takes it. It leaves or is dropped
 * (rfb/pusher/viewer/passed_sound.h). */
void viewer_side_pass_sound(struct viewer_side *v, const void *bytes, size_t size);
/* The framebuffer has another size, and the message that says so is passed on; `size` 0: there is
 * none. False: out of memory. */
bool viewer_side_resized(struct viewer_side *v, int width, int height, const void *own,
                         size_t own_size, const void *bytes, size_t size);
/* An update begins: it shows what the input that left up to now has done. Waits while it would tear
 * the picture that is being sent. False: the loop has ended. */
bool viewer_side_begun(struct viewer_side *v);
/* The private picture is a whole one. These parts of it are other ones; none is left in `parts`.
 * False: out of memory. */
bool viewer_side_shown(struct viewer_side *v, struct update_parts *parts);

/* ---- the loop ---- */

/* The viewer has read so far; it wishes this; it still has this of an old picture. False: it says
 * what cannot be, or there is no memory. */
bool viewer_side_hear(struct viewer_side *v, const struct blocks_message *m);
/* It takes films (PSEUDO_FILM), or not. */
void viewer_side_takes_film(struct viewer_side *v, bool takes);
/* It takes the server's sound (PSEUDO_QEMU_AUDIO), or not. */
void viewer_side_takes_sound(struct viewer_side *v, bool takes);
/* This part is to be sent again. */
void viewer_side_again(struct viewer_side *v, struct rect r);
/* A message of input has left for the server; `acts`: it is more than motion. */
void viewer_side_input(struct viewer_side *v, bool acts);
void viewer_side_pointer(struct viewer_side *v, int x, int y);

/* The viewer asks whether the server is alive. What the server draws next is the answer. To a
 * viewer that sees no pictures an update without any says it. */
void viewer_side_question(struct viewer_side *v);

/* Adds what may leave now to `out`: up to `most` bytes, or one message more. False: out of memory.
 */
bool viewer_side_take(struct viewer_side *v, struct bytes_held *out, size_t most, tick_t now);
/* Blocks leave as datagrams from now on, as soon as the viewer has a whole picture; or on the
 * stream again, and those that are out count as lost. Returns `on`; false: nothing is told of
 * datagrams any more, and blocks leave on the stream again. */
bool viewer_side_use_datagrams(struct viewer_side *v, bool on, tick_t now);
/* The next block, or parity of some, that may leave as a datagram, in a packet of so many bytes at
 * most, SEALED_ANYWHERE to SEALED_MAX: `out` has PARITY_MAX bytes. Returns its bytes; 0: there is
 * none. */
size_t viewer_side_take_datagram(struct viewer_side *v, size_t packet, uint8_t *out, tick_t now);
/* What the viewer tells of blocks that have come as datagrams. */
void viewer_side_told(struct viewer_side *v, const struct body_up *up, tick_t now);

/* Whether the server may be asked for its next update: the picture before is on its way. */
bool viewer_side_wants(struct viewer_side *v, tick_t now);
/* What it takes of this viewer. */
void viewer_side_show(struct viewer_side *v, struct accelerator_shown *shown);
/* What is to be told of an input that was answered. False: nothing is due. */
bool viewer_side_turnaround(struct viewer_side *v, struct turnaround_told *out, tick_t now);
/* How it is pushed. False: it is not due to be told. */
bool viewer_side_report(struct viewer_side *v, struct push_report_figures *out, tick_t now);
/* When more may leave, or be asked for, though nothing has happened; TICK_NEVER: not at all. */
tick_t viewer_side_look_again(struct viewer_side *v, tick_t now);

/* A viewer that was away has no stream yet: it is shown the picture as datagrams alone, which
 * arrive, as it wished the last time. It gets nothing else, and nothing that refers to what it has.
 * Until viewer_side_leave() or viewer_side_return(). */
void viewer_side_preview(struct viewer_side *v);

/* The viewer is away. What waited for it is dropped. */
void viewer_side_leave(struct viewer_side *v);
/* The size of the picture. */
void viewer_side_size(struct viewer_side *v, int *width, int *height);
/* A viewer is there again: it has nothing of the picture, was told this size, and takes these
 * encodings. False: out of memory. */
bool viewer_side_return(struct viewer_side *v, int told_width, int told_height,
                        bool (*takes)(void *user, int32_t encoding), void *user);

/* Nobody waits in it any more. */
void viewer_side_end(struct viewer_side *v);

#ifdef __cplusplus
}
#endif
#endif
