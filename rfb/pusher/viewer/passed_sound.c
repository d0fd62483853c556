#include "rfb/pusher/viewer/passed_sound.h"

#include <string.h>

#include "rfb/proto/bytes.h"
#include "rfb/proto/extensions/qemu_audio.h"

/* Bytes in front of samples. */
#define PASSED_SOUND_HEAD (QEMU_AUDIO_HEAD + QEMU_AUDIO_LENGTH)

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
    return PASSED_SOUND_HEAD + get32(head + QEMU_AUDIO_HEAD);
}

/* The oldest ones go for it. */
static void passed_sound_add(struct passed_sound *s, const uint8_t *message, size_t size)
{
    while (s->messages.size + size > PASSED_SOUND_MOST)
        bytes_take(&s->messages, passed_sound_size(s));
    bytes_append(&s->messages, message, size);
}

/* Each piece gets a head of its own. No samples are a message, too. */
static void passed_sound_cut(struct passed_sound *s, const uint8_t *message, size_t size)
{
    uint8_t piece[PASSED_SOUND_HEAD + PASSED_SOUND_PIECE];
    size_t at = PASSED_SOUND_HEAD;

    memcpy(piece, message, QEMU_AUDIO_HEAD);
    do {
        size_t samples = size - at < PASSED_SOUND_PIECE ? size - at : PASSED_SOUND_PIECE;

        put32(piece + QEMU_AUDIO_HEAD, (uint32_t)samples);
        memcpy(piece + PASSED_SOUND_HEAD, message + at, samples);
        passed_sound_add(s, piece, PASSED_SOUND_HEAD + samples);
        at += samples;
    } while (at < size);
}

void passed_sound_put(struct passed_sound *s, const void *message, size_t size)
{
    if (size > PASSED_SOUND_MOST)
        return;
    if (qemu_audio_operation(message) == QEMU_AUDIO_DATA)
        passed_sound_cut(s, message, size);
    else
        passed_sound_add(s, message, size);
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
