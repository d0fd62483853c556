/* The far end's decisions: what of the picture is sent, in which order, how fast and how good.
 *
 * A program beside the server keeps the server's picture. It tells this module what changed, asks
 * for the next strip, encodes it into a block (at most one packet, which decodes alone), and sends
 * it without being asked: Octopus's server push (section 4.1) with blocks of one packet (4.2). One
 * round of the program:
 *
 *   while (push_plan_next(p, &strip, now)) {
 *       encode from the strip's left, as many cells as fit into a packet
 *       last = push_plan_sent(p, &strip, width, ++sequence, bytes, exact, now)
 *       send the block, with the flag `last` if so
 *   }
 *   sleep until push_plan_look_again(p, now), or until something comes
 *
 * Nothing else is told between push_plan_next() and the push_plan_sent() that answers it.
 *
 * A *pass* sends all that had changed when it began. What changes meanwhile waits for the next pass
 * (push/picture/order.h), but the block that carries a cell shows it as it is then. So frames stay
 * whole only if the server's next frame comes after the pass. Where the path is slower than the
 * content the program has to see to that: it takes the server's next update only when
 * push_plan_wants() it. The server then puts together what it has drawn meanwhile, and the pass is
 * over soon.
 *
 *   what    picture/cells.h   a map of what the viewer does not have yet
 *   order   picture/order.h   what the user waits for, the oldest change, what is still and lossy
 *   fast    rate/flow.h       bytes on their way, by delivery rate and round trip
 *   good    picture/level.h   JPEG quality, by what a frame takes and how often frames come
 *
 * What the user waits for: what changes within PUSH_EFFECT after input in small rectangles, and
 * small rectangles near the pointer; but nothing that moves by itself.
 *
 * What moves for long, and is too much as JPEG, goes as a film (push/picture/film.h) where both
 * ends can. Its frames are taken and sent between the strips:
 *
 *   strip.why == PUSH_FRAME       push_plan_take_frame(), encode; push_plan_cut_frame(),
 *                                 push_plan_frame_coded()
 *   strip.why == PUSH_FRAME_PART  send the next part; push_plan_part_left()
 *
 * One owner, not locked. About 90 kB: not for a stack. Pure: no clock, no allocation.
 */
#ifndef VNCHL_PUSH_PLAN_H
#define VNCHL_PUSH_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prerequest/know/content_gap.h"
#include "prerequest/push/constants.h"
#include "prerequest/push/picture/cells.h"
#include "prerequest/push/picture/film.h"
#include "prerequest/push/picture/level.h"
#include "prerequest/push/rate/flow.h"

#ifdef __cplusplus
extern "C" {
#endif

struct push_options {
    double most_rate;   /* bytes per second; 0: no limit */
    double most_fps;    /* passes per second; 0: no limit */
    int quality;        /* 0..9 as VNC's JPEG levels; -1: follows the path */
    bool jpeg;          /* false: exact always */
    bool exact_at_rest; /* what was sent with loss comes again exact once it is still */
};

/* Why a strip is sent. */
enum push_why {
    PUSH_EFFECT_OF_INPUT,
    PUSH_NEWS,
    PUSH_REFINEMENT,
    PUSH_FRAME,      /* no strip: a frame of the film is to be taken (push_plan_take_frame()) */
    PUSH_FRAME_PART, /* no strip: the next part of it may leave (push_plan_part_left()) */
};

struct push_strip {
    int x, y, w, h; /* pixels; one row of cells high, cut at the picture's edge */
    int most_h;     /* pixels; h, or more: with as many rows below, where all of the width needs the
                       same, too */
    int jpeg;       /* JPEG quality 1..100 for cells that look like a picture; 0: exact */
    enum push_why why;
};

/* What a pass has sent. */
struct push_pass {
    bool active;
    bool judged;    /* the level has been told of it */
    uint32_t turn;  /* it sends changes up to this turn */
    tick_t begun;   /* TICK_NEVER: none yet */
    tick_t ended;   /* its last block left */
    double bytes;   /* of all its blocks */
    double lossy;   /* of those sent with loss */
    unsigned cells; /* sent */
};

struct push_plan {
    struct push_options options;
    struct push_flow flow;
    struct push_level level;
    struct content_gap content;
    struct push_cells cells;
    struct push_film film;
    struct push_pass pass;
    bool hidden;
    bool may_lose;      /* blocks may be lost */
    double copies;      /* bytes that leave for each byte of a frame */
    bool comes;         /* in the middle of an update of the server */
    tick_t comes_since; /* the first change of the newest update */
    bool moves;         /* the newest large update was of what moves */
    bool awaited;       /* input was sent, and no effect of it was seen */
    double frame_cells; /* of a frame of what moves; smoothed */
    double need;        /* share of the path that a frame takes up */
    double service;     /* ns of the path that a frame takes */
    double frame_bytes; /* of a frame as JPEG */
    tick_t frame_at;    /* the newest frame; TICK_NEVER: none */
    tick_t input_at;    /* TICK_NEVER: none */
    tick_t pass_due;    /* the next one, where the user has limited them */
    int pointer_x, pointer_y;
};

struct push_figures {
    double rate;       /* bytes per second that the path delivers; 0: not known */
    tick_t round_trip; /* ns, the smallest of the last seconds; 0: not known */
    tick_t queue;      /* ns: how much longer the newest round trip was */
    uint64_t on_way;   /* bytes */
    double window;     /* bytes that may be on their way */
    int jpeg;          /* quality of what moves, 1..100; 0: exact */
    double need;       /* share of the path that the content takes at its own rate */
    tick_t gap;        /* between the content's frames, ns */
    uint32_t changed;  /* cells that wait */
    uint32_t lossy;    /* cells that wait to be sent exact */
};

/* How many push_cell a picture takes. */
size_t push_plan_cells(int width, int height);

void push_plan_init(struct push_plan *p, const struct push_options *o, tick_t now);
/* See push_flow_keep_window(). */
void push_plan_keep_window(struct push_plan *p);
void push_plan_tune(struct push_plan *p, const struct push_options *o, tick_t now);

/* Nobody sees the picture: nothing is sent until it is shown again. */
void push_plan_hide(struct push_plan *p, bool hidden, tick_t now);

/* A new picture, or a new size; also at first. `memory` for push_plan_cells() stays the caller's,
 * and has to stay there. All has changed. */
void push_plan_picture(struct push_plan *p, struct push_cell *memory, int w, int h, tick_t now);

/* An update of the server has changed these pixels. They are in the picture by now. */
void push_plan_changed(struct push_plan *p, int x, int y, int w, int h, tick_t now);

/* An update of the server copied a part of the picture. False while blocks may be lost. True: the
 * viewer has, or will have when all that was sent has come, the same pixels or the same with loss
 * at the source. So a copy block may be sent right now (push_plan_sent_other()). False: the target
 * counts as changed. */
bool push_plan_copied(struct push_plan *p, int from_x, int from_y, int x, int y, int w, int h,
                      tick_t now);

/* That update has ended. The picture is a whole one. True: all of it has left already, as blocks
 * before this or as copies. None of them said that the picture is complete, so a block without
 * pixels has to (push_plan_sent_other()). */
bool push_plan_shown(struct push_plan *p, tick_t now);

/* Whether the server's next update is to be taken (asked for, or read) now. False while a pass
 * would be torn by it: ask again after push_plan_sent(), and after push_plan_look_again(). */
bool push_plan_wants(const struct push_plan *p, tick_t now);

/* The user's key or click went to the server. */
void push_plan_input(struct push_plan *p, tick_t now);
void push_plan_pointer(struct push_plan *p, int x, int y);

/* From now on blocks may be lost on their way, or no longer. While they may, nothing is copied, for
 * a copy is of what may be lost; and the flow rests on no TCP (push/rate/flow.h). Before it is
 * switched off, all that may be lost was acknowledged or told as lost. */
void push_plan_may_lose(struct push_plan *p, bool on);

/* This block with these pixels, whole cells, was lost. Told in the order of leaving: all blocks
 * before it have come, or were told as lost (push/packets/arrivals.h). What no later block has
 * carried goes again, before all else but what the user waits for. It is no part of an update, and
 * no pass. */
void push_plan_lost(struct push_plan *p, uint32_t sequence, int x, int y, int w, int h, tick_t now);

/* The next strip to encode. The encoder may take fewer cells, from its left; or all of its width,
 * and rows below it up to most_h. False: nothing may leave now. */
bool push_plan_next(struct push_plan *p, struct push_strip *out, tick_t now);

/* The strip's upper left `w` x `h` pixels left as one block of `bytes` with this sequence number.
 * `w` ends at the edge of a cell, or is all of the strip; `h` is the strip's, or with rows below it
 * up to most_h. `exact`: without loss; always when strip->jpeg was 0. Returns whether nothing
 * changed is left to send: the viewer's picture is a whole one then, apart from loss. */
bool push_plan_sent(struct push_plan *p, const struct push_strip *s, int w, int h,
                    uint32_t sequence, size_t bytes, bool exact, tick_t now);

/* Whether both ends can take a film. */
void push_plan_allow_film(struct push_plan *p, bool may);

/* The viewer could not read the film, and asks for these pixels again; or it may have none of the
 * frames there. */
void push_plan_film_anew(struct push_plan *p, int x, int y, int w, int h);

/* A frame is taken: the picture as it is now. `id`: a number of blocks that no block has. */
void push_plan_take_frame(struct push_plan *p, uint32_t id, struct push_film_order *out,
                          tick_t now);

/* It was encoded, with this quantiser (H.264's QP). Returns into how many blocks it is to be cut;
 * more than PUSH_FILM_PARTS: it is too large. */
unsigned push_plan_cut_frame(struct push_plan *p, size_t bytes, int qp);

/* It leaves in so many blocks; 0: encoding did not work. False: none of them is to leave. */
bool push_plan_frame_coded(struct push_plan *p, uint32_t id, unsigned parts, tick_t now);

/* The next of them has left. Returns the same as push_plan_sent(). */
bool push_plan_part_left(struct push_plan *p, uint32_t sequence, size_t bytes, tick_t now);

/* Whether this block is a part of a frame that stands, and that it is lost: it and what stands on
 * it has to go again. push_plan_lost() says both for parts, too. */
bool push_plan_is_of_frame(const struct push_plan *p, uint32_t sequence);
void push_plan_frame_lost(struct push_plan *p, uint32_t sequence);

/* Nothing more leaves that insures the newest frame. */
void push_plan_frame_insured(struct push_plan *p);

/* For each byte of a frame so many leave, with copies and parities that only insure against loss.
 */
void push_plan_expect_copies(struct push_plan *p, double copies);

/* When a block may be sent again only because it may get lost: now, or later, or TICK_NEVER: not
 * before something happens. Never while anything else waits. */
tick_t push_plan_spare_at(const struct push_plan *p, tick_t now);

/* The pixels of block `before` leave again, in a block of their own. False: they are not worth it,
 * for some have changed meanwhile or left since; nothing leaves then. */
bool push_plan_again(struct push_plan *p, int x, int y, int w, int h, uint32_t before,
                     uint32_t sequence, size_t bytes, tick_t now);

/* A parity of blocks left, when push_plan_spare_at() allowed it, under this sequence number. */
void push_plan_sent_more(struct push_plan *p, uint32_t sequence, size_t bytes, tick_t now);

/* The viewer is told, by a block of so many bytes, that these pixels are still as it had them
 * before this connection, and it has them exactly. The rectangle is of whole cells. Returns the
 * same as push_plan_sent(). */
bool push_plan_has(struct push_plan *p, int x, int y, int w, int h, uint32_t sequence, size_t bytes,
                   tick_t now);

/* A copy block, or other bytes that count. Each has a sequence number of its own. */
void push_plan_sent_other(struct push_plan *p, uint32_t sequence, size_t bytes, tick_t now);

/* The viewer says now that it has read all blocks up to this one. What it says may have waited at
 * its end. `at` is when this end would have heard it without that wait. */
void push_plan_acknowledged(struct push_plan *p, uint32_t sequence, tick_t at, tick_t now);

/* When push_plan_next() or push_plan_wants() may say yes though nothing else happens. */
tick_t push_plan_look_again(struct push_plan *p, tick_t now);

struct push_figures push_plan_figures(const struct push_plan *p, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
