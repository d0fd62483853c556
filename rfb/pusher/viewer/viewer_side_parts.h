/* What a viewer_side has, for the files that it consists of. */
#ifndef VNCHL_VIEWER_SIDE_PARTS_H
#define VNCHL_VIEWER_SIDE_PARTS_H

#include <pthread.h>

#include "rfb/pusher/blocks/block_maker.h"
#include "rfb/pusher/blocks/datagram_blocks.h"
#include "rfb/pusher/blocks/film_maker.h"
#include "rfb/pusher/references/references.h"
#include "rfb/pusher/references/viewer_had.h"
#include "rfb/pusher/viewer/passed_sound.h"
#include "rfb/pusher/viewer/standing.h"
#include "rfb/pusher/viewer/viewer_side.h"

struct viewer_side {
    struct framebuffer *fb;
    struct block_maker maker;
    struct film_maker *film; /* NULL: no film can be made */
    int wake_fd;

    pthread_mutex_t lock; /* everything below */
    pthread_cond_t room;  /* fewer bytes wait, a picture has left, or it has ended */
    bool ended;
    bool away;    /* no viewer is there */
    bool preview; /* it has no stream yet: all leaves as datagrams */
    bool asked;   /* whether the server is alive */
    bool blank;   /* nothing was drawn yet, at this size: the picture is not worth sending */
    struct bytes_held queued; /* messages, and blocks, that leave before any that is made later */
    struct passed_sound sound;
    bool takes_sound; /* false while it is away */
    struct standing standing;
    struct push_plan plan;
    struct blocks_wishes wishes; /* the viewer's newest, */
    bool wished;                 /* if it has said some */
    struct push_cell *cells;
    struct datagram_blocks datagrams;
    struct push_report report;
    struct turnaround turnaround;
    struct viewer_had had;
    struct references *references; /* NULL: the viewer takes none */
    int width, height;             /* of the picture */
    uint8_t generation;
    uint32_t sequence;   /* of the newest block */
    tick_t begun;        /* when making the newest block has begun; 0: none was made */
    tick_t heard_at;     /* when the newest block was read, as the viewer has told */
    unsigned film_part;  /* the next one of the newest frame */
    uint16_t film_shows; /* as `shows`, for that frame */
    uint16_t input;      /* messages that have left for the server */
    uint16_t comes;      /* those before the update that is being read */
    uint16_t shows;      /* those before the one that was shown */
};

/* ---- blocks (viewer_side_blocks.c); with the lock held ---- */

/* What every block has; `shows`: messages of input that the server had before what it shows. */
void viewer_side_number(struct viewer_side *v, struct block *b, uint16_t shows);
/* Makes a block of the strip with a payload of `room` bytes at most, or one that says more with
 * less. False: none is to leave now. */
bool viewer_side_make(struct viewer_side *v, const struct push_strip *strip, bool area, size_t room,
                      struct block *block, tick_t now);
/* It leaves, with `extra` bytes around it: its number, and what follows for the plan. */
void viewer_side_sent(struct viewer_side *v, const struct push_strip *strip, struct block *block,
                      size_t extra, tick_t now);

#endif
