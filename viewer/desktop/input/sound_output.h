/* Plays the server's sound through SDL, with whatever sound system this desktop has.
 *
 * What waits is bounded (rfb/sound_queue.h). SDL keeps SOUND_OUTPUT_FRAMES more. A thread of its
 * own opens the device: a sound system may take long to answer, and the window goes on meanwhile.
 *
 * UI thread. Value type: all zero is closed. A thread of SDL's takes the samples from the session
 * meanwhile.
 */
#ifndef VNCHL_SOUND_OUTPUT_H
#define VNCHL_SOUND_OUTPUT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <SDL_audio.h>
#include <SDL_events.h>

#include "rfb/session/session.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 23 ms. Chosen: an even number of wake-ups for what a busy machine can keep. */
#define SOUND_OUTPUT_FRAMES 1024

struct sound_output {
    bool opening; /* the opener was started: until it is joined, device and reason are its own */
    pthread_t opener;
    SDL_AudioDeviceID device; /* 0: closed */
    struct reason why;        /* it could not be opened */
    struct session *session;
    uint32_t event;  /* of SDL, when an opener ends; 0: not registered yet */
    int32_t openers; /* how many were started: the event has the number of its own */
};

/* Begins to play this session's sound; nothing where it is open, or is being opened. The session
 * outlives it. `o` stays where it is until it is closed. False, with a reason for the user. */
bool sound_output_open(struct sound_output *o, struct session *session, struct reason *why);

/* To be asked at every event. True, once and with a reason for the user: what was begun has failed,
 * and it is closed. */
bool sound_output_failed(struct sound_output *o, const SDL_Event *e, struct reason *why);

/* Nothing is taken from the session any more. Waits for a device that is being opened. Safe on a
 * closed one. */
void sound_output_close(struct sound_output *o);

#ifdef __cplusplus
}
#endif
#endif
