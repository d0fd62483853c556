/* The inside of the window (screen.h). screen.c opens and draws it, screen_window.c is its place on
 * the display, screen_full.c full screen, screen_picture.c what the picture is drawn from,
 * screen_memory.c draws without a renderer. Nobody else includes this.
 *
 * UI thread.
 */
#ifndef VNCHL_SCREEN_STATE_H
#define VNCHL_SCREEN_STATE_H

#include <SDL_render.h>

#include "viewer/desktop/covers.h"
#include "viewer/desktop/memory.h"
#include "viewer/desktop/pan.h"
#include "viewer/desktop/screen.h"
#include "viewer/desktop/x_window.h"

struct screen {
    struct ui *ui;
    SDL_Window *window;
    SDL_Renderer *renderer; /* NULL: drawn in memory */
    SDL_Texture *texture;   /* NULL before the first picture and when it was lost */
    struct memory memory;
    struct covers covers;      /* of the ui, as it was drawn in memory last */
    struct x_window *x_window; /* shows memory; NULL: SDL does, or a renderer draws */
    uint32_t segment;          /* the picture's, which the X server has mapped; 0: it has not */
    SDL_Surface *small; /* in the texture: a picture that the card would coarsen; else NULL */
    int width, height;  /* of the picture; 0 before the first */
    struct screen_map map;
    struct window_place place;
    struct scale scale;
    struct pan pan;                 /* of a picture larger than the window */
    int set_w, set_h;               /* the size that we gave the window last, */
    tick_t set_at;                  /* when, */
    int set_before_w, set_before_h; /* and the one before */
    struct full_screen monitors;    /* that full screen is to take */
    const char *shortage;           /* what of that it has not got; NULL: nothing */
    bool spread_here;               /* the window is over all of them without the window manager; */
    SDL_Rect before;                /* where it was before full screen, with its frame */
    bool changes_monitors;          /* full screen is left for other monitors */
    bool told_manager;              /* of monitors for full screen, which it keeps in mind */
    bool was_fixed;                 /* full screen or maximised, when its size changed last */
    bool left_fixed;                /* the newest size is what full screen has left behind */
    bool vsync;
    bool shown;
    bool grab;         /* screen_set_grab() */
    bool screen_grab;  /* in full screen, which takes the keys, too */
    uint64_t pictures; /* how many came to the display */
    bool take_all;     /* nothing of this picture was taken yet */
    bool dim;
    bool dirty;     /* what is on the display is old */
    int draw_again; /* so many times, whether it is old or not */
};

/* The window or the picture has another size: where the picture is in the window now. */
void screen_update_map(struct screen *s);

/* The part of the display that windows may take, without this window's own frame. */
SDL_Rect screen_usable_area(const struct screen *s);

/* Gives the window a size. Only what it gets from others counts as the user's. */
void screen_set_size(struct screen *s, int width, int height);

/* The window's size has changed. */
void screen_note_size(struct screen *s);

void screen_drop_texture(struct screen *s);

/* Also frees what the ui has in it. */
void screen_drop_renderer(struct screen *s);

/* Makes ready to draw without a renderer, and draws. False when that fails for good. */
void screen_open_memory(struct screen *s);
void screen_close_memory(struct screen *s);
bool screen_draw_memory(struct screen *s, struct framebuffer_reader *picture);

/* Something of the ui is to be seen: a page, a notice, or the ground where there is no picture. */
bool screen_shows_ui(const struct screen *s);
void screen_draw_ui(struct screen *s, SDL_Renderer *renderer);

/* The picture has another size from now on, or comes from somewhere else. */
void screen_note_picture(struct screen *s, int width, int height);

/* The picture has changed in these parts. */
void screen_note_damage(struct screen *s, const struct region *damage);

/* Copies what changed to the texture that it is drawn from. A picture whose size changes meanwhile
 * comes with the next wake-up. False when that fails for good. */
bool screen_take_picture(struct screen *s, struct framebuffer_reader *picture);

#endif
