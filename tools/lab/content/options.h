/* The options of vnchl-lab-content. */
#ifndef VNCHL_LAB_CONTENT_OPTIONS_H
#define VNCHL_LAB_CONTENT_OPTIONS_H

#include <stdbool.h>

#include "tools/lab/content/scene.h"

struct content_options {
    const struct scene_kind *kind;
    int width, height; /* 0: the scene's own */
    double fps;
    uint32_t seed;
    uint32_t frames; /* end after so many; 0: never */
    uint32_t raw;    /* not 0: write so many frames to stdout */
    uint32_t check;  /* not 0: read so many from stdin */
    bool no_sync;    /* go on although the X server has not drawn the frame yet */
};

/* Fills `o` with the defaults and what the command line says. -1: go on; else the status to exit
 * with, the reason or the help having been printed. */
int content_options_parse(struct content_options *o, int argc, char **argv);

#endif
