/* Plays the server's sound through SDL, with whatever sound system this desktop has.
 *
 * What waits is bounded (rfb/sound_queue.h). SDL keeps SOUND_OUTPUT_FRAMES more.
 *
 * UI thread. Value type: all zero is closed. A thread of SDL's takes the samples from the session
 * meanwhile.
 */
#ifndef VNCHL_SOUND_OUTPUT_H
#define VNCHL_SOUND_OUTPUT_H

#include <stdbool.h>

#include <SDL_audio.h>

#include "rfb/session/session.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 23 ms. Chosen: an even number of wake-ups for what a busy machine can keep. */
#define SOUND_OUTPUT_FRAMES 1024

struct sound_output {
    SDL_AudioDeviceID device; /* 0: closed */
};

/* Plays this session's sound; nothing where it is open. The session outlives it. False, with a
 * reason for the user. */
bool sound_output_open(struct sound_output *o, struct session *session, struct reason *why);

/* Nothing is taken from the session any more. Safe on a closed one. */
void sound_output_close(struct sound_output *o);

#ifdef __cplusplus
}
#endif
#endif
