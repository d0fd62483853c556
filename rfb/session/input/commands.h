/* Commands for the server that the sender has not sent yet: keys, pointer, texts.
 *
 * Any thread adds, the sender takes. The queue has a lock of its own. Pointer motion that still
 * waits is replaced by newer motion with the same buttons, so a slow link does not get a trail of
 * old positions. Steps that wait become one. Of the clipboard's texts only the newest waits. It
 * stands behind everything that was added before it.
 */
#ifndef VNCHL_COMMANDS_H
#define VNCHL_COMMANDS_H

#include <stdbool.h>

#include "rfb/session/session_message.h"

#ifdef __cplusplus
extern "C" {
#endif

/* So many may wait; what comes then is dropped. Chosen: more than a person makes. */
#define COMMANDS_MAX 1024

struct commands;

struct commands *commands_create(void);
void commands_destroy(struct commands *q);

/* Adds a copy of the command, which is a KEY, POINTER, STEP or CUT_TEXT. True when the sender may
 * be asleep, and has to be woken: the queue was empty, or held only motion that waits for room. */
bool commands_add(struct commands *q, const struct session_command *c);

/* Takes the oldest; the caller frees it. NULL when there is none. `motion` is set when it is a
 * pointer command with the same buttons as the pointer command before. */
struct session_command *commands_take(struct commands *q, bool *motion);

/* Whether one pointer motion waits and nothing else. It may wait a little more. */
bool commands_only_motion(struct commands *q);

#ifdef __cplusplus
}
#endif
#endif
