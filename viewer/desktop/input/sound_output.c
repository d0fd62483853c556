#include "viewer/desktop/input/sound_output.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <SDL.h>

#include "rfb/proto/extensions/qemu_audio.h"
#include "rfb/system/log.h"

/* ms after which a sound system that is to close a device hangs, and the end of the program waits
 * no longer for it. Chosen: nobody notices, and none that works takes longer. */
#define SOUND_OUTPUT_END 200

enum sound_opener_state {
    SOUND_OPENER_OPENS, /* it is its thread's */
    SOUND_OPENER_ENDED, /* it is the UI thread's */
    SOUND_OPENER_LEFT   /* nobody wants the device any more: its thread frees it */
};

struct sound_opener {
    atomic_int state;
    SDL_AudioSpec spec;
    SDL_AudioDeviceID device; /* paused: nothing is asked for yet; 0: there is none */
    struct reason why;        /* there is none */
};

/* SDL has one sound system per process. One thread at a time opens or closes. */
static pthread_mutex_t sound_output_system = PTHREAD_MUTEX_INITIALIZER;
static atomic_int sound_output_threads; /* and devices that no thread could close */
static atomic_int sound_output_left;    /* threads whose opener was left while it opened */
static atomic_uint sound_output_closes; /* ms: since when a device is being closed; 0: none is */
static uint32_t sound_output_event;     /* of SDL, when a thread ends; 0: not registered yet */

/* ---- the threads that open and close ----
 *
 * They are SDL's: it frees what it keeps for a thread. */

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

static void sound_output_close_device(SDL_AudioDeviceID device)
{
    SDL_CloseAudioDevice(device); /* waits for what plays */
    SDL_QuitSubSystem(SDL_INIT_AUDIO);
}

/* Only wakes the UI thread up: also where nobody wants what has ended, for then the next one may
 * open. */
static void sound_output_end_thread(void)
{
    SDL_Event ended = {.user = {.type = sound_output_event}};

    SDL_PushEvent(&ended);
    atomic_fetch_sub(&sound_output_threads, 1);
}

static int sound_opener_run(void *opener)
{
    struct sound_opener *p = opener;
    int state = SOUND_OPENER_OPENS;
    bool left;

    pthread_mutex_lock(&sound_output_system);
    sound_opener_take_device(p);
    left = !atomic_compare_exchange_strong(&p->state, &state, SOUND_OPENER_ENDED);
    if (left && p->device != 0)
        sound_output_close_device(p->device);
    pthread_mutex_unlock(&sound_output_system);
    if (left) {
        free(p);
        atomic_fetch_sub(&sound_output_left, 1);
    }
    sound_output_end_thread();
    return 0;
}

static int sound_closer_run(void *device)
{
    pthread_mutex_lock(&sound_output_system);
    sound_output_close_device((SDL_AudioDeviceID)(uintptr_t)device);
    atomic_store(&sound_output_closes, 0);
    pthread_mutex_unlock(&sound_output_system);
    sound_output_end_thread();
    return 0;
}

static bool sound_output_start(SDL_ThreadFunction run, void *user)
{
    SDL_Thread *thread;

    atomic_fetch_add(&sound_output_threads, 1);
    thread = SDL_CreateThread(run, "sound", user);
    if (thread)
        SDL_DetachThread(thread);
    else
        atomic_fetch_sub(&sound_output_threads, 1);
    return thread;
}

/* ---- for the UI thread ---- */

/* False, with a reason: memory or threads are short. */
static bool sound_output_begin(struct sound_output *o, sound_output_fill *fill, void *user,
                               struct reason *why)
{
    if (sound_output_event == 0)
        sound_output_event = SDL_RegisterEvents(1);
    o->opener = calloc(1, sizeof *o->opener);
    if (!o->opener)
        return reason_set(why, "no sound: out of memory");
    o->opener->spec = (SDL_AudioSpec){.freq = SOUND_RATE,
                                      .format = AUDIO_S16LSB,
                                      .channels = SOUND_CHANNELS,
                                      .samples = SOUND_OUTPUT_FRAMES,
                                      .callback = fill,
                                      .userdata = user};
    if (sound_output_start(sound_opener_run, o->opener))
        return true;
    free(o->opener);
    o->opener = NULL;
    return reason_set(why, "no sound: out of threads");
}

/* What was closed last is still being closed, and nothing more is to be expected of it. */
static bool sound_output_hangs(void)
{
    const Uint32 since = atomic_load(&sound_output_closes);

    return since != 0 && SDL_TICKS_PASSED(SDL_GetTicks(), since + SOUND_OUTPUT_END);
}

enum sound_output_answer sound_output_open(struct sound_output *o, sound_output_fill *fill,
                                           void *user, struct reason *why)
{
    if (o->opener || o->device != 0)
        return SOUND_OUTPUT_BEGUN;
    if (atomic_load(&sound_output_left) > 0 || sound_output_hangs()) {
        reason_set(why, "no sound: the sound system has not answered yet");
        return SOUND_OUTPUT_WAITS;
    }
    return sound_output_begin(o, fill, user, why) ? SOUND_OUTPUT_BEGUN : SOUND_OUTPUT_FAILED;
}

/* What its thread has left, which has ended. */
static void sound_output_take(struct sound_output *o)
{
    o->device = o->opener->device;
    free(o->opener);
    o->opener = NULL;
}

bool sound_output_failed(struct sound_output *o, struct reason *why)
{
    if (!o->opener || atomic_load(&o->opener->state) != SOUND_OPENER_ENDED)
        return false;
    *why = o->opener->why;
    sound_output_take(o);
    if (o->device == 0)
        return true;
    SDL_PauseAudioDevice(o->device, 0);
    return false;
}

/* True: the opener belongs to its thread now, which closes what it opens. */
static bool sound_output_leave_opener(struct sound_output *o)
{
    int state = SOUND_OPENER_OPENS;

    atomic_fetch_add(&sound_output_left, 1);
    if (atomic_compare_exchange_strong(&o->opener->state, &state, SOUND_OPENER_LEFT))
        return true;
    atomic_fetch_sub(&sound_output_left, 1);
    return false;
}

void sound_output_close(struct sound_output *o)
{
    if (o->opener && sound_output_leave_opener(o))
        o->opener = NULL;
    if (o->opener)
        sound_output_take(o);
    if (o->device == 0)
        return;
    SDL_PauseAudioDevice(o->device, 1); /* nothing is asked for any more */
    atomic_store(&sound_output_closes, SDL_GetTicks() | 1);
    /* Out of threads it stays so: to close it here could wait for the sound system. */
    if (!sound_output_start(sound_closer_run, (void *)(uintptr_t)o->device)) {
        atomic_store(&sound_output_closes, 0);
        atomic_fetch_add(&sound_output_threads, 1);
    }
    o->device = 0;
}

/* exit() would run what libraries do last beside a thread that still uses them, or wait for it. */
static void sound_output_exit(int status, void *unused)
{
    (void)unused;
    fflush(stdout); /* all else of the program's is closed by now */
    _exit(status);
}

void sound_output_quit(void)
{
    const Uint32 end = SDL_GetTicks() + SOUND_OUTPUT_END;

    while (atomic_load(&sound_output_threads) > 0) {
        if (SDL_TICKS_PASSED(SDL_GetTicks(), end)) {
            log_line("the sound system does not answer, and vnchl ends without closing its device; "
                     "if other programs are silent, too, restart the sound system (PipeWire: "
                     "systemctl --user restart pipewire pipewire-pulse)");
            on_exit(sound_output_exit, NULL);
            return;
        }
        SDL_Delay(5);
    }
    SDL_Quit();
}
