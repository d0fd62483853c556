#include "viewer/desktop/input/sound_output.h"

#include <SDL.h>

#include "rfb/proto/extensions/qemu_audio.h"

static void sound_output_fill(void *session, Uint8 *out, int size)
{
    session_take_sound(session, out, (size_t)size);
}

bool sound_output_open(struct sound_output *o, struct session *session, struct reason *why)
{
    const SDL_AudioSpec spec = {.freq = SOUND_RATE,
                                .format = AUDIO_S16LSB,
                                .channels = SOUND_CHANNELS,
                                .samples = SOUND_OUTPUT_FRAMES,
                                .callback = sound_output_fill,
                                .userdata = session};

    if (o->device != 0)
        return true;
    if (SDL_InitSubSystem(SDL_INIT_AUDIO) != 0)
        return reason_set(why, "no sound: %s", SDL_GetError());
    o->device = SDL_OpenAudioDevice(NULL, 0, &spec, NULL, 0);
    if (o->device == 0) {
        reason_set(why, "no sound: %s", SDL_GetError());
        SDL_QuitSubSystem(SDL_INIT_AUDIO);
        return false;
    }
    SDL_PauseAudioDevice(o->device, 0);
    return true;
}

void sound_output_close(struct sound_output *o)
{
    if (o->device == 0)
        return;
    SDL_CloseAudioDevice(o->device); /* waits for the thread that plays */
    SDL_QuitSubSystem(SDL_INIT_AUDIO);
    o->device = 0;
}
