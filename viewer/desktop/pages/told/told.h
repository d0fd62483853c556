/* What the window says of its connection, and what it has said once: the title, the bar at the top,
 * and messages that come and go by themselves.
 *
 * UI thread. Value type; `ui` outlives it. What it is told stands in its arguments: it asks nobody.
 */
#ifndef VNCHL_TOLD_H
#define VNCHL_TOLD_H

#include <stdbool.h>

#include <SDL_events.h>

#include "prerequest/tick.h"
#include "rfb/session/session_message.h"
#include "viewer/desktop/connection/slow.h"
#include "viewer/desktop/pages/told/notice.h"
#include "viewer/ui/ui.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The buttons of the bar. */
struct told_answers {
    void (*retry)(void *user);         /* now, instead of later */
    void (*give_up)(void *user);       /* connecting again */
    void (*connect_again)(void *user); /* instead of a session that is silent */
    void (*disconnect)(void *user);    /* from it */
    void *user;
};

struct told {
    struct ui *ui;
    struct told_answers answers;
    enum connection_state state;
    char server[TITLE_MAX];      /* as people name it */
    char name[SESSION_NAME_MAX]; /* the desktop's; empty: not known yet */
    char notice[NOTICE_MAX];     /* empty: none */
    bool recording;              /* what is shown is recorded */
    bool plays;                  /* it comes from a file, and there is no server */
    char place[PLAY_WORDS_MAX];  /* in the recording that is shown; empty: it is none, or stands */
    struct slow_news slow;       /* why this server is slow */
    bool view_only;              /* said: that keys do not reach the server */
    bool full_screen;            /* said: how to leave it, since it was entered */
    bool scaled;                 /* said: that the picture is drawn smaller than it is, */
    tick_t scaled_since;         /* which it is since then; 0: it is not */
};

/* What is true of the window now. */
struct told_facts {
    bool live; /* a session is up */
    bool view_only, grabbed;
    bool held;   /* the menu holds keys down on the server */
    bool caught; /* the pointer is the server's */
    bool full_screen;
    const char *shortage; /* what full screen has not got, as a sentence; NULL: nothing */
    bool scaled;          /* drawn smaller, where nobody has asked for that: */
    double scale;
    const char *menu_key; /* that opens the menu, as people name it */
};

void told_init(struct told *t, struct ui *ui, const struct told_answers *answers);

/* Another server, whose desktop has no name yet, or the same from the beginning. */
void told_new_server(struct told *t, const char *server);

/* What is shown or spoken of now, which the title begins with. */
void told_set_name(struct told *t, const char *name);

/* How the connection stands: shows what there is to tell of it. True when the title is another one.
 */
bool told_connection(struct told *t, const struct connection_status *status, tick_t now);

void told_title(const struct told *t, const struct told_facts *facts, char out[TITLE_MAX]);

/* How full screen is left, and how the menu is found there. */
#define TOLD_FULL_SCREEN_MAX 320
void told_full_screen(const struct told_facts *facts, char out[TOLD_FULL_SCREEN_MAX]);

/* Logs one line, and shows it: something that has happened. */
void told_say(struct ui *ui, const char *text);

/* A key was pressed: where the server gets none, says so, once. */
void told_key(struct told *t, const struct told_facts *facts, const SDL_Event *e, tick_t now);

/* Says once what is to be known of what is new, and takes away what is not true any more. */
void told_look(struct told *t, const struct told_facts *facts, tick_t now);

/* How the menu is opened, for those who are here for the first time. */
void told_hint(struct told *t, const char *menu_key, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
