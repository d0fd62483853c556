/* What a far end that pushes blocks is told (rfb/proto/blocks.h): how the user wants the pictures,
 * and how far they were read. By the latter it
 * knows the path, and limits what is on its way.
 *
 * Any thread; it has a lock of its own, and knows no socket. Functions that return `bool` say
 * whether the sender has to be woken.
 */
#ifndef VNCHL_PUSHED_H
#define VNCHL_PUSHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prerequest/decide/scheduler.h"
#include "rfb/blocks/resolver.h"
#include "rfb/proto/blocks.h"
#include "rfb/proto/encodings.h"
#include "rfb/proto/server_messages.h"
#include "rfb/session/constants.h"
#include "rfb/session/session_message.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pushed;

/* NULL when out of memory. */
struct pushed *pushed_create(const struct encoding_options *encodings,
                             const struct scheduler_options *options);
void pushed_destroy(struct pushed *p);

/* Whether the far end speaks a version of the blocks that we speak, too. If not, one line says whom
 * to upgrade. */
bool pushed_speaks(const struct accelerator_shown *shown);

/* A far end pushes from now on; `goodbye`: it is told when the viewer leaves on purpose. */
bool pushed_begin(struct pushed *p, bool goodbye);

/* How the far end pushes, as it says; an empty policy: it says nothing of it. */
void pushed_hear(struct pushed *p, const struct accelerator_pushing *pushing);

/* A block was read. */
struct pushed_block {
    uint32_t sequence;
    size_t bytes;
    uint8_t quality; /* 1 to 100; 0: exact */
    bool datagram;   /* it is told of on the way that it came (rfb/session/datagrams.h) */
};
bool pushed_read(struct pushed *p, const struct pushed_block *b, tick_t now);
/* All that has arrived is read. */
bool pushed_ran_dry(struct pushed *p);

/* A block was read that refers to what the viewer has: how many there were up to now. This part of
 * the picture is to come again, because it was refused; empty: it was not. */
void pushed_referred(struct pushed *p, struct resolver_counts counts, struct rect refused);
/* A frame of a film was drawn. */
void pushed_film(struct pushed *p, tick_t now);

/* These pixels are to come again: what was to draw them is broken. The next of the above wakes. */
void pushed_again(struct pushed *p, struct rect r);

/* The user's wishes. */
void pushed_tune(struct pushed *p, const struct session_tuning *tuning);
void pushed_hide(struct pushed *p, bool on);

/* Writes what is due, PUSHED_WRITE_MAX bytes at most; nothing without `room` in our own socket.
 * Returns the bytes. */
#define PUSHED_WRITE_MAX (3 * BLOCKS_MESSAGE_MAX)
size_t pushed_write(struct pushed *p, uint8_t *out, bool room, tick_t now);

/* Whether the far end is to be told that the viewer leaves. */
bool pushed_says_goodbye(struct pushed *p);
/* Writes that, BLOCKS_HEAD bytes. Nothing follows it. */
size_t pushed_write_goodbye(uint8_t *out);

struct pushed_figures {
    int quality;          /* of the newest block that came with loss; 0: all were exact */
    uint64_t film_frames; /* of all time */
    bool film;            /* some were drawn since then */
    struct accelerator_pushing pushing; /* as the far end says, at any time */
    struct resolver_counts references;  /* of all time */
};
/* The newest of each that are not older than `since`. False: no far end pushes. */
bool pushed_figures(struct pushed *p, tick_t since, struct pushed_figures *out);

/* Whether something waits for room since the last pushed_write(). */
bool pushed_waits_for_room(struct pushed *p);

#ifdef __cplusplus
}
#endif
#endif
