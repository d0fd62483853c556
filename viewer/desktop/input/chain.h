/* The chain that every SDL event goes through: an ordered array of handlers, the one in front
 * first. A menu or a dialog in front takes what it wants; the last handler is the session's
 * keyboard and pointer.
 *
 * UI thread. Owns nothing: the array and what it points to outlive the chain. A handler may call
 * chain_let_go(). What the chain guarantees:
 *
 *   - An event goes from handler to handler until one says that it has taken it.
 *   - The release of a key or button goes to the handler that took the press and to no other. So do
 *     the repeats and the text of a held key, and the motion while a button is held. A release
 *     whose press nobody took goes to nobody.
 *   - When a handler takes a press, a text or a turn of the wheel, all handlers behind it let go of
 *     what they hold. So nothing stays down on the server when something in front begins to take
 *     input. What they have let go of does not come to them any more until it is pressed again.
 *   - When the window loses the focus or is hidden, all handlers let go: the releases may
 *     never come.
 */
#ifndef VNCHL_CHAIN_H
#define VNCHL_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#include <SDL_events.h>

#ifdef __cplusplus
extern "C" {
#endif

struct chain_handler {
    /* True: taken, the handlers behind do not see it. What came to this handler only (a release, a
     * repeat) is taken in any case. */
    bool (*event)(void *user, const SDL_Event *e);
    /* Everything that is held down counts as released from now on. NULL: it holds nothing down. */
    void (*let_go)(void *user);
    void *user;
};

struct chain {
    const struct chain_handler *handlers; /* the one in front first */
    int count;
    /* Who took the press of each key and button that is down, and of the key whose text may come:
     * see chain.c. */
    uint8_t keys[SDL_NUM_SCANCODES];
    uint8_t buttons[UINT8_MAX + 1];
    uint8_t text;
};

/* At most 254 handlers. */
void chain_init(struct chain *c, const struct chain_handler *handlers, int count);

void chain_event(struct chain *c, const SDL_Event *e);

/* All handlers that hold something (let_go is not NULL) let go of it. The others keep the keys that
 * they took. */
void chain_let_go(struct chain *c);

#ifdef __cplusplus
}
#endif
#endif
