#include "rfb/framing/client_framing.h"

#include <string.h>

#include "rfb/proto/bytes.h"
#include "rfb/proto/extensions/qemu_audio.h"

/* Bytes of messages, with their type. */
#define LENGTH_HEAD          8 /* of those with a length of 32 bits in front of their text */
#define SET_SCALE_BYTES      4
#define XVP_BYTES            4
#define GII_HEAD             4
#define QEMU_HEAD            4
#define SET_DESKTOP_SIZE_MAX (8 + UINT8_MAX * SCREEN_BYTES)

#define GII_BIG_ENDIAN 0x80
#define CHAT_SIGNALS   0xfffffffdu /* from here on a length is none: the chat begins or ends */

_Static_assert(SET_DESKTOP_SIZE_MAX <= CLIENT_HELD_MAX, "it fits");

/* What is known of the message that is held. */
enum held {
    HELD_PARTIAL, /* *more bytes of it are to come, perhaps others after them */
    HELD_WHOLE,
    HELD_HEAD, /* the head of a long message, of which *more bytes are to come */
    HELD_UNKNOWN,
    HELD_HOSTILE,
};

static enum held whole_at(size_t size, size_t wanted, uint64_t *more)
{
    *more = wanted > size ? wanted - size : 0;
    return size < wanted ? HELD_PARTIAL : HELD_WHOLE;
}

static enum held length_head(const uint8_t *head, size_t size, uint64_t *more)
{
    uint32_t length;

    if (whole_at(size, LENGTH_HEAD, more) == HELD_PARTIAL)
        return HELD_PARTIAL;
    length = get32(head + 4);
    if (head[0] == FOREIGN_TEXT_CHAT)
        *more = length < CHAT_SIGNALS ? length : 0;
    else /* a negative length is that of the extended clipboard */
        *more = length > INT32_MAX ? (uint64_t)UINT32_MAX - length + 1 : length;
    return HELD_HEAD;
}

static enum held gii_head(const uint8_t *head, size_t size, uint64_t *more)
{
    if (whole_at(size, GII_HEAD, more) == HELD_PARTIAL)
        return HELD_PARTIAL;
    *more = head[1] & GII_BIG_ENDIAN ? get16(head + 2) : (unsigned)head[2] | (unsigned)head[3] << 8;
    return HELD_HEAD;
}

static enum held client_framing_audio(const uint8_t *head, size_t size, uint64_t *more)
{
    unsigned operation = get16(head + 2);

    if (operation > QEMU_AUDIO_SET_FORMAT)
        return HELD_UNKNOWN;
    return whole_at(size,
                    operation == QEMU_AUDIO_SET_FORMAT ? QEMU_AUDIO_FORMAT_BYTES : QEMU_AUDIO_BYTES,
                    more);
}

/* Messages that rfb/proto/client_messages.h has. */
static enum held client_framing_known(struct client_framing *f, struct client_frame *found,
                                      uint64_t *more)
{
    size_t count;

    switch (client_message_read(f->held, f->held_size, f->extended_buttons, &found->message, &count,
                                &f->why)) {
    case MESSAGE_PARTIAL:
        *more = count;
        return HELD_PARTIAL;
    case MESSAGE_WHOLE:
        found->understood = true;
        return HELD_WHOLE;
    case MESSAGE_REFUSED:
        break;
    }
    return HELD_HOSTILE;
}

/* Looks at what is held, one byte at least. */
static enum held client_framing_look(struct client_framing *f, struct client_frame *found,
                                     uint64_t *more)
{
    const uint8_t *head = f->held;

    switch (head[0]) {
    case CLIENT_CUT_TEXT:
    case FOREIGN_TEXT_CHAT:
        return length_head(head, f->held_size, more);
    case FOREIGN_GII_MESSAGE:
        return gii_head(head, f->held_size, more);
    case FOREIGN_CLIENT_SET_SCALE:
    case FOREIGN_CLIENT_SET_SERVER_INPUT:
        return whole_at(f->held_size, SET_SCALE_BYTES, more);
    case FOREIGN_XVP_MESSAGE:
        return whole_at(f->held_size, XVP_BYTES, more);
    case CLIENT_QEMU:
        if (whole_at(f->held_size, QEMU_HEAD, more) == HELD_PARTIAL)
            return HELD_PARTIAL;
        if (head[1] == QEMU_AUDIO)
            return client_framing_audio(head, f->held_size, more);
        if (head[1] != 0)
            return HELD_UNKNOWN;
        return client_framing_known(f, found, more);
    case CLIENT_SET_PIXEL_FORMAT:
    case CLIENT_SET_ENCODINGS:
    case CLIENT_UPDATE_REQUEST:
    case CLIENT_KEY:
    case CLIENT_POINTER:
    case CLIENT_ENABLE_CONTINUOUS_UPDATES:
    case CLIENT_BLOCKS:
    case CLIENT_FENCE:
    case CLIENT_SET_DESKTOP_SIZE:
        return client_framing_known(f, found, more);
    default:
        return HELD_UNKNOWN;
    }
}

static void hand_out_held(struct client_framing *f, struct client_frame *found,
                          enum client_frame_event event)
{
    found->event = event;
    found->type = f->held[0];
    found->bytes = f->held;
    found->size = f->held_size;
    f->given = true;
}

/* Hands out what is held, or says with *more how many bytes are wanting for that. */
static void client_framing_decide(struct client_framing *f, struct client_frame *found,
                                  uint64_t *more)
{
    switch (client_framing_look(f, found, more)) {
    case HELD_PARTIAL:
        break;
    case HELD_WHOLE:
        hand_out_held(f, found, CLIENT_FRAME_MESSAGE);
        break;
    case HELD_HEAD:
        hand_out_held(f, found, CLIENT_FRAME_PART);
        f->type = found->type;
        f->left = *more;
        found->begins = true;
        found->ends = f->left == 0;
        break;
    case HELD_UNKNOWN:
        reason_set(&f->why, "a message of unknown type %d", f->held[0]);
        f->lost = CLIENT_FRAME_UNKNOWN;
        hand_out_held(f, found, CLIENT_FRAME_UNKNOWN);
        break;
    case HELD_HOSTILE:
        f->lost = CLIENT_FRAME_HOSTILE;
        hand_out_held(f, found, CLIENT_FRAME_HOSTILE);
        break;
    }
}

static size_t client_framing_smaller(uint64_t a, size_t b)
{
    return a < b ? (size_t)a : b;
}

/* More of a long message. */
static size_t client_framing_pass(struct client_framing *f, const uint8_t *bytes, size_t size,
                                  struct client_frame *found)
{
    size_t part = client_framing_smaller(f->left, size);

    if (part == 0)
        return 0;
    f->left -= part;
    *found = (struct client_frame){.event = CLIENT_FRAME_PART,
                                   .type = f->type,
                                   .bytes = bytes,
                                   .size = part,
                                   .ends = f->left == 0};
    return part;
}

/* ---- the interface ---- */

void client_framing_begin(struct client_framing *f)
{
    f->extended_buttons = f->given = false;
    f->lost = CLIENT_FRAME_NONE;
    f->left = 0;
    f->held_size = 0;
    f->why.text[0] = '\0';
}

size_t client_framing_read(struct client_framing *f, const uint8_t *bytes, size_t size,
                           struct client_frame *found)
{
    uint64_t more = 1; /* a type */
    size_t at = 0;

    *found = (struct client_frame){.event = (enum client_frame_event)f->lost};
    if (f->given) {
        f->given = false;
        f->held_size = 0;
    }
    if (f->lost != CLIENT_FRAME_NONE)
        return 0;
    if (f->left > 0)
        return client_framing_pass(f, bytes, size, found);
    if (f->held_size > 0)
        client_framing_decide(f, found, &more);
    while (found->event == CLIENT_FRAME_NONE && at < size) {
        size_t part = client_framing_smaller(more, size - at);

        memcpy(f->held + f->held_size, bytes + at, part);
        f->held_size += part;
        at += part;
        client_framing_decide(f, found, &more);
    }
    return at;
}

bool client_framing_between(const struct client_framing *f)
{
    return f->lost == CLIENT_FRAME_NONE && f->left == 0;
}

const char *client_framing_why(const struct client_framing *f)
{
    return f->why.text;
}
