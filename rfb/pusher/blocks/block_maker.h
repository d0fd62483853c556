/* Makes blocks of the picture that is shown, for what was planned.
 *
 * One thread at a time.
 */
#ifndef VNCHL_BLOCK_MAKER_H
#define VNCHL_BLOCK_MAKER_H

#include <stdbool.h>

#include "prerequest/push/plan.h"
#include "rfb/blocks/area_writer.h"
#include "rfb/blocks/block_writer.h"
#include "rfb/decode/framebuffer.h"

#ifdef __cplusplus
extern "C" {
#endif

struct block_maker {
    struct framebuffer_reader *reader;
    struct block_writer *strips;
    struct area_writer *areas; /* NULL: none are made */
};

/* False: out of memory. */
bool block_maker_init(struct block_maker *m, struct framebuffer *fb);
/* Also of a zeroed one. */
void block_maker_deinit(struct block_maker *m);

/* From now on it can make areas. False: out of memory. */
bool block_maker_takes_areas(struct block_maker *m);

/* Makes the block for the left of this strip, or for it and rows below it; with `area` for all of
 * it, which may be several rows of cells: then it may be larger than `room`, bytes of the payload,
 * from BLOCK_PAYLOAD_ANYWHERE to BLOCK_PAYLOAD_MAX. False: the picture cannot be looked at now. */
bool block_maker_make(struct block_maker *m, const struct push_strip *strip, bool area, size_t room,
                      struct block *out);

#ifdef __cplusplus
}
#endif
#endif
