/* The clipboard of one session: what the server has said of it, and what it has still to be told.
 *
 * Some servers know the extended clipboard (rfb/proto/extensions/extended_clipboard.h). Such a
 * server says so as soon as it has our encodings, so before its first update. Our text waits for
 * that: before, it is not known in which form the server takes it. Then a server with the extended
 * clipboard is told that there is a text, and asks for it when somebody pastes. Another server gets
 * the text at once, in ISO 8859-1.
 *
 * The receiver hears, the sender tells. The outbox has it (outbox.h): call everything with its lock
 * held, unless it is said to be the sender's alone.
 */
#ifndef VNCHL_SESSION_CLIPBOARD_H
#define VNCHL_SESSION_CLIPBOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/proto/extensions/extended_clipboard.h"

#ifdef __cplusplus
extern "C" {
#endif

struct session_clipboard {
    unsigned ways;    /* enum clipboard_way (rfb/session/session.h) */
    bool known;       /* whether the server has the extended clipboard */
    bool extended;    /* it has */
    uint32_t accepts; /* what it takes: actions */
    uint32_t unasked; /* bytes of a text, with its NUL, that it takes without asking */
    /* What it has to be told. Each is told once, however often it was asked for meanwhile. */
    bool caps_due, request_due, notify_due, provide_due;
    /* The sender's alone. */
    char *text;      /* ours, the newest; NULL: none yet */
    bool waits;      /* the server has not been told of it, because too little is known */
    uint8_t *packed; /* the message that provides it; NULL: nobody has asked for it */
    size_t packed_size;
};

/* How a server has to be told that our text is a new one. What takes no notify is LibVNCServer:
 * before 0.9.15 it offers the extended form also for programs that drop it, such as x11vnc. */
enum clipboard_form {
    CLIPBOARD_WAITS,    /* not yet */
    CLIPBOARD_PLAIN,    /* by the whole text, in ISO 8859-1 */
    CLIPBOARD_ANNOUNCE, /* by a notify */
    CLIPBOARD_PROVIDE,  /* by the whole text, in ISO 8859-1 and then extended */
    CLIPBOARD_TOO_LONG, /* the server takes no text of this length */
};

void session_clipboard_init(struct session_clipboard *c, unsigned ways);
void session_clipboard_deinit(struct session_clipboard *c);

/* The server has sent this message. True: the sender has something to do now. */
bool session_clipboard_hear(struct session_clipboard *c, const struct extended_clipboard *m);

/* The first update has come. A server that has said nothing of the extended clipboard until now
 * does not have it. True: the sender has something to do now. */
bool session_clipboard_settle(struct session_clipboard *c);

/* Keeps a copy of the text as the newest. False when out of memory. The sender's alone. */
bool session_clipboard_keep(struct session_clipboard *c, const char *utf8);

enum clipboard_form session_clipboard_form(const struct session_clipboard *c);

/* Writes what is due but the text: CLIPBOARD_WRITE_MAX bytes at most. Returns the bytes. */
#define CLIPBOARD_WRITE_MAX (EXTENDED_CAPS_MESSAGE + 2 * EXTENDED_MESSAGE)
size_t session_clipboard_write(struct session_clipboard *c, uint8_t *out);

/* Whether the text is due. It is not due any more afterwards. */
bool session_clipboard_take_provide(struct session_clipboard *c);

/* The message that provides the text, *size bytes. It is valid until the text is replaced. NULL:
 * there is no text, or no memory. The sender's alone. */
const uint8_t *session_clipboard_packed(struct session_clipboard *c, size_t *size);

#ifdef __cplusplus
}
#endif
#endif
