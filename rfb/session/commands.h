/* What the user did and the server has not been told yet.
 *
 * Any thread adds, the sender takes. Has its own lock. Pointer motion that still waits is replaced
 * by newer motion with the same buttons, so a slow link never queues a trail of old positions. Of
 * the clipboard's texts only the newest waits, behind everything that came before it.
 */
#ifndef VNCHL_COMMANDS_H
#define VNCHL_COMMANDS_H

#include <stdbool.h>

#include "rfb/session/session_message.h"

#ifdef __cplusplus
extern "C" {
#endif

/* More waiting commands than a person can make: the rest is dropped. */
#define COMMANDS_MAX 1024

struct commands;

struct commands *commands_create(void);
void commands_destroy(struct commands *q);

/* Adds a copy. KEY, POINTER and CUT_TEXT only. True when the queue was empty, so the sender may
 * have to be woken. */
bool commands_add(struct commands *q, const struct session_command *c);

/* Takes the oldest, for free(); NULL when there is none. `motion`: a pointer command with the
 * buttons as the one before left them. */
struct session_command *commands_take(struct commands *q, bool *motion);

/* Nothing waits but pointer motion, which may as well wait a little more. */
bool commands_only_motion(struct commands *q);

#ifdef __cplusplus
}
#endif
#endif
