/* What goes to the server: the viewer's messages that are passed on, answers to fences, and what
 * the pacing asks for (rfb/session/pacing.h).
 *
 * Two threads use it: the puller, which answers fences, and the loop. It has a lock of its own.
 */
#ifndef VNCHL_SERVER_SIDE_H
#define VNCHL_SERVER_SIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prerequest/tick.h"
#include "rfb/proto/client_messages.h"
#include "rfb/pusher/constants.h"
#include "rfb/session/pacing.h"

#ifdef __cplusplus
extern "C" {
#endif

struct server_side;

/* `fd`: the connection, which stays the caller's. `near`: the server is a process of this machine.
 * `wake_fd` as in viewer_side_create(). NULL when out of memory. */
struct server_side *server_side_create(int fd, bool near, int wake_fd);
void server_side_destroy(struct server_side *s);

/* ---- the beginning ---- */

/* The viewer has listed its encodings: writes what the server is told. False: out of memory. */
bool server_side_begin(struct server_side *s, const struct client_message *encodings, int width,
                       int height);
/* The same in a later message, where only what is passed on can change. */
void server_side_learn(struct server_side *s, const struct client_message *encodings);

/* The server takes more buttons, and the viewer will be told so. Any thread. */
void server_side_learn_buttons(struct server_side *s);
bool server_side_takes_more_buttons(struct server_side *s);

/* The server takes steps of the pointer from now on, or places. Any thread. */
void server_side_learn_steps(struct server_side *s, bool on);
bool server_side_takes_steps(struct server_side *s);

/* Whether the viewer has listed this one. Any thread. */
bool server_side_lists(struct server_side *s, int32_t encoding);

/* The pacing; NULL before server_side_begin(). */
struct pacing *server_side_pacing(struct server_side *s);
/* The encodings that the server was offered. */
const struct encoding_options *server_side_offers(const struct server_side *s);

/* ---- messages ---- */

/* Passes a message of the viewer on. False: out of memory. */
bool server_side_pass(struct server_side *s, const void *bytes, size_t size);
/* The same with a part of a long one. Nothing else is said to the server before its end. */
bool server_side_pass_part(struct server_side *s, const void *bytes, size_t size, bool ends);
/* Answers a fence. False: out of memory, or the server does not read its answers. */
bool server_side_answer_fence(struct server_side *s, uint32_t flags, const uint8_t *payload,
                              size_t size);

/* Whether more of the viewer may be read. */
bool server_side_has_room(struct server_side *s);

/* ---- the loop ---- */

/* Adds the requests that are due, if the server is to be asked (`asks`), and sends what waits, as
 * much as there is room for. False: the server takes nothing more, and what is for it is dropped
 * from now on. */
bool server_side_send(struct server_side *s, bool asks, tick_t now);
/* Whether something waits for room. */
bool server_side_waits(struct server_side *s);
/* When a request will be due. */
tick_t server_side_look_again(struct server_side *s, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
