#include "rfb/proto/extensions/qemu_audio.h"

#include "rfb/proto/bytes.h"
#include "rfb/proto/message_types.h"

#define QEMU_AUDIO_S16 3 /* the format's number */

static size_t qemu_audio_write(uint8_t *out, enum qemu_audio_client operation)
{
    out[0] = CLIENT_QEMU;
    out[1] = QEMU_AUDIO;
    put16(out + 2, operation);
    return QEMU_AUDIO_BYTES;
}

size_t qemu_audio_write_enable(uint8_t *out)
{
    qemu_audio_write(out, QEMU_AUDIO_SET_FORMAT);
    out[4] = QEMU_AUDIO_S16;
    out[5] = SOUND_CHANNELS;
    put32(out + 6, SOUND_RATE);
    return QEMU_AUDIO_FORMAT_BYTES +
           qemu_audio_write(out + QEMU_AUDIO_FORMAT_BYTES, QEMU_AUDIO_ENABLE);
}

size_t qemu_audio_write_disable(uint8_t *out)
{
    return qemu_audio_write(out, QEMU_AUDIO_DISABLE);
}

unsigned qemu_audio_operation(const uint8_t *head)
{
    return get16(head + 2);
}
