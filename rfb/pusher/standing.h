/* What the server has said that still holds: the pointer's shape, its locks, its name, what it can.
 * A viewer that comes later is told it. Of each kind the newest message is kept.
 *
 * One owner, not locked.
 */
#ifndef VNCHL_STANDING_H
#define VNCHL_STANDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/bytes_held.h"
#include "rfb/pusher/constants.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds that are kept. */
#define STANDING_KINDS 12

/* All zero at first. */
struct standing {
    struct standing_message {
        int32_t encoding; /* which a viewer has to list; one pointer's shape replaces another */
        uint8_t *bytes;
        size_t size;
    } of[STANDING_KINDS];
    unsigned count;
};

void standing_deinit(struct standing *s);

/* The server has said this: a rectangle or a message, which goes with this encoding. `own` stands
 * before it. Where there is no memory it is forgotten. */
void standing_keep(struct standing *s, int32_t encoding, const void *own, size_t own_size,
                   const void *bytes, size_t size);

void standing_forget(struct standing *s, int32_t encoding);

/* Adds to `out` that the picture has this size. False: out of memory. */
bool standing_say_size(int width, int height, struct bytes_held *out);

/* Adds to `out` what a viewer takes. False: out of memory. */
bool standing_say(const struct standing *s, bool (*takes)(void *user, int32_t encoding), void *user,
                  struct bytes_held *out);

#ifdef __cplusplus
}
#endif
#endif
