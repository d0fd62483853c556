/* What the viewer itself draws in its window: dialogs, the start window, the menu, notices,
 * figures.
 *
 * UI thread. All of the toolkit (Dear ImGui, in C++) is behind this header, and nowhere else. `ui`
 * owns copies of all that it is given. It draws with an SDL_Renderer that it does not own, above
 * the picture or, where there is none, on a ground of its own.
 *
 *   - At most one page is open: a dialog, the start window, a menu or facts. It takes all keys,
 * texts and pointer events. With the keyboard alone: Tab and the arrow keys go from item to item,
 * Enter presses the button with the focus, or the default one from a field or a box, Space changes
 * a box and presses a button, Escape is Cancel. At first a field has the focus, or the default
 * button.
 *   - An answer comes through a callback, from inside ui_event(). The page is closed before, so the
 *     callback may open the next one. It may not destroy the ui.
 *   - How the connection stands is a bar at the top of the window. It takes input only where it has
 *     buttons, and while no page is open.
 *   - A strip of buttons comes and goes as its owner says, who also sees to its input.
 *   - Messages hide as little as they can: they are small, and lie beside the picture, or in the
 *     corner that is farthest from the pointer and from what changes. They take no input.
 *   - Nothing is drawn unless something has changed: ui_take_changed().
 *
 * All texts are UTF-8. Those that a server wrote went through sanitise() (rfb/texts/reason.h)
 * before.
 */
#ifndef VNCHL_UI_H
#define VNCHL_UI_H

#include <stdbool.h>
#include <stdint.h>

#include <SDL_events.h>
#include <SDL_render.h>

#include "prerequest/tick.h"
#include "rfb/region.h"
#include "viewer/ui/theme.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ui;

/* NULL when out of memory. */
struct ui *ui_create(enum ui_theme theme);

/* What the desktop says now: counts where the theme is AUTO. */
void ui_set_colour_scheme(struct ui *ui, enum colour_scheme scheme);

/* Call ui_forget_renderer() before, if there still is a renderer. Safe on NULL. */
void ui_destroy(struct ui *ui);

/* ---- pages ---- */

enum ui_answer {
    UI_CANCELLED,
    UI_ACCEPTED,
    UI_ACCEPTED_ONCE,
};

struct ui_fact {
    const char *name, *value;
};

/* To be compared letter by letter: a fingerprint. All letters have the same width; the person can
 * select them. */
struct ui_code {
    const char *label;
    const char *text;   /* its lines are not broken; NULL: there is none */
    const char *copied; /* what the button beside it copies */
};

#define UI_CODES        2
#define UI_DIALOG_FACTS 2

/* What is NULL or false is not there. */
struct ui_dialog {
    const char *title;
    bool alarm;          /* the title is marked as a warning */
    const char *warning; /* what went wrong before, marked as such */
    const char *text;
    struct ui_fact facts[UI_DIALOG_FACTS]; /* below the text; without a name: there is none */
    struct ui_code codes[UI_CODES];
    const char *below; /* more text, below the codes */
    bool ask_user;     /* a field for a user name */
    bool ask_password; /* a field that does not show what is typed */
    const char *user;  /* what the field for the user name holds at first */
    const char *keep;  /* the text of a box below the password; NULL: there is none */
    bool keeps;        /* it has a tick at first */
    /* What the box was left as, right before `answered`, unless that is cancelled. */
    void (*keep_chosen)(void *owner, bool on);
    const char *accept;     /* the text of the button that accepts */
    const char *once;       /* of the one that accepts for this time only; NULL: there is none */
    const char *cancel;     /* the text of the other one; it has to be there */
    bool cancel_by_default; /* Enter cancels: to accept may be a mistake */
    /* `user` and `password` are what was typed, NULL where nothing was asked for; they are
     * overwritten after the call. */
    void (*answered)(void *owner, enum ui_answer answer, const char *user, const char *password);
    void *owner;
};

/* Opens a dialog instead of the page that is open now, whose callback is not called any more. */
void ui_ask(struct ui *ui, const struct ui_dialog *dialog);

/* A server that was shown before. */
struct ui_server {
    const char *address;    /* as the person typed it; may be empty with a way */
    const char *name;       /* the desktop's, or NULL */
    const uint32_t *pixels; /* its last picture, 0x00RRGGBB; NULL: not kept */
    int width, height;
    const char *way;    /* that it was reached by, for whoever owns the list */
    const char *called; /* address and way, as people say it */
};

/* The user's own options with a name. */
struct ui_profile {
    const char *name;
    const char *server; /* that it names, or NULL */
    /* That one, where it was shown before, for its picture; or NULL. */
    const struct ui_server *shown;
};

/* A server that announces itself in this network: anybody may do so, under any name. */
struct ui_nearby {
    const char *name;
    const char *address;
    bool accelerated; /* it says that it is a vnchl-accel */
};

/* What the start window says of a connection. */
struct ui_choice {
    const char *address; /* as it was typed, chosen or dropped: it may be wrong. May be empty with a
                            profile */
    const char *profile; /* NULL: none */
    bool view_only, full_screen, shared;
    bool nearby;     /* the address is the announcement's, and was not typed */
    const char *way; /* that of the server that was chosen in the list; of one nearby it is empty.
                        NULL: none was, and what is said of a way counts */
};

struct ui_start {
    struct ui_choice first;            /* what it shows at first; its profile is ignored */
    const char *warning;               /* what is wrong with that, or NULL */
    const struct ui_server *servers;   /* the last one first */
    const struct ui_profile *profiles; /* above them */
    int count, profile_count;
    const char *said; /* what has been said with "Options", or NULL */
    bool complete;    /* that leads to a server without an address */
    void (*chosen)(void *owner, const struct ui_choice *choice); /* NULL: cancelled */
    /* The person wants to see the options, or those of a profile. The page is closed. */
    void (*options)(void *owner, const struct ui_choice *choice);
    /* The person wants to delete this profile. The page is closed. */
    void (*remove)(void *owner, const struct ui_choice *choice);
    /* The person does not want to see this server again. The window stays open, without it. */
    void (*forget)(void *owner, const char *address, const char *way);
    void *owner;
};

/* Opens the start window in the same way. It also takes what is dropped on it: a file's name, or a
 * text. */
void ui_show_start(struct ui *ui, const struct ui_start *start);

/* Those that were found so far, in the order in which they were found: they stand at the end of the
 * start window's list, if that is what is open. Never fewer than before. */
void ui_show_nearby(struct ui *ui, const struct ui_nearby *servers, int count);

struct ui_menu_entry {
    const char *label;
    const char *heading; /* above it, or NULL */
    const char *now;     /* what is set now, or NULL */
    const char *key;     /* does the same without the menu; or NULL */
    char letter;         /* a small letter or a digit of the label that chooses it */
    bool on;             /* with a mark: switched on, or chosen */
    bool usable;
    bool begins; /* a line stands above it */
};

struct ui_menu {
    const char *title;
    const struct ui_menu_entry *entries;
    int count;
    int focus; /* the entry that has the focus at first */
    /* `entry` is the number of the one that was chosen; -1: the menu was left. */
    void (*chosen)(void *owner, int entry);
    void *owner;
};

/* Opens a menu in the same way. */
void ui_show_menu(struct ui *ui, const struct ui_menu *menu);

/* Opens a page of facts, to be read and closed. */
void ui_show_facts(struct ui *ui, const char *title, const struct ui_fact *facts, int count);

/* Closes the page without an answer. */
void ui_close(struct ui *ui);

/* Whether a page is open: the session gets no input. */
bool ui_is_open(const struct ui *ui);

/* Whether that page is a menu. */
bool ui_is_menu(const struct ui *ui);

/* ---- notices ---- */

/* A notice, perhaps with buttons. What is NULL is not there. */
struct ui_bar {
    const char *text;
    const char *accept, *cancel; /* texts of buttons: Enter, Escape */
    /* Keys, texts and what the pointer does elsewhere are still for the session. */
    bool lets_input_pass;
    void (*answered)(void *owner, enum ui_answer answer); /* may be called more than once */
    void *owner;
};

/* How the connection stands. It stays until another one, or NULL, replaces it. While a bar has
 * buttons and no page is open, it takes all keys, texts and pointer events, unless it lets them
 * pass. Keys that are pressed within a second after it has come do nothing: they were meant for
 * somebody else. */
void ui_notice(struct ui *ui, const struct ui_bar *bar, tick_t now);

/* What a message is about. */
enum ui_topic {
    UI_EVENT, /* something that has happened */
    /* what is true for a while */
    UI_FULL_SCREEN, /* how to leave it */
    UI_VIEW_ONLY,   /* that input does not reach the server */
    UI_SLOW,        /* why the session is slow */
    UI_SCALED,      /* that the picture is smaller than the server's screen */
    UI_HINT,        /* what a new user may not know */
    UI_TYPING,      /* that keys are typed for the user */
    UI_PLAYING,     /* where a recording is, and how it is moved in */
    UI_POINTER,     /* how the pointer is caught, or given back */
    UI_TOPICS
};

/* Something that has happened. It is shown for some seconds, after those that came before. */
void ui_message(struct ui *ui, const char *text, tick_t now);

/* Something that is true for a while: the same, but another text replaces it, and NULL takes it
 * away, whether it is shown or waits. */
void ui_message_while(struct ui *ui, enum ui_topic topic, const char *text, tick_t now);

/* ---- a strip ---- */

/* Buttons side by side at the top of the window, a little below the edge. */
struct ui_strip {
    const char *const *labels;
    int count;
    int x; /* of its middle, as the system counts */
};

/* NULL: there is none any more. While a page is open it is not seen. */
void ui_show_strip(struct ui *ui, const struct ui_strip *strip);

/* Marks a button; -1: none. */
void ui_light_strip(struct ui *ui, int button);

/* Whether the pointer is over something of the ui's: a page is open, or a button is marked. */
bool ui_has_pointer(const struct ui *ui);

/* Points of the window, as the system counts. Whether the strip is there; which button, -1: none;
 * the line below it, 0: there is no strip. */
bool ui_strip_has(const struct ui *ui, int x, int y);
int ui_strip_button(const struct ui *ui, int x, int y);
int ui_strip_bottom(const struct ui *ui);

/* ---- figures ---- */

#define UI_GRAPHS    2
#define UI_GRAPH_MAX 60 /* values side by side */

enum ui_corner { UI_TOP_RIGHT, UI_TOP_LEFT, UI_BOTTOM_LEFT, UI_BOTTOM_RIGHT };

struct ui_graph {
    const char *name;
    const float *values; /* the newest one last; below 0: not known */
    int count;           /* UI_GRAPH_MAX at most */
};

struct ui_figures {
    enum ui_corner corner;
    const struct ui_fact *rows;
    int count;
    struct ui_graph graphs[UI_GRAPHS];
};

/* Shows figures in a corner, above the picture, until the next ones or NULL replace them. They take
 * no input. */
void ui_show_figures(struct ui *ui, const struct ui_figures *figures);

/* ---- input, time and drawing ---- */

/* True: taken. While a page is open that is every key, text and pointer event. */
bool ui_event(struct ui *ui, const SDL_Event *event);

/* Tells the time; ui_wait() says when it has to be told next, or TICK_NEVER. */
void ui_time(struct ui *ui, tick_t now);
tick_t ui_wait(const struct ui *ui);

/* Whether there is anything to draw above a picture. */
bool ui_is_visible(const struct ui *ui);

/* Whether it looks other than when it was asked last. */
bool ui_take_changed(struct ui *ui);

/* The server's screen has changed there, in pixels of the window. */
void ui_picture_changed(struct ui *ui, const struct rect *where);

#define UI_COVERS 4

/* What ui_draw() has drawn last hides these parts of the window wholly, and nothing else. False:
 * it lies over the whole window, and lets the picture shine through. */
bool ui_covers(const struct ui *ui, struct rect out[UI_COVERS], int *count);

/* The window, as the system counts it and in pixels; both are the same on most displays. */
struct ui_view {
    int window_w, window_h;
    float dpi;      /* pixels per inch of the display; 0: unknown */
    bool picture;   /* a picture has been drawn; else the ui draws a ground */
    struct rect at; /* where, in pixels; it may reach over the edges */
};

/* Draws all that is open, over the whole output of the renderer. */
void ui_draw(struct ui *ui, SDL_Renderer *renderer, const struct ui_view *view);

/* Frees what was made for the renderer. Before it is destroyed, and when it has lost its textures.
 */
void ui_forget_renderer(struct ui *ui);

#ifdef __cplusplus
}
#endif
#endif
