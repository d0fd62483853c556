#include "rfb/session/pacing/preferences.h"

#include <stdlib.h>

#include "rfb/proto/client_messages.h"
#include "rfb/session/constants.h"

/* A LibVNCServer with threads reads SetEncodings while it encodes an update. What does harm then is
 * left out:
 * - it has three levels for Tight, and takes a higher one for 2. It looks at that only when it
 *   begins an update. A level above 3 that comes later can leave that update without its end.
 * - it answers the extended clipboard at once, in the middle of the update. It has heard of that
 *   before it said who it is, and does not forget it. */
static void preferences_fit_libvncserver(struct encoding_options *o)
{
    const int highest = 2;

    if (o->list.number[encoding_list_main(&o->list)] == ENCODING_TIGHT && o->compress > highest)
        o->compress = highest;
    o->clipboard = false;
}

void preferences_drawn(struct preferences *p, int32_t encoding)
{
    int row = encoding_row(encoding);

    if (row < 0)
        return;
    p->seen |= 1u << row;
    p->h264 = encoding == ENCODING_H264;
}

uint64_t preferences_unread(struct preferences *p, bool gone)
{
    p->no_film = p->no_film || gone;
    return ++p->h264_unread;
}

void preferences_now(const struct preferences *p, const struct scheduler *s,
                     const struct push *push, tick_t now, struct encoding_options *out)
{
    int step = scheduler_quality(s, now);

    *out = p->wished;
    out->jpeg = out->jpeg && !scheduler_refreshing(s);
    if (!out->jpeg || p->h264_unread > 0) /* it is to be exact, or of another kind */
        encoding_list_drop(&out->list, ENCODING_H264);
    out->film = out->film && !p->no_film;
    if (out->quality == LEVEL_AUTO)
        out->quality = quality_jpeg(step);
    if (p->h264 && p->wished.quality == LEVEL_AUTO &&
        abs(out->quality - p->told.quality) < PREFERENCES_H264_STEP)
        out->quality = p->told.quality;
    if (out->compress == LEVEL_AUTO)
        out->compress = quality_compress(step);
    out->push = push_listed(push);
    if (p->libvncserver)
        preferences_fit_libvncserver(out);
}

bool preferences_changed(const struct preferences *p, const struct scheduler *s,
                         const struct push *push, tick_t now)
{
    struct encoding_options o;

    preferences_now(p, s, push, now, &o);
    return o.quality != p->told.quality || o.compress != p->told.compress ||
           o.jpeg != p->told.jpeg || o.list.count != p->told.list.count || o.push != p->told.push ||
           o.film != p->told.film || o.no_screens != p->told.no_screens;
}

void preferences_stats(const struct preferences *p, const struct scheduler *s,
                       const struct push *push, tick_t now, struct session_stats *out)
{
    struct encoding_options o;

    preferences_now(p, s, push, now, &o);
    out->quality = o.quality;
    out->compress = o.compress;
    out->encodings_seen = p->seen;
    out->h264 = p->h264;
    out->h264_unread = p->h264_unread;
}

size_t preferences_write(struct preferences *p, const struct scheduler *s, const struct push *push,
                         bool no_screens, uint8_t *out, tick_t now)
{
    const struct rect pixel = {0, 0, 1, 1};
    bool before = p->told.no_screens;
    size_t size;

    preferences_now(p, s, push, now, &p->told);
    p->told.no_screens = p->told.no_screens || no_screens;
    size = client_write_set_encodings(out, &p->told);
    /* TigerVNC tells of them only with what is asked for whole */
    if (before && !p->told.no_screens)
        size += client_write_update_request(out + size, false, pixel);
    return size;
}
