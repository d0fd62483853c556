/* Messages from server to client, as bytes (RFB 3.8, sections 7.6 to 7.8; ServerFence and
 * EndOfContinuousUpdates are of the community specification): a server writes them, the client
 * reads them. Here are the parts of fixed length, which are called heads. Pure; the bytes are the
 * caller's.
 *
 * Each client_ message has a function that reads it whole. A server's message is read piece by
 * piece from the stream instead, because its pixels have no length that could be known before
 * (rfb/session/pictures/messages.h).
 *
 * A head of a message begins with the message's type. Bell and EndOfContinuousUpdates are their
 * type and no more, so they have no functions here. Cursors and DesktopSize have no head but their
 * rectangle's; for the bytes of a cursor see rfb/proto/encodings/cursor.h.
 *
 * Each function that writes returns the length of the head. Each that reads takes the whole head.
 */
#ifndef VNCHL_SERVER_MESSAGES_H
#define VNCHL_SERVER_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/proto/blocks.h"
#include "rfb/proto/message_types.h"
#include "rfb/proto/screen_layout.h"
#include "rfb/region.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes. That of a fence is FENCE_HEAD. */
#define SERVER_UPDATE_HEAD     4
#define SERVER_COLOUR_MAP_HEAD 6
#define SERVER_CUT_TEXT_HEAD   8
#define SERVER_HEAD_MAX        FENCE_HEAD /* no message has a longer one */

#define RECTANGLE_HEAD    12
#define SCREENS_HEAD      4
#define DESKTOP_NAME_HEAD 4
#define TIMESTAMP_BYTES   8 /* the whole payload of PSEUDO_TIMESTAMP */
#define LEDS_BYTES        1 /* the whole payload of PSEUDO_LEDS */
#define ALPHA_CURSOR_HEAD 4

/* FramebufferUpdate: so many rectangles follow, or any number up to LastRect. */
size_t server_write_update(uint8_t *out, unsigned rectangles);
unsigned server_read_update(const uint8_t *head);

/* A rectangle of it. Reading returns the encoding; what follows depends on that. */
size_t server_write_rectangle(uint8_t *out, struct rect r, int32_t encoding);
int32_t server_read_rectangle(const uint8_t *head, struct rect *r);

/* ExtendedDesktopSize, behind the rectangle's head: so many screens follow, of SCREEN_BYTES each.
 * The rectangle's x says who asked for the size, its y what came of it. */
#define DESKTOP_SIZE_THIS_CLIENT 1 /* x: the client that gets this message */
/* y: what came of a request of this client. */
enum desktop_size_result {
    DESKTOP_SIZE_DONE,
    DESKTOP_SIZE_PROHIBITED,
    DESKTOP_SIZE_NO_RESOURCES,
    DESKTOP_SIZE_BAD_LAYOUT,
    DESKTOP_SIZE_FORWARDED, /* to somebody else, who may do it later */
};
size_t server_write_screens(uint8_t *out, unsigned screens);
unsigned server_read_screens(const uint8_t *head);

/* DesktopName, behind the rectangle's head: a text of `length` bytes follows, UTF-8. */
size_t server_write_desktop_name(uint8_t *out, uint32_t length);
uint32_t server_read_desktop_name(const uint8_t *head);

/* Which locks of the server's keyboard are on, behind the head of a rectangle with PSEUDO_LEDS.
 * Other bits mean nothing. */
enum leds { LED_SCROLL = 1 << 0, LED_NUM = 1 << 1, LED_CAPS = 1 << 2 };
#define LEDS_ALL (LED_SCROLL | LED_NUM | LED_CAPS)
size_t server_write_leds(uint8_t *out, unsigned leds);
unsigned server_read_leds(const uint8_t *payload);

/* How an accelerator pushes; an empty policy: it does not say it. */
#define ACCELERATOR_POLICY 12
struct accelerator_pushing {
    char policy[ACCELERATOR_POLICY]; /* small letters */
    unsigned rate_kbit, sent_kbit;   /* per second: what the path delivers, 0: not known; is sent */
    unsigned fps10;                  /* pictures in ten seconds; 0: not known */
    unsigned jpeg;                   /* quality of what moves, 1..100; 0: exact */
    unsigned film_qp;                /* quantiser of the film (H.264's QP), 1..51; 0: none goes */
};

/* How an accelerator shows itself: an update with PSEUDO_ACCELERATOR alone, whose width is the
 * length of a text: words NAME=VALUE or NAME, one space between two. Words that are not known are
 * skipped. Writing returns the bytes of the whole update, at most ACCELERATOR_UPDATE_MAX. Reading
 * takes the text behind the rectangle's head. */
#define ACCELERATOR_CONGESTION 16
#define ACCELERATOR_UPDATE_MAX 396
#define ACCELERATOR_SECRET     32 /* bytes */
struct accelerator_shown {
    /* of TCP, towards the client; empty: there is none */
    char congestion[ACCELERATOR_CONGESTION];
    /* The versions of pushed blocks that it speaks (rfb/proto/blocks.h); 0: it pushes none. It
     * pushes if the client speaks one of them. */
    unsigned blocks_oldest, blocks_newest;
    bool digests; /* it takes digests of what the viewer still has (BLOCKS_DIGESTS), by its key */
    bool goodbye; /* it pushes, and knows a viewer's goodbye */
    /* The UDP port at which it awaits the viewer's datagrams, and the secret that seals them
     * (rfb/datagrams/sealed.h); 0: there are none. Only where it pushes. */
    uint16_t datagrams_port;
    uint8_t datagrams_secret[ACCELERATOR_SECRET];
    struct accelerator_pushing pushing; /* said again and again */
    bool
        each; /* it wants to be told of each block that comes as a datagram, and of nothing twice */
    uint8_t digest_key[BLOCKS_KEY_BYTES];
    /* A ticket for the viewer's next visit (rfb/pusher/visits/ahead.h): as for datagrams. */
    uint16_t ticket_port;
    uint8_t ticket_secret[ACCELERATOR_SECRET];
};
size_t server_write_accelerator(uint8_t *out, const struct accelerator_shown *shown);
void server_read_accelerator(const char *text, struct accelerator_shown *shown);

/* A cursor with alpha, behind the rectangle's head: in which pixel encoding its pixels follow. */
size_t server_write_alpha_cursor(uint8_t *out, int32_t encoding);
int32_t server_read_alpha_cursor(const uint8_t *head);

/* SetColourMapEntries: so many colours follow, of COLOUR_BYTES each. Reading returns their number
 * alone. */
#define COLOUR_BYTES 6
size_t server_write_colour_map(uint8_t *out, unsigned first, unsigned colours);
unsigned server_read_colour_map(const uint8_t *head);

/* ServerCutText: a text of `length` bytes follows, Latin-1. */
size_t server_write_cut_text(uint8_t *out, uint32_t length);
uint32_t server_read_cut_text(const uint8_t *head);

/* ServerFence: a payload of `size` bytes follows, 0..255. FENCE_MAX is for the caller to check. */
size_t server_write_fence(uint8_t *out, uint32_t flags, size_t size);
size_t server_read_fence(const uint8_t *head, uint32_t *flags);

#ifdef __cplusplus
}
#endif
#endif
