/* Plays the server's sound through SDL, with whatever sound system this desktop has.
 *
 * What waits is bounded (rfb/sound_queue.h). SDL keeps SOUND_OUTPUT_FRAMES more. Threads open and
 * close the device: a sound system may take long to answer, or never do. The window goes on
 * meanwhile, and nothing here waits for them.
 *
 * UI thread. Value type: all zero is closed. A thread of SDL's asks for the samples meanwhile.
 */
#ifndef VNCHL_SOUND_OUTPUT_H
#define VNCHL_SOUND_OUTPUT_H

#include <stdbool.h>

#include <SDL_audio.h>

#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 23 ms. Chosen: an even number of wake-ups for what a busy machine can keep. */
#define SOUND_OUTPUT_FRAMES 1024

/* Fills out with so many bytes of samples. In a thread of SDL's. */
typedef void sound_output_fill(void *user, unsigned char *out, int size);

struct sound_opener;

struct sound_output {
    struct sound_opener *opener; /* its thread opens the device; NULL: none does */
    SDL_AudioDeviceID device;    /* 0: closed */
};

enum sound_output_answer {
    SOUND_OUTPUT_BEGUN,
    SOUND_OUTPUT_WAITS, /* for a device that was closed before the sound system had opened it, or
                           that it does not close: to be tried again; an event comes when it has
                           answered */
    SOUND_OUTPUT_FAILED
};

/* Begins to play what fill gives; nothing where it is open, or is being opened. The user outlives
 * it. Where it has not begun, with a reason for the user. */
enum sound_output_answer sound_output_open(struct sound_output *o, sound_output_fill *fill,
                                           void *user, struct reason *why);

/* To be asked at every event. True, once and with a reason for the user: what was begun has failed,
 * and it is closed. */
bool sound_output_failed(struct sound_output *o, struct reason *why);

/* Nothing is asked for any more. Safe on a closed one. */
void sound_output_close(struct sound_output *o);

/* The end of the program: quits SDL, unless a thread still waits for the sound system, or none
 * could close a device. Then that is said by a line, and exit() waits for nothing. */
void sound_output_quit(void);

#ifdef __cplusplus
}
#endif
#endif
