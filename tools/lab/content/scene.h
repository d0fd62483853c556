/* What the lab's content shows: scenes that are drawn into plain memory, frame by frame.
 *
 * A scene is a pure function: the same seed and the same frame number give the same picture. It
 * owns the picture of a whole window: the content, which begins at 0,0, and beside it the place of
 * the input mark. Its steps say how an X client changes the picture before into the picture now:
 * what it copies, fills and puts, in this order. The marks carry a time, so they are stamped last,
 * just before the change is sent.
 *
 * One thread calls all of it. Knows nothing of X and reads no clock.
 */
#ifndef VNCHL_LAB_SCENE_H
#define VNCHL_LAB_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/demo/canvas.h"
#include "tools/marks/mark.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SCENE_SIZE_MAX 4096
#define SCENE_OPS_MAX  8

enum scene_op_kind {
    SCENE_COPY, /* what was at from_x, from_y in the picture before comes to `area` */
    SCENE_FILL, /* `area` gets one colour */
    SCENE_PUT,  /* `area` is in the scene's picture */
};

struct scene_op {
    enum scene_op_kind kind;
    struct rect area;
    int from_x, from_y;
    uint32_t colour;
};

struct scene_change {
    struct scene_op ops[SCENE_OPS_MAX];
    int count;
};

struct scene;

enum scene_marks {
    SCENE_MARKS_NONE,   /* no frames either: only the input mark */
    SCENE_MARKS_CORNER, /* frame mark in the corner */
    SCENE_MARKS_INSIDE, /* frame mark top left, its end bottom right, over the content */
    SCENE_MARKS_ASIDE,  /* both in a column at the left of the area that is drawn into */
};

struct scene_kind {
    const char *name;
    enum scene_marks marks;
    bool on_press; /* a press draws the next frame; else the clock does */
    bool opens;    /* presses open something large, and close it, in turn */
    double fps;    /* unless said otherwise */
    double rest_s; /* nothing moves for so long after each as long motion; 0: always moves */
    int width, height;
    int min_width, min_height; /* 0: its size is fixed */
    int beside;                /* pixels: a strip below the content, so high; 0: there is none */
    uint32_t beside_every;     /* frames: it is another one then */
    /* The strip of this number: that of frame n has the number n / beside_every. paint() draws it,
     * too; step() does not. */
    void (*paint_beside)(struct scene *s, uint32_t number);
    bool (*open)(struct scene *s);
    void (*close)(struct scene *s);
    /* The whole content of frame n. */
    void (*paint)(struct scene *s, uint32_t n);
    /* The same, from frame n - 1, which is in the picture. */
    void (*step)(struct scene *s, uint32_t n, struct scene_change *change);
};

struct scene_place {
    bool there;
    int x, y; /* in the window */
};

struct scene {
    const struct scene_kind *kind;
    struct rect window; /* on the screen */
    struct canvas canvas;
    int width, height;  /* of the content */
    struct rect area;   /* of the content without the column of marks */
    struct rect beside; /* the strip below it */
    struct scene_place frame_at, end_at, input_at;
    struct mark input;
    uint32_t seed, frame;
    void *state; /* the kind's own */
};

/* All there are; ends with a NULL. */
extern const struct scene_kind *const scene_kinds[];
const struct scene_kind *scene_kind_find(const char *name);

/* Whether a content may have this size; one whose size is fixed takes any, and keeps its own. */
bool scene_fits(const struct scene_kind *kind, int width, int height);

/* Draws frame 0 and the marks, these without time. Width and height 0, or a kind of a fixed size:
 * the kind's own. NULL when memory is short. */
struct scene *scene_create(const struct scene_kind *kind, int width, int height, uint32_t seed);
void scene_destroy(struct scene *s);

struct mark_picture scene_picture(const struct scene *s);

/* The slots of a clock that ticks `fps` times a second: the first one, from `slot` on, that has a
 * frame. */
uint64_t scene_slot(const struct scene *s, uint64_t slot, double fps);

/* Draws the next frame, without marks, and begins a change. */
void scene_next(struct scene *s, struct scene_change *change);

/* Draws the frame's marks and adds to the change what they need; the frame mark is the last: where
 * it is seen, all of the frame is. */
void scene_stamp(struct scene *s, uint32_t time, struct scene_change *change);

/* Draws frame `number` with its marks, as whoever sees this mark of it should see it; the input
 * mark stays as it is. */
void scene_draw(struct scene *s, uint32_t number, uint32_t time);

/* Counts a press and draws the input mark; the change is that alone. */
void scene_press(struct scene *s, uint32_t time, struct scene_change *change);

/* For the kinds. */
void scene_add(struct scene_change *change, struct scene_op op);
void scene_put(struct scene_change *change, struct rect area);
/* Moves what is in `area` of the picture by dx, dy (in the picture and in the change). */
void scene_move(struct scene *s, struct scene_change *change, struct rect area, int dx, int dy);

#ifdef __cplusplus
}
#endif
#endif
