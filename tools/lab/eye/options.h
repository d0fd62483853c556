/* The command line of vnchl-lab-eye, and its way to say what is wrong. */
#ifndef VNCHL_LAB_EYE_OPTIONS_H
#define VNCHL_LAB_EYE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/lab/content/scene.h"
#include "tools/lab/eye/hand.h"

struct eye_options {
    const char *frame_buffer, *display;
    double looks_per_s;
    double press_every_ms; /* 0: no presses */
    enum hand_press press;
    const struct scene_kind *scene; /* to be compared; NULL: none */
    int width, height;              /* of it; 0: its own */
    uint64_t seed;
    double warm_up_s, duration_s, limit_s;
};

/* Negative: go on. Else the exit status: --help was answered, or the line that says what is wrong
 * is on standard error. */
int eye_options_parse(struct eye_options *o, int argc, char **argv);

/* Prints "vnchl-lab-eye: message" and a newline on standard error. */
void eye_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
