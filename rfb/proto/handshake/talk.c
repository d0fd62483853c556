#include "rfb/proto/handshake/talk.h"

#include "rfb/proto/bytes.h"
#include "rfb/system/clock.h"

#define REASON_MAX_BYTES 300u

static bool talk_closed(struct talk *t)
{
    return reason_set(t->why, TALK_CLOSED);
}

bool talk_get(struct talk *t, void *out, size_t size)
{
    t->round_trips += t->written;
    t->written = false;
    return stream_read(t->stream, out, size, t->why) ||
           (stream_ended(t->stream) ? talk_closed(t) : false);
}

static bool talk_write(struct talk *t, const void *bytes, size_t size)
{
    t->written = true;
    return stream_write(t->stream, bytes, size) || talk_closed(t);
}

bool talk_put(struct talk *t, const void *bytes, size_t size)
{
    switch (early_due(&t->early, bytes, size)) {
    case EARLY_SAME:
        return true;
    case EARLY_OTHER:
        t->differs = true;
        return reason_set(t->why, "the server does not take what it took before");
    case EARLY_NOT:
        break;
    }
    return talk_write(t, bytes, size);
}

bool talk_put_early(struct talk *t)
{
    const uint8_t *bytes;
    size_t size = early_take(&t->early, &bytes);

    if (size == 0)
        return true;
    t->early_at = tick_now();
    return talk_write(t, bytes, size);
}

bool talk_get_number(struct talk *t, uint32_t *out)
{
    uint8_t b[4];

    if (!talk_get(t, b, sizeof b))
        return false;
    *out = get32(b);
    return true;
}

bool talk_put_number(struct talk *t, uint32_t v)
{
    uint8_t b[4];

    put32(b, v);
    return talk_put(t, b, sizeof b);
}

bool talk_refused(struct talk *t, const char *what)
{
    char text[REASON_MAX_BYTES + 1] = "";
    uint32_t length;

    /* some close without a word */
    if (!talk_get_number(t, &length) ||
        !talk_get(t, text, length < REASON_MAX_BYTES ? length : REASON_MAX_BYTES))
        text[0] = '\0';
    t->failure = t->asked ? FAILURE_AUTHENTICATION : FAILURE_REFUSED;
    return reason_set(t->why, "%s%s%s", what, *text ? ": " : "", text);
}
