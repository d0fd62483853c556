/* The extended clipboard, as bytes (community specification, "Extended Clipboard
 * Pseudo-Encoding"): cut text whose length is negative. It carries UTF-8, and it can announce a
 * text before it sends it. Of its formats we use the text only.
 *
 * What either side may do:
 *   caps     says what it takes, and up to which size without being asked; the server begins
 *   notify   "my clipboard has changed"
 *   request  "send me your text"
 *   provide  the text, packed by zlib
 *   peek     "do you have a text?"; the answer is a notify
 *
 * Pure, but for memory. A text here is UTF-8, its lines end with LF.
 */
#ifndef VNCHL_EXTENDED_CLIPBOARD_H
#define VNCHL_EXTENDED_CLIPBOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The longest text that goes either way, bytes without its NUL; what comes is counted as it comes,
 * with CR LF. Chosen: more than a thousand pages. The picture stands still while a text arrives. */
#define EXTENDED_TEXT_MAX (4 << 20)
/* A longer message is not read: zlib makes no text longer than this. */
#define EXTENDED_BODY_MAX (EXTENDED_TEXT_MAX + EXTENDED_TEXT_MAX / 64 + 1024)
/* Up to so many bytes the server may send a text without being asked. Chosen: it saves a round
 * trip, and takes a second on a slow link. */
#define EXTENDED_UNASKED_MAX (1 << 20)

enum extended_flag {
    EXTENDED_TEXT = 1 << 0, /* the format */
    EXTENDED_CAPS = 1 << 24,
    EXTENDED_REQUEST = 1 << 25,
    EXTENDED_PEEK = 1 << 26,
    EXTENDED_NOTIFY = 1 << 27,
    EXTENDED_PROVIDE = 1 << 28,
};

/* A message that was read. */
struct extended_clipboard {
    uint32_t action;  /* one of CAPS to PROVIDE */
    bool text;        /* the format is among those of the message */
    uint32_t accepts; /* CAPS: the actions that the server takes */
    uint32_t unasked; /* CAPS: bytes of a text that it takes without having asked for it */
    char *provided;   /* PROVIDE: the text, for the reader to free; NULL: there is none */
    size_t too_long;  /* PROVIDE: the length of a text that is longer than EXTENDED_TEXT_MAX */
};

/* Reads the `size` bytes that follow the head of a cut text with the length -size. The text is made
 * well-formed. False: no server may say this, or memory has run out; `why` says which. */
bool extended_clipboard_read(const uint8_t *body, size_t size, struct extended_clipboard *m,
                             struct reason *why);

/* A whole message of a client without a text: NOTIFY, REQUEST or PEEK. Returns its length. */
#define EXTENDED_MESSAGE 12
size_t extended_clipboard_write(uint8_t *out, enum extended_flag action, bool text);

/* The client's CAPS: the text alone, and these actions. Returns its length. */
#define EXTENDED_CAPS_MESSAGE 16
size_t extended_clipboard_write_caps(uint8_t *out, uint32_t actions, uint32_t unasked);

/* The client's PROVIDE of this text, malloc'ed, *size bytes. NULL when out of memory. */
uint8_t *extended_clipboard_provide(const char *text, size_t *size);

#ifdef __cplusplus
}
#endif
#endif
