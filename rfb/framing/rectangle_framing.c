#include "rfb/framing/server_steps.h"

#include "rfb/proto/bytes.h"
#include "rfb/proto/encodings/encodings.h"
#include "rfb/proto/server_messages.h"

#define COPYRECT_BYTES           4
#define RRE_RECT                 8 /* place and size of a part, behind its pixel */
#define CORRE_RECT               4
#define LENGTH_BYTES             4
#define H264_FLAGS               4
#define VMWARE_CURSOR_HEAD       2
#define VMWARE_STATE_BYTES       2
#define VMWARE_REPEAT_BYTES      10
#define VMWARE_LEDS_BYTES        4
#define SUPPORTED_MESSAGES_BYTES 64
#define X_CURSOR_COLOURS         6
#define ALPHA_PIXEL              4

enum { VMWARE_CURSOR_MASKS, VMWARE_CURSOR_ALPHA };

/* How the end of a rectangle is found. */
enum rectangle_end {
    ENDS_FIXED,  /* so many bytes follow */
    ENDS_RAW,    /* pixels */
    ENDS_LENGTH, /* a length, so many bytes, and what it counts */
    ENDS_RRE,    /* a number of parts, of so many bytes and a pixel each */
    ENDS_HEXTILE,
    ENDS_TRLE,
    ENDS_TIGHT,
    ENDS_SIZE, /* the new size of the screen */
    ENDS_SCREENS,
    ENDS_CURSOR,
    ENDS_X_CURSOR,
    ENDS_ALPHA_CURSOR,
    ENDS_VMWARE_CURSOR,
    ENDS_WIDTH,     /* the rectangle's width says how many bytes follow */
    ENDS_LAST_RECT, /* it is none: the update has ended */
};

struct known {
    int32_t encoding;
    uint8_t end;
    uint8_t bytes;
    bool picture; /* it has pixels of the screen */
};

static const struct known known[] = {
#define ENCODING_KNOWN(name, text, number, end, bytes, ...) {number, end, bytes, true},
    ENCODING_ROWS(ENCODING_KNOWN, ENCODING_KNOWN)
#undef ENCODING_KNOWN
        {FOREIGN_ZLIBHEX, ENDS_HEXTILE, 0, true},
    {FOREIGN_ULTRA, ENDS_LENGTH, 0, true},
    {FOREIGN_ULTRA_2, ENDS_LENGTH, 0, true},
    {FOREIGN_TRLE, ENDS_TRLE, 0, true},
    {FOREIGN_ZYWRLE, ENDS_LENGTH, 0, true},
    {FOREIGN_TIGHT_PNG, ENDS_TIGHT, 0, true},
    {PSEUDO_DESKTOP_SIZE, ENDS_SIZE, 0, false},
    {PSEUDO_LAST_RECT, ENDS_LAST_RECT, 0, false},
    {FOREIGN_POINTER_POSITION, ENDS_FIXED, 0, false},
    {PSEUDO_RICH_CURSOR, ENDS_CURSOR, 0, false},
    {PSEUDO_X_CURSOR, ENDS_X_CURSOR, 0, false},
    {PSEUDO_POINTER_STEPS, ENDS_FIXED, 0, false},
    {PSEUDO_KEY_CODES, ENDS_FIXED, 0, false},
    {PSEUDO_QEMU_AUDIO, ENDS_FIXED, 0, false},
    {PSEUDO_LEDS, ENDS_FIXED, LEDS_BYTES, false},
    {PSEUDO_DESKTOP_NAME, ENDS_LENGTH, 0, false},
    {PSEUDO_EXTENDED_DESKTOP_SIZE, ENDS_SCREENS, 0, false},
    {PSEUDO_ALPHA_CURSOR, ENDS_ALPHA_CURSOR, 0, false},
    {PSEUDO_EXTENDED_BUTTONS, ENDS_FIXED, 0, false},
    {PSEUDO_TIMESTAMP, ENDS_FIXED, TIMESTAMP_BYTES, false},
    {FOREIGN_VMWARE_CURSOR, ENDS_VMWARE_CURSOR, 0, false},
    {FOREIGN_VMWARE_CURSOR_STATE, ENDS_FIXED, VMWARE_STATE_BYTES, false},
    {FOREIGN_VMWARE_CURSOR_POSITION, ENDS_FIXED, 0, false},
    {FOREIGN_VMWARE_KEY_REPEAT, ENDS_FIXED, VMWARE_REPEAT_BYTES, false},
    {FOREIGN_VMWARE_LEDS, ENDS_FIXED, VMWARE_LEDS_BYTES, false},
    {FOREIGN_VMWARE_MACHINE_STATE, ENDS_FIXED, VMWARE_STATE_BYTES, false},
    {FOREIGN_KEYBOARD_LEDS, ENDS_FIXED, 0, false},
    {FOREIGN_SUPPORTED_MESSAGES, ENDS_FIXED, SUPPORTED_MESSAGES_BYTES, false},
    {FOREIGN_SUPPORTED_ENCODINGS, ENDS_WIDTH, 0, false},
    {PSEUDO_SERVER_IDENTITY, ENDS_WIDTH, 0, false},
    {PSEUDO_ACCELERATOR, ENDS_WIDTH, 0, false},
};

static const struct known *rectangle_find(int32_t encoding)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].encoding == encoding)
            return &known[i];
    return NULL;
}

/* What a client says by SetEncodings, and no server sends. */
static bool only_said(int32_t e)
{
    return (e >= PSEUDO_QUALITY_0 && e <= FOREIGN_QUALITY_9) ||
           (e >= PSEUDO_COMPRESS_0 && e <= FOREIGN_COMPRESS_9) ||
           (e >= FOREIGN_FINE_QUALITY_0 && e <= FOREIGN_FINE_QUALITY_100) ||
           (e >= FOREIGN_SUBSAMPLING_FIRST && e <= FOREIGN_SUBSAMPLING_LAST) || e == PSEUDO_FENCE ||
           e == PSEUDO_CONTINUOUS_UPDATES || e == PSEUDO_EXTENDED_CLIPBOARD || e == FOREIGN_GII ||
           e == FOREIGN_XVP || e == FOREIGN_TIGHT_STORED;
}

bool rectangle_knows(int32_t encoding)
{
    return rectangle_find(encoding) || only_said(encoding);
}

static uint64_t mask_bytes(const struct server_framing *f)
{
    return ((uint64_t)f->rect.w + 7) / 8 * (uint64_t)f->rect.h;
}

static void set_size(struct server_framing *f)
{
    f->width = f->rect.w;
    f->height = f->rect.h;
}

static void last_rect(struct server_framing *f)
{
    f->now.last_rect = true;
    server_await(f, 0, STEP_UPDATE_END, 0);
}

static void rectangle_begin(struct server_framing *f)
{
    const struct known *k;

    f->encoding = server_read_rectangle(f->in.head, &f->rect);
    if (!(k = rectangle_find(f->encoding))) {
        server_unknown(f, "a rectangle of unknown encoding", f->encoding);
        return;
    }
    f->now.pictures += k->picture;
    f->extended_buttons |= k->encoding == PSEUDO_EXTENDED_BUTTONS;
    f->key_codes |= k->encoding == PSEUDO_KEY_CODES;
    switch ((enum rectangle_end)k->end) {
    case ENDS_FIXED:
        server_rectangle_ends(f, k->bytes);
        break;
    case ENDS_RAW:
        server_rectangle_ends(f, server_rect_area(f) * server_pixel_bytes(f));
        break;
    case ENDS_LENGTH:
        server_await(f, 0, STEP_LENGTH, LENGTH_BYTES + (size_t)k->bytes);
        break;
    case ENDS_RRE:
        server_await(f, 0, STEP_RRE, LENGTH_BYTES);
        break;
    case ENDS_HEXTILE:
    case ENDS_TRLE:
        tile_begin(f);
        break;
    case ENDS_TIGHT:
        tight_begin(f);
        break;
    case ENDS_SIZE:
        set_size(f);
        server_rectangle_ends(f, 0);
        break;
    case ENDS_SCREENS:
        server_await(f, 0, STEP_SCREENS, SCREENS_HEAD);
        break;
    case ENDS_CURSOR:
        server_rectangle_ends(f, server_rect_area(f) * server_pixel_bytes(f) + mask_bytes(f));
        break;
    case ENDS_X_CURSOR:
        server_rectangle_ends(f, mask_bytes(f) ? X_CURSOR_COLOURS + 2 * mask_bytes(f) : 0);
        break;
    case ENDS_ALPHA_CURSOR:
        server_await(f, 0, STEP_ALPHA_CURSOR, ALPHA_CURSOR_HEAD);
        break;
    case ENDS_VMWARE_CURSOR:
        server_await(f, 0, STEP_VMWARE_CURSOR, VMWARE_CURSOR_HEAD);
        break;
    case ENDS_WIDTH:
        server_rectangle_ends(f, (uint64_t)f->rect.w);
        break;
    case ENDS_LAST_RECT:
        last_rect(f);
        break;
    }
}

/* A size that the client asked for and does not get changes nothing. */
static void rectangle_screens(struct server_framing *f)
{
    if (f->rect.x != DESKTOP_SIZE_THIS_CLIENT || f->rect.y == DESKTOP_SIZE_DONE)
        set_size(f);
    server_rectangle_ends(f, (uint64_t)server_read_screens(f->in.head) * SCREEN_BYTES);
}

static void rectangle_rre(struct server_framing *f)
{
    uint64_t part = server_pixel_bytes(f) + rectangle_find(f->encoding)->bytes;

    server_rectangle_ends(f, server_pixel_bytes(f) + get32(f->in.head) * part);
}

static void alpha_cursor(struct server_framing *f)
{
    int32_t encoding = server_read_alpha_cursor(f->in.head);

    if (encoding == ENCODING_RAW)
        server_rectangle_ends(f, server_rect_area(f) * ALPHA_PIXEL);
    else
        server_unknown(f, "a pointer shape with alpha in encoding", encoding);
}

static void vmware_cursor(struct server_framing *f)
{
    uint8_t type = f->in.head[0];

    if (type == VMWARE_CURSOR_MASKS)
        server_rectangle_ends(f, 2 * server_rect_area(f) * server_pixel_bytes(f));
    else if (type == VMWARE_CURSOR_ALPHA)
        server_rectangle_ends(f, server_rect_area(f) * ALPHA_PIXEL);
    else
        server_unknown(f, "a pointer shape of VMware's of unknown type", type);
}

void rectangle_step(struct server_framing *f)
{
    switch ((enum server_step)f->step) {
    case STEP_LENGTH:
        server_rectangle_ends(f, get32(f->in.head));
        break;
    case STEP_RRE:
        rectangle_rre(f);
        break;
    case STEP_SCREENS:
        rectangle_screens(f);
        break;
    case STEP_ALPHA_CURSOR:
        alpha_cursor(f);
        break;
    case STEP_VMWARE_CURSOR:
        vmware_cursor(f);
        break;
    case STEP_TIGHT:
    case STEP_TIGHT_FILTER:
    case STEP_TIGHT_PALETTE:
    case STEP_TIGHT_LENGTH:
    case STEP_TIGHT_LENGTH_2:
    case STEP_TIGHT_LENGTH_3:
        tight_step(f);
        break;
    case STEP_HEXTILE:
    case STEP_HEXTILE_COUNT:
    case STEP_HEXTILE_ZLIB:
    case STEP_TRLE:
    case STEP_TRLE_PIXEL:
    case STEP_TRLE_RUN:
        tile_step(f);
        break;
    default:
        rectangle_begin(f);
    }
}
