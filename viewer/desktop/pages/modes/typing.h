/* The clipboard's text is typed at the server (typist.h): what begins it, what stops it, and what
 * the user is told.
 *
 * UI thread. Value type; what it points to outlives it.
 */
#ifndef VNCHL_TYPING_H
#define VNCHL_TYPING_H

#include <stdbool.h>

#include <SDL_events.h>

#include "prerequest/tick.h"
#include "viewer/desktop/connection/connection.h"
#include "viewer/desktop/input/keyboard/typist.h"
#include "viewer/desktop/input/seat.h"
#include "viewer/ui/ui.h"

#ifdef __cplusplus
extern "C" {
#endif

struct typing {
    struct ui *ui;
    struct seat *seat;
    const struct connection *connection;
    struct typist typist;
};

/* Nothing is begun where the server gets no keys, or the text is none that can be typed. */
void typing_begin(struct typing *t);

/* Ends without a word. Safe on a zeroed one. */
void typing_end(struct typing *t);

/* A handler of the chain (chain.h); `typing` is a struct typing. A key stops it, and is taken. So
 * does a click, which is not taken, and a window that loses the focus. */
bool typing_on_input(void *typing, const SDL_Event *e);

/* Types what is due; typing_wait() says when something is next, or TICK_NEVER. */
void typing_time(struct typing *t, tick_t now);
tick_t typing_wait(const struct typing *t);

#ifdef __cplusplus
}
#endif
#endif
