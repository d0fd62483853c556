/* What the user did and the server has not been told yet.
 *
 * Any thread adds, the sender takes. Has its own lock. Pointer motion that still waits is replaced
 * by newer motion with the same buttons, so a slow link never queues a trail of old positions. Of
 * the clipboard's texts only the newest waits, behind everything that came before it.
 */
#ifndef VNCHL_COMMANDS_H
#define VNCHL_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* More waiting commands than a person can make: the rest is dropped. */
#define COMMANDS_MAX 1024

enum command_type { COMMAND_KEY, COMMAND_POINTER, COMMAND_CUT_TEXT };

struct command {
    enum command_type type;
    uint32_t keysym; /* KEY */
    bool down;
    int x, y; /* POINTER */
    unsigned buttons;
    bool motion;  /* set by commands_add(): the buttons are as the command before left them */
    char *latin1; /* CUT_TEXT; malloc'ed, owned by whoever holds the command */
};

struct commands;

struct commands *commands_create(void);
void commands_destroy(struct commands *q);

/* True when the queue was empty, so the sender may have to be woken. */
bool commands_add(struct commands *q, struct command c);

/* Takes the oldest; false when there is none. */
bool commands_take(struct commands *q, struct command *out);

/* Nothing waits but pointer motion, which may as well wait a little more. */
bool commands_only_motion(struct commands *q);

#ifdef __cplusplus
}
#endif
#endif
