/* The menu: its pages, what stands on them, and what each entry asks for.
 *
 * Pure. Any thread. choices.c shows a page, and has done what is chosen. To add an entry: an action
 * here, a row in menu.c, and what it does in choices.c.
 */
#ifndef VNCHL_MENU_H
#define VNCHL_MENU_H

#include <stdbool.h>
#include <stdint.h>

#include "rfb/session/session_message.h"
#include "rfb/session/session_stats.h"
#include "viewer/desktop/input/keyboard/modifier.h"
#include "viewer/options/window_options.h"

#ifdef __cplusplus
extern "C" {
#endif

enum menu_page {
    MENU_MAIN,
    MENU_PLAY,
    MENU_SCALE,
    MENU_KEYS,
    MENU_CLIPBOARD,
    MENU_QUALITY,
    MENU_PRP
};

enum menu_action {
    MENU_OPEN, /* value: enum menu_page */
    MENU_FULL_SCREEN,
    MENU_ALL_MONITORS, /* full screen takes them, or one */
    MENU_SET_SCALE,    /* value: for menu_scale() */
    MENU_VIEW_ONLY,
    MENU_GRAB,
    MENU_CTRL_ALT_DEL,
    MENU_SEND_KEY,    /* the menu key itself */
    MENU_HOLD,        /* value: enum modifier, a key that stays down until it is chosen again */
    MENU_COPY,        /* value: enum clipboard_way, which goes or does not go from now on */
    MENU_TYPE,        /* the clipboard's text, as keys */
    MENU_SOUND,       /* value: 1, the server's is to be played; 0: not */
    MENU_SET_QUALITY, /* value: 0 to 9, or MENU_AUTO */
    MENU_SET_PRP,     /* value: ms; 0: off; MENU_AUTO */
    MENU_REFRESH,
    MENU_SCREENSHOT,
    MENU_PAUSE, /* a recording, or it goes on */
    MENU_MOVE,  /* value: seconds, in a recording */
    MENU_AGAIN, /* a recording, from its beginning */
    MENU_STATISTICS,
    MENU_ABOUT, /* what is known of the connection */
    MENU_MINIMISE,
    MENU_NEW, /* another window, for another connection */
    MENU_OPTIONS,
    MENU_RECONNECT,
    MENU_DISCONNECT,
    MENU_QUIT,
};

#define MENU_AUTO (-1)

/* What the entries show. */
struct menu_state {
    bool live;             /* a session takes input and wishes */
    bool plays;            /* it is a recording, which nothing can be sent to, */
    bool paused, ended;    /* and stands still, or was played to its end */
    bool several_monitors; /* full screen may take them: */
    bool all_monitors;     /* it does */
    bool full_screen, view_only, grabbed, statistics;
    unsigned held;      /* bit n: enum modifier n is down */
    unsigned clipboard; /* enum clipboard_way: the ways that texts go now, */
    unsigned allowed;   /* and those that the options allow */
    enum sound_state sound;
    const char *menu_key; /* for people; NULL: there is none */
    struct scale scale;
    double system_scale; /* how much larger this display wants all to be drawn; 1: it is ordinary */
    bool follows; /* with SCALE_AUTO and SCALE_SYSTEM the server's screen may follow the window */
    struct session_tuning tuning;
    bool limited;    /* --max-fps or --max-rate needs the automatic period */
    int quality_now; /* 0 to 9; below 0: a far end pushes, and has no such levels. Then: */
    int jpeg_now;    /* 1 to 100; 0: it has pushed nothing coarse lately */
    bool film_now;   /* it pushes a film */
    double prp_now;  /* ms; 0: none */
};

#define MENU_ENTRIES_MAX 24

struct menu_entry {
    enum menu_action action;
    int value;
    char letter; /* a small letter or a digit of its label that chooses it */
    bool on;     /* it is switched on, or it is what is chosen now */
    bool usable;
    bool begins;         /* a group of entries: a line stands above it */
    const char *heading; /* of the group that begins; NULL: it has none */
    const char *key;     /* does the same without the menu; NULL: no key does */
    char label[48];
    char now[40]; /* what is set now; empty: nothing to show */
};

/* The entries of a page. Returns how many. */
int menu_entries(enum menu_page page, const struct menu_state *state,
                 struct menu_entry out[MENU_ENTRIES_MAX]);

const char *menu_title(enum menu_page page);

/* The tuning after this choice: `action` is MENU_SET_QUALITY or MENU_SET_PRP. */
struct session_tuning menu_tuned(struct session_tuning before, enum menu_action action, int value);

/* What a choice of MENU_SET_SCALE means. */
struct scale menu_scale(int value);

#ifdef __cplusplus
}
#endif
#endif
