#include "viewer/desktop/input/sound_output.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <SDL.h>

#include "rfb/proto/extensions/qemu_audio.h"

enum sound_opener_state {
    SOUND_OPENER_OPENS, /* it is its thread's */
    SOUND_OPENER_ENDED, /* it is the UI thread's */
    SOUND_OPENER_LEFT   /* nobody wants the device any more: its thread frees it */
};

struct sound_opener {
    atomic_int state;
    uint32_t event;
    SDL_AudioSpec spec;
    SDL_AudioDeviceID device; /* paused: nothing is taken from the session yet; 0: there is none */
    struct reason why;        /* there is none */
};

/* Openers that were left while they opened. SDL has one sound system per process. */
static atomic_int sound_output_left;

static void sound_output_fill(void *session, Uint8 *out, int size)
{
    session_take_sound(session, out, (size_t)size);
}

static void sound_output_close_device(SDL_AudioDeviceID device)
{
    if (device == 0)
        return;
    SDL_CloseAudioDevice(device); /* waits for the thread that plays */
    SDL_QuitSubSystem(SDL_INIT_AUDIO);
}

/* ---- the thread that opens ---- */

static void sound_opener_take_device(struct sound_opener *p)
{
    if (SDL_InitSubSystem(SDL_INIT_AUDIO) != 0) {
        reason_set(&p->why, "no sound: %s", SDL_GetError());
        return;
    }
    p->device = SDL_OpenAudioDevice(NULL, 0, &p->spec, NULL, 0);
    if (p->device == 0) {
        reason_set(&p->why, "no sound: %s", SDL_GetError());
        SDL_QuitSubSystem(SDL_INIT_AUDIO);
    }
}

static void *sound_opener_run(void *opener)
{
    struct sound_opener *p = opener;
    SDL_Event ended = {.user = {.type = p->event}}; /* only wakes the UI thread up */
    int state = SOUND_OPENER_OPENS;

    sound_opener_take_device(p);
    if (atomic_compare_exchange_strong(&p->state, &state, SOUND_OPENER_ENDED)) {
        SDL_PushEvent(&ended);
        return NULL;
    }
    sound_output_close_device(p->device);
    free(p);
    atomic_fetch_sub(&sound_output_left, 1);
    return NULL;
}

/* Signals stay with the UI thread, whose wait they interrupt. */
static bool sound_opener_start(struct sound_opener *p)
{
    pthread_t thread;
    sigset_t all, before;
    bool started;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    started = pthread_create(&thread, NULL, sound_opener_run, p) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started)
        pthread_detach(thread);
    return started;
}

/* ---- for the UI thread ---- */

bool sound_output_open(struct sound_output *o, struct session *session, struct reason *why)
{
    if (o->opener || o->device != 0)
        return true;
    if (atomic_load(&sound_output_left) > 0)
        return reason_set(why, "no sound: the sound system has not answered yet");
    if (o->event == 0)
        o->event = SDL_RegisterEvents(1);
    o->opener = calloc(1, sizeof *o->opener);
    if (!o->opener)
        return reason_set(why, "no sound: out of memory");
    o->opener->event = o->event;
    o->opener->spec = (SDL_AudioSpec){.freq = SOUND_RATE,
                                      .format = AUDIO_S16LSB,
                                      .channels = SOUND_CHANNELS,
                                      .samples = SOUND_OUTPUT_FRAMES,
                                      .callback = sound_output_fill,
                                      .userdata = session};
    if (sound_opener_start(o->opener))
        return true;
    free(o->opener);
    o->opener = NULL;
    return reason_set(why, "no sound: out of threads");
}

bool sound_output_failed(struct sound_output *o, struct reason *why)
{
    if (!o->opener || atomic_load(&o->opener->state) != SOUND_OPENER_ENDED)
        return false;
    o->device = o->opener->device;
    *why = o->opener->why;
    free(o->opener);
    o->opener = NULL;
    if (o->device == 0)
        return true;
    SDL_PauseAudioDevice(o->device, 0);
    return false;
}

void sound_output_close(struct sound_output *o)
{
    int state = SOUND_OPENER_OPENS;

    if (o->opener) {
        atomic_fetch_add(&sound_output_left, 1);
        if (!atomic_compare_exchange_strong(&o->opener->state, &state, SOUND_OPENER_LEFT)) {
            atomic_fetch_sub(&sound_output_left, 1);
            sound_output_close_device(o->opener->device);
            free(o->opener);
        }
        o->opener = NULL;
    }
    sound_output_close_device(o->device);
    o->device = 0;
}

void sound_output_quit(void)
{
    if (atomic_load(&sound_output_left) == 0)
        SDL_Quit();
}
