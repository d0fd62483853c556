#include "rfb/framing/server_framing.h"

#include <string.h>

#include "rfb/framing/server_steps.h"
#include "rfb/proto/bytes.h"
#include "rfb/proto/extensions/qemu_audio.h"
#include "rfb/proto/server_messages.h"

/* Bytes behind the type. */
#define XVP_REST  3
#define GII_REST  3
#define CHAT_REST 7

#define GII_BIG_ENDIAN 0x80
#define CHAT_SIGNALS   0xfffffffdu /* from here on a length is none: the chat begins or ends */

/* ---- steps ---- */

void server_await(struct server_framing *f, uint64_t skip, enum server_step step, size_t want)
{
    f->step = (uint8_t)step;
    intake_expect(&f->in, skip, want);
}

static void server_no_boundaries(struct server_framing *f, enum server_frame_event event,
                                 const char *why, long number)
{
    f->lost = (uint8_t)event;
    reason_set(&f->why, "%s %ld", why, number);
}

void server_unknown(struct server_framing *f, const char *why, long number)
{
    server_no_boundaries(f, SERVER_FRAME_UNKNOWN, why, number);
}

void server_hostile(struct server_framing *f, const char *why, long number)
{
    server_no_boundaries(f, SERVER_FRAME_HOSTILE, why, number);
}

void server_rectangle_ends(struct server_framing *f, uint64_t skip)
{
    f->now.rectangles++;
    f->rectangles_left--;
    if (f->rectangles_left > 0)
        server_await(f, skip, STEP_RECTANGLE, RECTANGLE_HEAD);
    else
        server_await(f, skip, STEP_UPDATE_END, 0);
}

/* ---- messages ---- */

static void await_message(struct server_framing *f)
{
    server_await(f, 0, STEP_MESSAGE, 1);
}

/* Passes `skip` bytes over; then the message has ended. */
static void message_ends(struct server_framing *f, uint64_t skip)
{
    server_await(f, skip, STEP_MESSAGE_END, 0);
}

/* The rest of a message's head. */
static void await_rest(struct server_framing *f, enum server_step step, size_t head)
{
    server_await(f, 0, step, head - 1);
}

static void message_begins(struct server_framing *f)
{
    uint8_t type = f->in.head[0];

    f->now = (struct server_frame){.type = type};
    switch (type) {
    case SERVER_UPDATE:
        await_rest(f, STEP_UPDATE, SERVER_UPDATE_HEAD);
        break;
    case SERVER_SET_COLOUR_MAP_ENTRIES:
        await_rest(f, STEP_COLOUR_MAP, SERVER_COLOUR_MAP_HEAD);
        break;
    case SERVER_BELL:
    case SERVER_END_OF_CONTINUOUS_UPDATES:
        message_ends(f, 0);
        break;
    case SERVER_CUT_TEXT:
        await_rest(f, STEP_CUT_TEXT, SERVER_CUT_TEXT_HEAD);
        break;
    case SERVER_FENCE:
        await_rest(f, STEP_FENCE, FENCE_HEAD);
        break;
    case FOREIGN_XVP_MESSAGE:
        message_ends(f, XVP_REST);
        break;
    case FOREIGN_GII_MESSAGE:
        server_await(f, 0, STEP_GII, GII_REST);
        break;
    case SERVER_QEMU:
        await_rest(f, STEP_QEMU, QEMU_AUDIO_HEAD);
        break;
    case FOREIGN_TEXT_CHAT:
        server_await(f, 0, STEP_CHAT, CHAT_REST);
        break;
    default:
        server_unknown(f, "a message of unknown type", type);
    }
}

/* The heads below lack their first byte, the type: they are read from where it would be. */
static const uint8_t *whole_head(struct server_framing *f, uint8_t *room)
{
    room[0] = f->now.type;
    memcpy(room + 1, f->in.head, f->in.want);
    return room;
}

static void update_begins(struct server_framing *f, const uint8_t *head)
{
    f->now.event = SERVER_FRAME_UPDATE_BEGINS;
    f->now.announced = f->rectangles_left = server_read_update(head);
    f->old_width = f->width;
    f->old_height = f->height;
    if (f->rectangles_left > 0)
        server_await(f, 0, STEP_RECTANGLE, RECTANGLE_HEAD);
    else
        server_await(f, 0, STEP_UPDATE_END, 0);
}

static void cut_text(struct server_framing *f, uint32_t length)
{
    f->now.extended = length > INT32_MAX; /* it is negative */
    f->now.length = f->now.extended ? UINT32_MAX - length + 1 : length;
    message_ends(f, f->now.length);
}

static void server_framing_fence(struct server_framing *f, const uint8_t *head)
{
    f->now.payload_size = server_read_fence(head, &f->now.flags);
    if (f->now.payload_size > FENCE_MAX)
        server_hostile(f, "a fence with more than 64 bytes:", (long)f->now.payload_size);
    else
        server_await(f, 0, STEP_FENCE_PAYLOAD, f->now.payload_size);
}

static void server_framing_qemu(struct server_framing *f, const uint8_t *rest)
{
    unsigned operation = get16(rest + 1);

    if (rest[0] != QEMU_AUDIO)
        server_unknown(f, "a message of QEMU's of unknown type", rest[0]);
    else if (operation == QEMU_AUDIO_BEGINS || operation == QEMU_AUDIO_ENDS)
        message_ends(f, 0);
    else if (operation == QEMU_AUDIO_DATA)
        server_await(f, 0, STEP_QEMU_AUDIO, QEMU_AUDIO_LENGTH);
    else
        server_unknown(f, "an operation of QEMU's audio of unknown type", operation);
}

static void server_framing_gii(struct server_framing *f, const uint8_t *rest)
{
    message_ends(f, rest[0] & GII_BIG_ENDIAN ? get16(rest + 1)
                                             : (unsigned)rest[1] | (unsigned)rest[2] << 8);
}

static void server_framing_chat(struct server_framing *f, uint32_t length)
{
    message_ends(f, length < CHAT_SIGNALS ? length : 0);
}

static void update_ends(struct server_framing *f)
{
    f->now.event = SERVER_FRAME_UPDATE_ENDS;
    f->now.resized = f->width != f->old_width || f->height != f->old_height;
    await_message(f);
}

/* What a head says. */
static void take_step(struct server_framing *f)
{
    uint8_t head[1 + INTAKE_HEAD_MAX];

    switch ((enum server_step)f->step) {
    case STEP_MESSAGE:
        message_begins(f);
        break;
    case STEP_UPDATE:
        update_begins(f, whole_head(f, head));
        break;
    case STEP_UPDATE_END:
        update_ends(f);
        break;
    case STEP_COLOUR_MAP:
        message_ends(f, (uint64_t)server_read_colour_map(whole_head(f, head)) * COLOUR_BYTES);
        break;
    case STEP_CUT_TEXT:
        cut_text(f, server_read_cut_text(whole_head(f, head)));
        break;
    case STEP_FENCE:
        server_framing_fence(f, whole_head(f, head));
        break;
    case STEP_FENCE_PAYLOAD:
        memcpy(f->now.payload, f->in.head, f->now.payload_size);
        message_ends(f, 0);
        break;
    case STEP_QEMU:
        server_framing_qemu(f, f->in.head);
        break;
    case STEP_QEMU_AUDIO:
        message_ends(f, get32(f->in.head));
        break;
    case STEP_GII:
        server_framing_gii(f, f->in.head);
        break;
    case STEP_CHAT:
        server_framing_chat(f, get32(f->in.head + 3));
        break;
    case STEP_MESSAGE_END:
        f->now.event = SERVER_FRAME_MESSAGE;
        await_message(f);
        break;
    default:
        rectangle_step(f);
    }
}

/* ---- the interface ---- */

void server_framing_begin(struct server_framing *f, const struct pixel_format *format, int width,
                          int height)
{
    *f = (struct server_framing){.format = *format, .width = width, .height = height};
    await_message(f);
}

void server_framing_set_format(struct server_framing *f, const struct pixel_format *format)
{
    f->format = *format;
}

size_t server_framing_read(struct server_framing *f, const uint8_t *bytes, size_t size,
                           struct server_frame *found)
{
    size_t at = 0;

    f->now.event = SERVER_FRAME_NONE;
    while (f->lost == SERVER_FRAME_NONE && f->now.event == SERVER_FRAME_NONE &&
           intake_take(&f->in, bytes, size, &at))
        take_step(f);
    if (f->lost != SERVER_FRAME_NONE)
        f->now = (struct server_frame){.event = (enum server_frame_event)f->lost};
    *found = f->now;
    return at;
}

bool server_framing_between(const struct server_framing *f)
{
    return f->lost == SERVER_FRAME_NONE && f->step == STEP_MESSAGE && f->in.have == 0;
}

const char *server_framing_why(const struct server_framing *f)
{
    return f->why.text;
}

bool server_framing_knows(int32_t encoding)
{
    return rectangle_knows(encoding);
}
