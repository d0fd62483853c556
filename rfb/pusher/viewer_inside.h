/* What viewer_side.h holds. Only viewer_side.c and the files beside it that begin with viewer_ use
 * it.
 */
#ifndef VNCHL_VIEWER_INSIDE_H
#define VNCHL_VIEWER_INSIDE_H

#include <pthread.h>

#include "rfb/pusher/block_maker.h"
#include "rfb/pusher/datagram_blocks.h"
#include "rfb/pusher/film_maker.h"
#include "rfb/pusher/standing.h"
#include "rfb/pusher/viewer_had.h"
#include "rfb/pusher/viewer_side.h"

struct viewer_side {
    struct framebuffer *fb;
    struct block_maker maker;
    struct film_maker *film; /* NULL: no film can be made */
    int wake_fd;

    pthread_mutex_t lock; /* everything below */
    pthread_cond_t room;  /* fewer bytes wait, a picture has left, or it has ended */
    bool ended;
    bool away;  /* no viewer is there */
    bool asked; /* whether the server is alive */
    bool blank; /* nothing was drawn since the picture got its size: it is not worth sending */
    struct bytes_held passed;
    struct standing standing;
    struct push_plan plan;
    struct push_cell *cells;
    struct datagram_blocks datagrams;
    struct push_report report;
    struct viewer_had had;
    int width, height; /* of the picture */
    uint8_t generation;
    uint32_t sequence;   /* of the newest block */
    tick_t heard_at;     /* when the newest block was read, as the viewer has told */
    unsigned film_part;  /* the next one of the newest frame */
    uint16_t film_shows; /* as `shows`, for that frame */
    uint16_t input;      /* messages that have left for the server */
    uint16_t comes;      /* those before the update that is being read */
    uint16_t shows;      /* those before the one that was shown */
};

#endif
