/* The steps in which the bytes of a server are read (rfb/framing/server_framing.h), and what each
 * of them can say. Only for the files that read steps.
 *
 * A step is a head that is awaited. When it is whole, the file that knows it says what is passed
 * over behind it and which step comes then: server_framing.c for messages, rectangle_framing.c for
 * rectangles, tight_framing.c and tile_framing.c for what is inside of some of these. Pure.
 */
#ifndef VNCHL_SERVER_STEPS_H
#define VNCHL_SERVER_STEPS_H

#include "rfb/framing/server_framing.h"

enum server_step {
    STEP_MESSAGE, /* a message's type */
    STEP_UPDATE,
    STEP_UPDATE_END, /* no head: what was to be passed over is */
    STEP_COLOUR_MAP,
    STEP_CUT_TEXT,
    STEP_FENCE,
    STEP_FENCE_PAYLOAD,
    STEP_QEMU,
    STEP_QEMU_AUDIO,
    STEP_GII,
    STEP_CHAT,
    STEP_MESSAGE_END, /* no head */
    STEP_RECTANGLE,
    STEP_LENGTH, /* of what follows in this rectangle */
    STEP_RRE,
    STEP_SCREENS,
    STEP_ALPHA_CURSOR,
    STEP_VMWARE_CURSOR,
    STEP_TIGHT,
    STEP_TIGHT_FILTER,
    STEP_TIGHT_PALETTE,
    STEP_TIGHT_LENGTH,
    STEP_TIGHT_LENGTH_2,
    STEP_TIGHT_LENGTH_3,
    STEP_HEXTILE,
    STEP_HEXTILE_COUNT,
    STEP_HEXTILE_ZLIB,
    STEP_TRLE,
    STEP_TRLE_PIXEL, /* of a run: its pixel, or its place in the palette */
    STEP_TRLE_RUN,   /* of a run: a byte of its length */
};

/* Passes `skip` bytes over, then awaits the head of a step, `want` bytes. */
void server_await(struct server_framing *f, uint64_t skip, enum server_step step, size_t want);

/* Passes `skip` bytes over; then the rectangle has ended. */
void server_rectangle_ends(struct server_framing *f, uint64_t skip);

/* There are no boundaries from here on. `why` is followed by a number. */
void server_unknown(struct server_framing *f, const char *why, long number);
void server_hostile(struct server_framing *f, const char *why, long number);

static inline size_t server_pixel_bytes(const struct server_framing *f)
{
    return f->format.bits / 8;
}

static inline uint64_t server_rect_area(const struct server_framing *f)
{
    return (uint64_t)f->rect.w * (uint64_t)f->rect.h;
}

/* ---- rectangles of an update (rectangle_framing.c) ---- */

/* Whether this encoding is known, or never comes. */
bool rectangle_knows(int32_t encoding);

/* What the head at f->step says, from STEP_RECTANGLE on: how many bytes follow it. */
void rectangle_step(struct server_framing *f);

/* ---- Tight, and Tight with PNG (tight_framing.c) ---- */

/* A rectangle begins. */
void tight_begin(struct server_framing *f);

/* What the head at f->step says: STEP_TIGHT .. STEP_TIGHT_LENGTH_3. */
void tight_step(struct server_framing *f);

/* ---- Hextile, ZlibHex and TRLE: tiles without a length (tile_framing.c) ---- */

/* The first tile of a rectangle, Hextile, ZlibHex or TRLE. */
void tile_begin(struct server_framing *f);

/* What the head at f->step says: STEP_HEXTILE .. STEP_TRLE_RUN. */
void tile_step(struct server_framing *f);

#endif
