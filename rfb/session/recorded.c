/* A session that is recorded, and one whose server is a recording. */
#include <string.h>

#include "rfb/clock.h"
#include "rfb/log.h"
#include "rfb/proto/bytes.h"
#include "rfb/session/session_state.h"

/* A longer name of a desktop is cut in a recording. */
#define NAME_BYTES_MAX 1024

bool session_plays(const struct session *s)
{
    return s->options.route.play[0];
}

bool session_can_play(const struct server_init *init, struct reason *why)
{
    uint8_t ours[PIXEL_FORMAT_BYTES], theirs[PIXEL_FORMAT_BYTES];
    struct pixel_format f;

    if (!pixel_format_read(init->format, &f, why))
        return false;
    f.depth = pixel_format_xrgb.depth; /* it says nothing of where the bits of a colour are */
    pixel_format_write(ours, &pixel_format_xrgb);
    pixel_format_write(theirs, &f);
    if (memcmp(ours, theirs, sizeof ours) == 0)
        return true;
    return reason_set(why,
                      "the recording has pixels of %d bits in an order that this viewer cannot "
                      "play: it takes 32 bits with blue in the lowest",
                      f.bits);
}

void session_cannot_play(const struct session *s, struct reason *why)
{
    struct reason cause = *why;

    reason_set(why, "cannot play %.300s: %s", s->options.route.play, cause.text);
}

void session_begin_recording(struct session *s, const struct server_init *init)
{
    uint8_t message[4 + PIXEL_FORMAT_BYTES + 4 + NAME_BYTES_MAX], *p = message;
    size_t name = strnlen(init->name, NAME_BYTES_MAX);
    unsigned part;

    if (!s->options.recording)
        return;
    p = put16(p, (unsigned)init->width);
    p = put16(p, (unsigned)init->height);
    p += pixel_format_write(p, &pixel_format_xrgb);
    p = put32(p, (uint32_t)name);
    memcpy(p, init->name, name);
    p += name;
    part = recording_begin(s->options.recording, message, (size_t)(p - message), tick_now());
    if (part == 0)
        return;
    stream_record(s->stream, s->options.recording, part);
    pthread_mutex_lock(&s->lock);
    s->recording = true;
    pthread_mutex_unlock(&s->lock);
    log_debug("recording part %u", part);
}

void session_watch_recording(struct session *s)
{
    struct reason why;

    if (!s->recording || !recording_failed(s->options.recording, &why))
        return;
    s->recording = false;
    session_notice(s, "%s", why.text);
}
