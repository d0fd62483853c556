/* Wakes the window's thread from others: a session's, or one that waits for an answer.
 *
 * wake_up() for any thread, the rest for the UI thread. At most one wake-up is in SDL's queue. A
 * zeroed one keeps a wake-up until wake_begin().
 */
#ifndef VNCHL_WAKE_H
#define VNCHL_WAKE_H

#include <stdbool.h>

#include <SDL_atomic.h>
#include <SDL_events.h>

#ifdef __cplusplus
extern "C" {
#endif

struct wake {
    uint32_t event; /* of SDL */
    SDL_atomic_t begun;
    SDL_atomic_t pending;
};

/* From now on, SDL is there to be woken. It wakes once: something may have happened before. */
void wake_begin(struct wake *w);

/* `wake` is a struct wake. */
void wake_up(void *wake);

/* Whether the event is a wake-up. Take what has happened after this call: what comes later wakes
 * again. */
bool wake_is(struct wake *w, const SDL_Event *e);

#ifdef __cplusplus
}
#endif
#endif
