#include "viewer/desktop/input/sound_output.h"

#include <signal.h>

#include <SDL.h>

#include "rfb/proto/extensions/qemu_audio.h"

static void sound_output_fill(void *session, Uint8 *out, int size)
{
    session_take_sound(session, out, (size_t)size);
}

/* ---- the thread that opens ---- */

/* Leaves a device, or says why there is none. */
static void sound_output_take_device(struct sound_output *o)
{
    const SDL_AudioSpec spec = {.freq = SOUND_RATE,
                                .format = AUDIO_S16LSB,
                                .channels = SOUND_CHANNELS,
                                .samples = SOUND_OUTPUT_FRAMES,
                                .callback = sound_output_fill,
                                .userdata = o->session};

    if (SDL_InitSubSystem(SDL_INIT_AUDIO) != 0) {
        reason_set(&o->why, "no sound: %s", SDL_GetError());
        return;
    }
    o->device = SDL_OpenAudioDevice(NULL, 0, &spec, NULL, 0);
    if (o->device == 0) {
        reason_set(&o->why, "no sound: %s", SDL_GetError());
        SDL_QuitSubSystem(SDL_INIT_AUDIO);
        return;
    }
    SDL_PauseAudioDevice(o->device, 0);
}

static void *sound_output_opener(void *output)
{
    struct sound_output *o = output;
    SDL_Event ended = {.user = {.type = o->event, .code = o->openers}};

    sound_output_take_device(o);
    SDL_PushEvent(&ended);
    return NULL;
}

/* Signals stay with the UI thread, whose wait they interrupt. */
static bool sound_output_start(struct sound_output *o)
{
    sigset_t all, before;
    bool started;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    started = pthread_create(&o->opener, NULL, sound_output_opener, o) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static void sound_output_join(struct sound_output *o)
{
    if (o->opening)
        pthread_join(o->opener, NULL);
    o->opening = false;
}

/* ---- for the UI thread ---- */

bool sound_output_open(struct sound_output *o, struct session *session, struct reason *why)
{
    if (o->opening || o->device != 0)
        return true;
    if (o->event == 0)
        o->event = SDL_RegisterEvents(1);
    o->session = session;
    o->openers++;
    o->opening = sound_output_start(o);
    return o->opening || reason_set(why, "no sound: out of threads");
}

bool sound_output_failed(struct sound_output *o, const SDL_Event *e, struct reason *why)
{
    if (!o->opening || e->type != o->event || e->user.code != o->openers)
        return false;
    sound_output_join(o);
    *why = o->why;
    return o->device == 0;
}

void sound_output_close(struct sound_output *o)
{
    sound_output_join(o);
    if (o->device == 0)
        return;
    SDL_CloseAudioDevice(o->device); /* waits for the thread that plays */
    SDL_QuitSubSystem(SDL_INIT_AUDIO);
    o->device = 0;
}
