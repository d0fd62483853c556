#include "rfb/pusher/viewer/passed_sound.h"

#include "rfb/proto/bytes.h"
#include "rfb/proto/extensions/qemu_audio.h"

void passed_sound_deinit(struct passed_sound *s)
{
    bytes_deinit(&s->messages);
}

/* Of the oldest message; there is one. */
static size_t passed_sound_size(const struct passed_sound *s)
{
    const uint8_t *head = bytes_first(&s->messages);

    if (qemu_audio_operation(head) != QEMU_AUDIO_DATA)
        return QEMU_AUDIO_HEAD;
    return QEMU_AUDIO_HEAD + QEMU_AUDIO_LENGTH + get32(head + QEMU_AUDIO_HEAD);
}

void passed_sound_put(struct passed_sound *s, const void *message, size_t size)
{
    if (size > PASSED_SOUND_MOST)
        return;
    while (s->messages.size + size > PASSED_SOUND_MOST)
        bytes_take(&s->messages, passed_sound_size(s));
    bytes_append(&s->messages, message, size);
}

bool passed_sound_take(struct passed_sound *s, struct bytes_held *out)
{
    size_t size;

    if (out->size > 0 || s->messages.size == 0)
        return true;
    size = passed_sound_size(s);
    if (!bytes_append(out, bytes_first(&s->messages), size))
        return false;
    bytes_take(&s->messages, size);
    return true;
}

void passed_sound_forget(struct passed_sound *s)
{
    bytes_take(&s->messages, s->messages.size);
}
