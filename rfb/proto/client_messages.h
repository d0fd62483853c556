/* Messages from client to server, as bytes (RFB 3.8, section 7.5; ClientFence,
 * EnableContinuousUpdates, SetDesktopSize, QEMU's extended key event and the extended form of
 * PointerEvent are of the community specification): the client writes them, a server reads them.
 * Pure; the bytes are the caller's.
 */
#ifndef VNCHL_CLIENT_MESSAGES_H
#define VNCHL_CLIENT_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/proto/blocks.h"
#include "rfb/proto/encodings/encodings.h"
#include "rfb/proto/encodings/pixel_format.h"
#include "rfb/proto/message_types.h"
#include "rfb/proto/screen_layout.h"
#include "rfb/region.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- writing ----
 *
 * Each function writes one whole message to `out` and returns its length, which is at most
 * CLIENT_WRITE_MAX. */

#define CLIENT_WRITE_MAX 160

size_t client_write_set_pixel_format(uint8_t *out, const struct pixel_format *f);
/* The levels must be chosen: neither may be LEVEL_AUTO. */
size_t client_write_set_encodings(uint8_t *out, const struct encoding_options *options);
size_t client_write_update_request(uint8_t *out, bool incremental, struct rect r);
size_t client_write_key(uint8_t *out, uint32_t keysym, bool down);
/* The extended key event, for a server that has sent PSEUDO_KEY_CODES. `code` says where the key is
 * on the keyboard (viewer/desktop/input/keyboard/key_code.h). `keysym` 0: it is not known what the
 * key means. */
size_t client_write_key_code(uint8_t *out, uint32_t keysym, uint32_t code, bool down);
/* A place outside 0..65535 becomes the nearest inside. Bit n of `buttons` is button n + 1.
 * `extended`: the server has sent PSEUDO_EXTENDED_BUTTONS, and takes 15 buttons. Without it there
 * are eight, and what is above them is left out. */
size_t client_write_pointer(uint8_t *out, int x, int y, unsigned buttons, bool extended);

/* The same message, for a server that has said that it takes steps of the pointer
 * (rfb/session/pictures/source.h): how far it has moved since the message before. A step is cut to
 * what there is room for. QEMU's pointer motion change: 0x7fff stands for no step. */
#define STEP_NONE 0x7fff
size_t client_write_step(uint8_t *out, int dx, int dy, unsigned buttons, bool extended);
/* The head of ClientCutText; `length` bytes of Latin-1 follow it. */
size_t client_write_cut_text(uint8_t *out, uint32_t length);
/* Enables them, for this part of the screen. */
size_t client_write_enable_continuous_updates(uint8_t *out, struct rect r);
/* `size` is FENCE_MAX at most. */
size_t client_write_fence(uint8_t *out, uint32_t flags, const uint8_t *payload, size_t size);
/* Asks for a picture of this size, for a server that has sent PSEUDO_EXTENDED_DESKTOP_SIZE. Each
 * side is 1..65535. */
size_t client_write_set_desktop_size(uint8_t *out, int width, int height,
                                     const struct screen_layout *layout);

/* ---- reading ---- */

/* More encodings in one SetEncodings are refused: no client knows as many. */
#define CLIENT_ENCODINGS_MAX 1024

/* What was read. Fields that the type does not have are zero. Numbers are as they were sent: a
 * rectangle or a place may lie outside the screen. */
struct client_message {
    enum client_message_type type;
    struct pixel_format format; /* SET_PIXEL_FORMAT */
    unsigned encodings;         /* SET_ENCODINGS: their number; client_message_encoding() */
    struct rect rect;           /* UPDATE_REQUEST, ENABLE_CONTINUOUS_UPDATES */
    bool incremental;           /* UPDATE_REQUEST */
    bool enable;                /* ENABLE_CONTINUOUS_UPDATES */
    uint32_t keysym;            /* KEY, QEMU */
    bool down;
    uint32_t key_code;            /* QEMU */
    int x, y;                     /* POINTER: 0..65535 */
    struct blocks_message blocks; /* BLOCKS */
    int width, height;            /* SET_DESKTOP_SIZE: 0..65535 */
    unsigned buttons; /* bit 0 is the left one; 0..255, and in the extended form 0..32767 */
    uint32_t flags;   /* FENCE */
    /* FENCE: its payload. CUT_TEXT: the text, Latin-1 without an end mark. SET_ENCODINGS: the
     * list. SET_DESKTOP_SIZE: its screens (server_screen_read()). It is a part of the bytes that
     * were read, and is valid as long as these are. NULL when it is empty. */
    const uint8_t *payload;
    size_t payload_size;
    /* CUT_TEXT: the length of a text that is longer than TEXT_MAX, otherwise 0. Such a text is not
     * counted to the message, and payload is NULL. The caller drops so many bytes after it. */
    uint32_t dropped;
};

enum message_read {
    MESSAGE_PARTIAL, /* the bytes are the beginning of a message */
    MESSAGE_WHOLE,   /* they begin with a whole message */
    MESSAGE_REFUSED, /* no client may say this */
};

/* Reads the message at the beginning of `size` bytes; more may follow it. `extended`: the client
 * was told PSEUDO_EXTENDED_BUTTONS, so a PointerEvent may have the extended form.
 *
 * PARTIAL: *count more bytes are needed, perhaps others after them. The message is never shorter
 * than that, so nothing of the next one is asked for. WHOLE: the message has *count bytes, and *m
 * is filled. REFUSED: `why` says what was wrong. A connection cannot go on then, because where the
 * next message begins may not be known.
 *
 * No message here is longer than TEXT_MAX and a few bytes. */
enum message_read client_message_read(const uint8_t *bytes, size_t size, bool extended,
                                      struct client_message *m, size_t *count, struct reason *why);

/* Number `i` of a SetEncodings; i is less than m->encodings. */
int32_t client_message_encoding(const struct client_message *m, unsigned i);

#ifdef __cplusplus
}
#endif
#endif
