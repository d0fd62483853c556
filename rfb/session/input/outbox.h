/* What waits to be told to the server besides requests: input, our clipboard, the size of its
 * screen, answers to its fences. And in which forms the server takes it.
 *
 * Any thread adds, and wakes the sender. The sender takes it out as bytes. It has a lock of its
 * own, and knows no socket. What cannot be told as the user may expect becomes a notice
 * (events_notice()).
 */
#ifndef VNCHL_OUTBOX_H
#define VNCHL_OUTBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/proto/client_messages.h"
#include "rfb/proto/extensions/extended_clipboard.h"
#include "rfb/proto/screen_layout.h"
#include "rfb/session/events.h"
#include "rfb/session/input/clipboard.h"
#include "rfb/session/session_message.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of answers to fences that may wait for the sender. Chosen: more than any server has on its
 * way at once. */
#define OUTBOX_FENCES_MAX 4096

struct outbox;

/* `ways`: enum clipboard_way. `events` must outlive it. NULL when out of memory or descriptors. */
struct outbox *outbox_create(unsigned ways, struct events *events);
void outbox_destroy(struct outbox *o);

/* The sender sleeps until this descriptor (an eventfd) is readable. outbox_wake() makes it so. */
int outbox_wake_fd(const struct outbox *o);
void outbox_wake(struct outbox *o);

/* ---- what the owner wants ---- */

/* Adds a KEY, POINTER, STEP or CUT_TEXT (rfb/session/input/commands.h), and wakes the sender. */
void outbox_add(struct outbox *o, const struct session_command *c);

/* The server's screen is to have this size; nothing where the server cannot. Wakes the sender. */
void outbox_want_size(struct outbox *o, int width, int height);

/* ---- what the server has said ---- */

/* It takes codes of keys. True: that is news. */
bool outbox_takes_key_codes(struct outbox *o);
/* It takes buttons 8 and 9. */
void outbox_takes_more_buttons(struct outbox *o);
/* It takes steps of the pointer from now on, or places. True: that is news. */
bool outbox_takes_steps(struct outbox *o, bool on);
/* It has these screens, so it takes SetDesktopSize. True: that is news. */
bool outbox_has_screens(struct outbox *o, const struct screen_layout *layout);
/* Its picture has this size now. */
void outbox_new_picture(struct outbox *o, int width, int height);
/* It did not do what SetDesktopSize asked for (enum desktop_size_result): the user is told once. */
void outbox_resize_refused(struct outbox *o, unsigned result);
/* A fence has come that is to be answered: wakes the sender. False: there is no room, because the
 * server does not read the answers. */
bool outbox_answer_fence(struct outbox *o, uint32_t flags, const uint8_t *payload, size_t size);
/* A message of the extended clipboard. True: the sender has something to do, and was woken. */
bool outbox_hear_clipboard(struct outbox *o, const struct extended_clipboard *m);
/* An update begins: a server that has said nothing of the extended clipboard does not have it. */
void outbox_settle_clipboard(struct outbox *o);

/* ---- the sender takes ---- */

/* Bytes for the server: `size` of `bytes`, and behind them a long text. */
struct outbox_batch {
    uint8_t bytes[2048];
    size_t size;
    const void *text; /* valid until the next outbox_take_input(); NULL: none */
    size_t text_size;
    unsigned messages; /* of input, as the user made them */
    unsigned written;  /* of keys and of the pointer, as the server gets them */
    bool acts;         /* they are more than motion */
    bool more;         /* more input may wait */
    bool waits;        /* motion of the pointer waits for room */
};

/* Takes input in its order. While our own socket is full (`room` false), motion of the pointer
 * waits: newer motion replaces it meanwhile. */
void outbox_take_input(struct outbox *o, bool room, struct outbox_batch *out);

/* Takes the answers to fences, what is due of the clipboard, and with `room` the size that the
 * server is asked for; OUTBOX_WRITE_MAX bytes at most. Returns the bytes. */
#define OUTBOX_WRITE_MAX (OUTBOX_FENCES_MAX + CLIPBOARD_WRITE_MAX + 2 * CLIENT_WRITE_MAX)
size_t outbox_take(struct outbox *o, bool room, uint8_t *out);

/* Takes our clipboard's text if the server has asked for it: the whole message, valid until the
 * next outbox_take_input(). NULL: it has not. */
const void *outbox_take_text(struct outbox *o, size_t *size);

/* Whether the server is to be asked for another size, which waits for room. */
bool outbox_size_waits(struct outbox *o);

/* ---- figures ---- */

struct outbox_forms {
    bool key_codes, more_buttons, extended_clipboard; /* the server takes them */
    bool steps;                                       /* of the pointer, and no places */
};
struct outbox_forms outbox_forms(struct outbox *o);

#ifdef __cplusplus
}
#endif
#endif
