/* What a person does to a recording that is played: pauses it, goes on, moves in it, plays it
 * again. Space, Left, Right (with Shift further) and Home are its keys; nobody else wants keys
 * then.
 *
 * UI thread. Value type; `ui` and `connection` outlive it.
 */
#ifndef VNCHL_PLAYER_H
#define VNCHL_PLAYER_H

#include <stdbool.h>
#include <stdint.h>

#include <SDL_events.h>

#include "viewer/desktop/connection/connection.h"
#include "viewer/ui/ui.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PLAYER_STEP      10 /* seconds that a key moves by. Chosen. */
#define PLAYER_LONG_STEP 60 /* and with Shift */

struct player {
    struct ui *ui;
    struct connection *connection;
    bool told;  /* which keys there are */
    bool ended; /* told, and true: that the recording has ended */
};

/* Whether a recording is there to be played; whether it stands still; whether it was played to its
 * end. */
bool player_plays(const struct player *p);
bool player_is_paused(const struct player *p);
bool player_has_ended(const struct player *p);

/* Pauses, or goes on; at the end it begins again. */
void player_toggle(struct player *p);

/* To a place so many seconds later, or earlier. */
void player_move(struct player *p, int by);

/* From the beginning. */
void player_again(struct player *p);

/* A handler of the chain (chain.h); `player` is a struct player. */
bool player_on_input(void *player, const SDL_Event *e);

/* Says once which keys there are, and at the end that it is the end, while that is true. */
void player_look(struct player *p);

#ifdef __cplusplus
}
#endif
#endif
