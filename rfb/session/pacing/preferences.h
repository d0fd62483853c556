/* What the server is told of pixels by SetEncodings: which encodings, of what quality. It follows
 * the scheduler, and what the server has shown of itself.
 *
 * Pure value type; the pacing has it, under its lock.
 */
#ifndef VNCHL_PREFERENCES_H
#define VNCHL_PREFERENCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prerequest/decide/scheduler.h"
#include "rfb/proto/encodings/encodings.h"
#include "rfb/proto/extensions/push.h"
#include "rfb/session/session_stats.h"

#ifdef __cplusplus
extern "C" {
#endif

struct preferences {
    struct encoding_options wished; /* levels may be LEVEL_AUTO: they follow the scheduler */
    struct encoding_options told;   /* what the newest SetEncodings said */
    bool libvncserver;              /* the server has said that it is one */
    bool h264;                      /* what came last was H.264 */
    uint64_t h264_unread; /* rectangles of it that could not be read: it is offered no more */
    bool no_film;         /* what decodes H.264 has ended: films are not offered any more either */
    uint32_t seen;        /* bit n: the encoding of row n has come */
};

/* Pixels have come in this encoding. */
void preferences_drawn(struct preferences *p, int32_t encoding);

/* H.264 could not be read. Where what decodes it is `gone`, films are not offered any more either.
 * Returns how often that was. */
uint64_t preferences_unread(struct preferences *p, bool gone);

/* What SetEncodings would say now. */
void preferences_now(const struct preferences *p, const struct scheduler *s,
                     const struct push *push, tick_t now, struct encoding_options *out);

/* Whether the server was told something else. */
bool preferences_changed(const struct preferences *p, const struct scheduler *s,
                         const struct push *push, tick_t now);

/* What is measured of it. */
void preferences_stats(const struct preferences *p, const struct scheduler *s,
                       const struct push *push, tick_t now, struct session_stats *out);

/* Writes a SetEncodings, and a request behind it where the server is asked for its screens only
 * now; 2 * CLIENT_WRITE_MAX bytes at most. `no_screens`: the server is not asked for them. Returns
 * the bytes. */
size_t preferences_write(struct preferences *p, const struct scheduler *s, const struct push *push,
                         bool no_screens, uint8_t *out, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
