/* A film: a rectangle that moves, whose frames go as one stream (H.264), each made of the ones
 * before. It takes far less than JPEG.
 *
 * What moves with it changes at least every PUSH_FILM_EVERY-th frame: a clock beside it, or text,
 * is no part of it.
 *
 * It begins where a frame's cells have moved for PUSH_FILM_MOVED, fill most of their bounding box,
 * and the rate does not carry them as JPEG: the level (push/picture/level.h) is at PUSH_FILM_STEP
 * or coarser, and there is no room for a better one. It ends when it rests for PUSH_FILM_REST, when
 * it has left its rectangle, or when the rate carries JPEG at PUSH_FILM_BACK, which is finer. What
 * was sent as film came with loss. As what came as JPEG, it is sent again exact once it is still.
 *
 * A frame is taken as the picture is then, and shows those cells of its rectangle that had changed.
 * Then it is encoded, which takes some ms. Then its parts leave, a block each. So the server's next
 * update tears no frame.
 *
 * A frame stands on the newest one before it that the viewer has or will have. When a part of it is
 * lost, the frame and all later ones are *void*: their cells have to go again, and the encoder has
 * to forget them. The next frame stands on one that is not, or on none (a key frame).
 *
 * Pure.
 */
#ifndef VNCHL_PUSH_FILM_H
#define VNCHL_PUSH_FILM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prerequest/push/constants.h"
#include "prerequest/push/picture/cells.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Blocks of a frame at most: 70 KB. */
#define PUSH_FILM_PARTS 64
/* Frames that are remembered: a lost one has to be among them when its loss is heard of. Chosen:
 * two seconds of 60 a second. */
#define PUSH_FILM_FRAMES 128
/* How far back, in numbers of blocks, the frame may be that another one stands on: the wire's. */
#define PUSH_FILM_BEFORE 65535

/* Cells of the picture. */
struct push_area {
    int column, row, columns, rows;
};

struct push_film_frame {
    uint32_t id; /* a number of blocks: newer blocks draw over it */
    struct push_area area;
    bool stands; /* the viewer has it, or will have it */
    unsigned cells, parts;
    uint32_t part[PUSH_FILM_PARTS]; /* the blocks that have left */
};

enum push_film_state {
    PUSH_FILM_FREE,   /* the next frame may be taken */
    PUSH_FILM_CODED,  /* one is being encoded */
    PUSH_FILM_LEAVES, /* its parts leave */
    PUSH_FILM_INSURES /* they have left, and what insures them may follow */
};

struct push_film {
    bool may; /* both ends can */
    bool on;
    struct push_area area;
    enum push_film_state state;
    tick_t moves_since;   /* TICK_NEVER: nothing has moved, */
    tick_t moved_at;      /* and when the newest frame of what moves was shown */
    int apart;            /* ms: from one of these frames to the next; smoothed */
    tick_t taken;         /* when the newest frame was */
    unsigned away;        /* frames in a row that moved outside */
    unsigned slow;        /* frames in a row that took too long to encode */
    tick_t not_before;    /* there is no film */
    double jpeg;          /* bytes: a frame as JPEG at PUSH_FILM_BACK */
    tick_t carried_since; /* TICK_NEVER: the rate does not carry that */
    uint32_t turn;        /* of the oldest change in the newest frame */
    int qp;               /* its quantiser, 1..51; 0: not known */
    unsigned parts;       /* of it */
    uint64_t frames;      /* taken; frame n is at n % PUSH_FILM_FRAMES */
    bool forgets;         /* the encoder is to forget the frames from this one on */
    uint64_t forget_from;
    struct push_film_frame frame[PUSH_FILM_FRAMES];
};

/* What the film is to be judged by. */
struct push_film_path {
    double rate;  /* bytes per second that a frame may use; 0: not known */
    double gap;   /* ns between frames */
    double bytes; /* of the newest frame as JPEG */
    double need;  /* share of the path that it took */
    int step;     /* of its quality (push/picture/level.h); -1: it does not follow the path */
};

/* What the encoder is to make. */
struct push_film_order {
    struct push_area area;
    uint32_t id;
    uint64_t number; /* frames are numbered in the order in which they are taken */
    bool key;        /* it stands on none */
    uint32_t before; /* else on the frame so many numbers of blocks before it */
    bool forgets;    /* the frames from this one on, up to this */
    uint64_t forget_from;
    size_t bytes; /* what it is to take */
    double fps;   /* how often one comes */
    /* Which of its cells it shows, row by row, from the lowest bit of each byte on. */
    uint8_t shows[(PUSH_FILM_CELLS + 7) / 8];
};

/* What is next of the film, and beside it. What does not move goes before all of the film, for
 * somebody reads it, but no longer than PUSH_FILM_YIELDS; what moves goes in its turn. */
enum push_film_next { PUSH_FILM_NOTHING, PUSH_FILM_BESIDE, PUSH_FILM_TAKE, PUSH_FILM_PART };

void push_film_init(struct push_film *f);

/* Another picture: all of it is forgotten but whether both ends can. */
void push_film_forget(struct push_film *f);

/* Whether both ends can. */
void push_film_allow(struct push_film *f, struct push_cells *c, bool may);

/* An update of the server has ended, and its changes are still counted in `c`. `frame`: it was one
 * of what moves. Begins or ends the film. */
void push_film_shown(struct push_film *f, struct push_cells *c, bool frame,
                     const struct push_film_path *path, tick_t now);

/* The film ends. What of a frame has not left goes otherwise. */
void push_film_end(struct push_film *f, struct push_cells *c);

/* The viewer may have nothing of it: the next frame is a key frame. */
void push_film_anew(struct push_film *f, struct push_cells *c);

/* While the film is on: what is next. BESIDE: `beside` is what goes next outside of it. */
enum push_film_next push_film_next(const struct push_film *f, const struct push_cells *c,
                                   struct push_run *beside, tick_t now);

/* What goes next outside of it: the oldest change of what does not move, else of what does. */
bool push_film_beside(const struct push_film *f, const struct push_cells *c, struct push_run *out);

/* A frame is taken: its cells count as sent, with loss. All of *out but `bytes` and `fps` is set.
 */
void push_film_take(struct push_film *f, struct push_cells *c, uint32_t id,
                    struct push_film_order *out, tick_t now);

/* It was encoded, and takes so many blocks; 0: it was not. False: none of it leaves. */
bool push_film_coded(struct push_film *f, struct push_cells *c, uint32_t id, unsigned parts,
                     tick_t now);

/* The next of them has left. Returns whether it was the last one. `insures`: what insures it may
 * follow. */
bool push_film_left(struct push_film *f, uint32_t sequence, bool insures);

/* Nothing more insures it. */
void push_film_insured(struct push_film *f);

/* The frame that was taken last; there has to be one. */
const struct push_film_frame *push_film_newest(const struct push_film *f);

/* Whether this block is a part of a frame that stands. */
bool push_film_has(const struct push_film *f, uint32_t sequence);

/* This block was lost. */
void push_film_lost(struct push_film *f, struct push_cells *c, uint32_t sequence);

/* Whether a frame was taken that has not left. */
static inline bool push_film_busy(const struct push_film *f)
{
    return f->state == PUSH_FILM_CODED || f->state == PUSH_FILM_LEAVES;
}

#ifdef __cplusplus
}
#endif
#endif
