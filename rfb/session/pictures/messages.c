#include "rfb/session/pictures/messages.h"

#include <stdlib.h>
#include <string.h>

#include "rfb/proto/blocks.h"
#include "rfb/proto/bytes.h"
#include "rfb/proto/encodings/cursor.h"
#include "rfb/proto/encodings/encodings.h"
#include "rfb/proto/extensions/clipboard_text.h"
#include "rfb/proto/extensions/extended_clipboard.h"
#include "rfb/proto/extensions/qemu_audio.h"
#include "rfb/proto/extensions/turnaround.h"
#include "rfb/proto/server_messages.h"
#include "rfb/session/pictures/picture_blocks.h"
#include "rfb/system/log.h"

/* Bytes of sound in one message. Chosen: six seconds; QEMU sends some milliseconds. */
#define SOUND_MESSAGE_MAX (1 << 20)

struct reading {
    struct message_source *from;
    const struct source_handlers *h;
    struct reason *why;
    uint8_t head[SERVER_HEAD_MAX]; /* of the message; its type has been read */
};

static bool read_bytes(struct reading *r, void *out, size_t size)
{
    return picture_blocks_read(r->from, r->h, out, size, r->why);
}

/* Reads the rest of the message's head. With its type the head has `size` bytes. */
static bool message_read_head(struct reading *r, size_t size)
{
    return read_bytes(r, r->head + 1, size - 1);
}

static bool message_skip(struct reading *r, size_t size)
{
    uint8_t waste[4096];

    while (size > 0) {
        size_t part = size < sizeof waste ? size : sizeof waste;
        if (!read_bytes(r, waste, part))
            return false;
        size -= part;
    }
    return true;
}

/* Reads a text of `size` bytes. One that is too long to keep is skipped, and *text is NULL. */
static bool read_text(struct reading *r, size_t size, char **text)
{
    *text = NULL;
    if (size > TEXT_MAX)
        return message_skip(r, size);
    if (!(*text = malloc(size + 1)))
        return reason_set(r->why, "out of memory");
    if (!read_bytes(r, *text, size)) {
        free(*text);
        *text = NULL;
        return false;
    }
    (*text)[size] = '\0';
    return true;
}

bool message_resize(struct message_source *source, int width, int height, struct reason *why)
{
    if (width == 0 || height == 0)
        return reason_set(why, "the server's screen is empty: %d x %d", width, height);
    if (!framebuffer_resize(source->fb, width, height))
        return reason_set(why, "the server's screen of %d x %d is more than this client takes",
                          width, height);
    decoder_use_picture(source->decoder, width, height);
    if (source->film)
        picture_film_forget(source->film);
    return !source->blocks || newest_begin(source->newest, width, height, ++source->generation) ||
           reason_set(why, "out of memory");
}

static bool resize(struct reading *r, struct rect size)
{
    if (!message_resize(r->from, size.w, size.h, r->why))
        return false;
    r->h->resized(r->h->user, size.w, size.h);
    return true;
}

/* Reads `count` screens. A layout that has no room for them stays empty. */
static bool read_screens(struct reading *r, unsigned count, struct screen_layout *layout)
{
    *layout = (struct screen_layout){.count = 0};
    if (count > SCREENS_MAX)
        return message_skip(r, (size_t)count * SCREEN_BYTES);
    for (unsigned i = 0; i < count; i++) {
        uint8_t bytes[SCREEN_BYTES];

        if (!read_bytes(r, bytes, sizeof bytes))
            return false;
        server_screen_read(bytes, &layout->screens[i]);
    }
    layout->count = (int)count;
    return true;
}

/* The size is in the rectangle's header. Its x says who asked for a change, its y whether the
 * server could do it. */
static bool extended_desktop_size(struct reading *r, struct rect header)
{
    uint8_t head[SCREENS_HEAD];
    struct screen_layout layout;
    int width, height;

    if (!read_bytes(r, head, sizeof head) || !read_screens(r, server_read_screens(head), &layout))
        return false;
    if (header.x == DESKTOP_SIZE_THIS_CLIENT && header.y != DESKTOP_SIZE_DONE) {
        r->h->resize_refused(r->h->user, (unsigned)header.y);
        return true;
    }
    framebuffer_size(r->from->fb, &width, &height);
    if ((width != header.w || height != header.h) && !resize(r, header))
        return false;
    r->from->screens = true;
    r->h->screens(r->h->user, &layout);
    return true;
}

/* The pixels of a cursor with alpha may be in any encoding that was offered. All servers send them
 * raw. A compressed one would have to share the streams of the picture, and is refused. */
static bool alpha_cursor_head(struct reading *r)
{
    uint8_t head[ALPHA_CURSOR_HEAD];

    if (!read_bytes(r, head, sizeof head))
        return false;
    return server_read_alpha_cursor(head) == ENCODING_RAW ||
           reason_set(r->why, "the server sent a pointer shape in encoding %d: only raw is known",
                      (int)server_read_alpha_cursor(head));
}

/* The ways to send a pointer's shape. */
struct cursor_form {
    int32_t encoding;
    size_t (*size)(int width, int height);
    void (*convert)(const uint8_t *data, int width, int height, uint32_t *out);
};

static const struct cursor_form *cursor_form(int32_t encoding)
{
    static const struct cursor_form forms[] = {
        {PSEUDO_RICH_CURSOR, cursor_rich_size, cursor_from_rich},
        {PSEUDO_X_CURSOR, cursor_x_size, cursor_from_x},
        {PSEUDO_ALPHA_CURSOR, cursor_alpha_size, cursor_from_alpha},
    };
    const struct cursor_form *f = forms;

    while (f->encoding != encoding)
        f++;
    return f;
}

static bool message_cursor(struct reading *r, struct rect header, int32_t encoding)
{
    const struct cursor_form *form = cursor_form(encoding);
    int w = header.w, h = header.h;
    bool ok;
    uint8_t *data;
    uint32_t *pixels;

    if (w > CURSOR_MAX_SIDE || h > CURSOR_MAX_SIDE)
        return reason_set(r->why, "the server sent a pointer shape of %d x %d pixels", w, h);
    if (encoding == PSEUDO_ALPHA_CURSOR && !alpha_cursor_head(r))
        return false;
    if (w == 0 || h == 0) {
        r->h->cursor(r->h->user, 0, 0, 0, 0, NULL);
        return true;
    }
    data = malloc(form->size(w, h));
    pixels = malloc((size_t)w * (size_t)h * sizeof *pixels);
    ok = data && pixels ? read_bytes(r, data, form->size(w, h))
                        : reason_set(r->why, "out of memory");
    if (ok) {
        form->convert(data, w, h, pixels);
        r->h->cursor(r->h->user, w, h, header.x < w ? header.x : w - 1,
                     header.y < h ? header.y : h - 1, pixels);
    } else {
        free(pixels);
    }
    free(data);
    return ok;
}

static bool message_leds(struct reading *r)
{
    uint8_t payload[LEDS_BYTES];

    if (!read_bytes(r, payload, sizeof payload))
        return false;
    r->h->leds(r->h->user, server_read_leds(payload));
    return true;
}

static bool desktop_name(struct reading *r)
{
    uint8_t head[DESKTOP_NAME_HEAD];
    char *text;

    if (!read_bytes(r, head, sizeof head) || !read_text(r, server_read_desktop_name(head), &text))
        return false;
    if (text) {
        sanitise(text);
        r->h->name(r->h->user, text);
    }
    return true;
}

static bool message_accelerator(struct reading *r, size_t size)
{
    struct accelerator_shown shown;
    char *text;

    if (!read_text(r, size, &text))
        return false;
    sanitise(text);
    server_read_accelerator(text, &shown);
    r->h->accelerated(r->h->user, &shown);
    free(text);
    return true;
}

static bool message_turnaround(struct reading *r)
{
    uint8_t payload[TURNAROUND_BYTES];
    struct response_far far;
    uint16_t number;

    if (!read_bytes(r, payload, sizeof payload))
        return false;
    number = turnaround_read(payload, &far);
    if (r->h->responses)
        responses_hear(r->h->responses, number, &far);
    return true;
}

static void tell_copied(struct reading *r, struct rect header, int32_t encoding)
{
    int x, y;

    if (encoding != ENCODING_COPYRECT || !r->h->copied)
        return;
    decoder_copied_from(r->from->decoder, &x, &y);
    r->h->copied(r->h->user, header, x, y);
}

/* A server with H.264 and no screens sends what a camera or a cable brings: there is no exact
 * picture of it, also where JPEG comes in between. PiKVM's ends the connection, too, when H.264 and
 * JPEG are not offered any more, as for an exact one. */
static bool is_video(struct reading *r, int32_t encoding)
{
    r->from->video = (r->from->video || encoding == ENCODING_H264) && !r->from->screens;
    return r->from->video;
}

static bool message_picture(struct reading *r, struct rect header, int32_t encoding)
{
    const struct decoder *d = r->from->decoder;

    if (!decoder_decode(r->from->decoder, header, encoding, r->why))
        return false;
    if (r->h->weights)
        weights_add(r->h->weights, encoding, decoder_bytes(d));
    if (r->h->again && decoder_wants_again(d))
        r->h->again(r->h->user);
    if (r->h->unread && decoder_unread(d))
        r->h->unread(r->h->user, decoder_unread(d));
    tell_copied(r, header, encoding);
    return r->h->drawn(r->h->user, header, encoding,
                       decoder_was_lossy(d) && !is_video(r, encoding)) ||
           reason_set(r->why, "stopped");
}

/* Handles one rectangle. *pixels becomes true if it carried pixels. */
static bool message_rectangle(struct reading *r, struct rect header, int32_t encoding, bool *pixels)
{
    switch (encoding) {
    case PSEUDO_RICH_CURSOR:
    case PSEUDO_X_CURSOR:
    case PSEUDO_ALPHA_CURSOR:
        return message_cursor(r, header, encoding);
    case PSEUDO_LEDS:
        return message_leds(r);
    case PSEUDO_KEY_CODES:
        r->h->takes_key_codes(r->h->user);
        return true;
    case PSEUDO_EXTENDED_BUTTONS:
        r->h->takes_more_buttons(r->h->user);
        return true;
    case PSEUDO_POINTER_STEPS: /* its x says: 0, steps; 1, places */
        r->h->takes_steps(r->h->user, header.x == 0);
        return true;
    case PSEUDO_QEMU_AUDIO:
        if (r->from->sound)
            r->h->has_sound(r->h->user);
        return true;
    case PSEUDO_DESKTOP_SIZE:
        return resize(r, header);
    case PSEUDO_EXTENDED_DESKTOP_SIZE:
        return extended_desktop_size(r, header);
    case PSEUDO_DESKTOP_NAME:
        return desktop_name(r);
    case PSEUDO_TIMESTAMP:
        r->h->server_kind(r->h->user, true);
        return message_skip(r, TIMESTAMP_BYTES);
    case PSEUDO_SERVER_IDENTITY: /* its width is the length of a text that follows */
        r->h->server_kind(r->h->user, false);
        return message_skip(r, (size_t)header.w);
    case PSEUDO_ACCELERATOR: /* likewise */
        return message_accelerator(r, (size_t)header.w);
    case PSEUDO_TURNAROUND:
        return message_turnaround(r);
    default:
        *pixels = true;
        return message_picture(r, header, encoding);
    }
}

static bool framebuffer_update(struct reading *r)
{
    uint8_t head[RECTANGLE_HEAD];
    bool pixels = false;
    unsigned count;

    if (!message_read_head(r, SERVER_UPDATE_HEAD))
        return false;
    r->h->update_begun(r->h->user);
    count = server_read_update(r->head);
    for (unsigned i = 0; i < count; i++) {
        struct rect header;
        int32_t encoding;

        if (!read_bytes(r, head, sizeof head))
            return false;
        encoding = server_read_rectangle(head, &header);
        if (r->h->rectangle)
            r->h->rectangle(r->h->user, encoding);
        if (encoding == PSEUDO_LAST_RECT)
            break;
        if (!message_rectangle(r, header, encoding, &pixels))
            return false;
    }
    picture_blocks_shown(r->h, pixels);
    return true;
}

/* A message of the extended clipboard, `size` bytes. One that is wrong is dropped: where the next
 * message begins is known all the same. */
static bool extended_clipboard(struct reading *r, size_t size)
{
    struct extended_clipboard m;
    struct reason wrong;
    uint8_t *body;
    bool ok;

    if (size > EXTENDED_BODY_MAX) {
        r->h->cut_text_dropped(r->h->user, size, EXTENDED_BODY_MAX);
        return message_skip(r, size);
    }
    if (!(body = malloc(size + 1)))
        return reason_set(r->why, "out of memory");
    ok = read_bytes(r, body, size);
    if (ok && extended_clipboard_read(body, size, &m, &wrong))
        r->h->clipboard(r->h->user, &m);
    else if (ok)
        log_debug("a message of the server's clipboard is dropped: %s", wrong.text);
    free(body);
    return ok;
}

static bool server_cut_text(struct reading *r)
{
    char *latin1, *utf8;
    uint32_t size;

    if (!message_read_head(r, SERVER_CUT_TEXT_HEAD))
        return false;
    size = server_read_cut_text(r->head);
    if (r->from->extended_clipboard && size > INT32_MAX) /* it is negative */
        return extended_clipboard(r, (size_t)UINT32_MAX - size + 1);
    if (size > TEXT_MAX)
        r->h->cut_text_dropped(r->h->user, size, TEXT_MAX);
    if (!read_text(r, size, &latin1))
        return false;
    if (latin1) {
        utf8 = latin1_to_utf8(latin1);
        free(latin1);
        if (utf8) {
            line_ends_to_lf(utf8);
            r->h->cut_text(r->h->user, utf8);
        }
    }
    return true;
}

/* ---- blocks ---- */

/* A packet may end inside of a block. What came before it does not wait for the rest. */
static bool read_block_part(struct reading *r, uint8_t *out, size_t size)
{
    if (stream_waiting(r->from->stream) < (int)size)
        r->h->partly(r->h->user);
    return read_bytes(r, out, size);
}

static bool server_block(struct reading *r)
{
    uint8_t data[BLOCK_MAX];
    struct block b;

    if (!r->from->blocks)
        return reason_set(r->why, "the server sent a block, and was asked for none");
    if (!read_block_part(r, data, BLOCK_HEAD) || !block_unpack_head(&b, data, r->why) ||
        !read_block_part(r, data + BLOCK_HEAD, b.size))
        return false;
    b.payload = data + BLOCK_HEAD;
    return picture_blocks_take(r->from, r->h, &b, r->why);
}

/* We asked for true colour, so a colour map means nothing: it is skipped. */
static bool set_colour_map_entries(struct reading *r)
{
    return message_read_head(r, SERVER_COLOUR_MAP_HEAD) &&
           message_skip(r, (size_t)server_read_colour_map(r->head) * COLOUR_BYTES);
}

static bool server_fence(struct reading *r)
{
    uint8_t payload[FENCE_MAX];
    uint32_t flags;
    size_t size;

    if (!message_read_head(r, FENCE_HEAD))
        return false;
    size = server_read_fence(r->head, &flags);
    if (size > sizeof payload)
        return reason_set(r->why, "the server sent a fence of %zu bytes: %d are allowed", size,
                          FENCE_MAX);
    return read_bytes(r, payload, size) && r->h->fence(r->h->user, flags, payload, size, r->why);
}

/* Samples are passed on in pieces of whole frames. What is left of a frame is no sound. */
static bool message_sound(struct reading *r, uint32_t size)
{
    uint8_t piece[SOUND_PIECE_MAX];

    if (size > SOUND_MESSAGE_MAX)
        return reason_set(r->why, "the server sent %u bytes of sound at once: %d are allowed", size,
                          SOUND_MESSAGE_MAX);
    while (size >= SOUND_FRAME) {
        uint32_t part = size < sizeof piece ? size / SOUND_FRAME * SOUND_FRAME : sizeof piece;

        if (!read_bytes(r, piece, part))
            return false;
        r->h->sound(r->h->user, piece, part);
        size -= part;
    }
    return message_skip(r, size);
}

static bool message_qemu(struct reading *r)
{
    uint8_t length[QEMU_AUDIO_LENGTH];
    unsigned operation;

    if (!r->from->sound)
        return reason_set(r->why, "the server sent sound, and was asked for none");
    if (!message_read_head(r, QEMU_AUDIO_HEAD))
        return false;
    if (r->head[1] != QEMU_AUDIO)
        return reason_set(r->why, "the server sent a message of QEMU's of unknown type %d",
                          r->head[1]);
    operation = qemu_audio_operation(r->head);
    if (operation > QEMU_AUDIO_DATA)
        return reason_set(r->why, "the server sent something of sound that is not known: %u",
                          operation);
    if (operation == QEMU_AUDIO_DATA &&
        (!read_bytes(r, length, sizeof length) || !message_sound(r, get32(length))))
        return false;
    if (r->h->sound_message)
        r->h->sound_message(r->h->user);
    return true;
}

bool message_receive(struct message_source *source, const struct source_handlers *h,
                     struct reason *why)
{
    struct reading r = {.from = source, .h = h, .why = why};
    bool ok;

    if (!read_bytes(&r, r.head, 1))
        return false;
    if (!h->begun(h->user))
        return reason_set(why, "stopped");
    switch (r.head[0]) {
    case SERVER_UPDATE:
        ok = framebuffer_update(&r);
        break;
    case SERVER_SET_COLOUR_MAP_ENTRIES:
        ok = set_colour_map_entries(&r);
        break;
    case SERVER_BELL:
        h->bell(h->user);
        ok = true;
        break;
    case SERVER_CUT_TEXT:
        ok = server_cut_text(&r);
        break;
    case SERVER_END_OF_CONTINUOUS_UPDATES:
        h->continuous_updates_ended(h->user);
        ok = true;
        break;
    case SERVER_FENCE:
        ok = server_fence(&r);
        break;
    case SERVER_QEMU:
        ok = message_qemu(&r);
        break;
    case SERVER_BLOCK:
        ok = server_block(&r);
        break;
    default:
        ok = reason_set(why, "the server sent a message of unknown type %d", r.head[0]);
        break;
    }
    h->ended(h->user);
    return ok;
}

/* ---- as a source ---- */

static bool message_source_receive(void *self, const struct source_handlers *h, struct reason *why)
{
    return message_receive(self, h, why);
}

static void message_source_destroy(void *self)
{
    struct message_source *m = self;

    decoder_destroy(m->decoder);
    block_reader_destroy(m->blocks);
    newest_destroy(m->newest);
    resolver_destroy(m->resolver);
    repair_destroy(m->repair);
    picture_film_destroy(m->film);
    free(m);
}

/* A picture of this size that is there already stays until it is drawn over (preview.h). */
static bool message_begin(struct message_source *m, int width, int height, struct reason *why)
{
    int had_width, had_height;

    framebuffer_size(m->fb, &had_width, &had_height);
    if (width == 0 || height == 0 || width != had_width || height != had_height)
        return message_resize(m, width, height, why);
    decoder_use_picture(m->decoder, width, height);
    return !m->blocks || newest_begin(m->newest, width, height, ++m->generation) ||
           reason_set(why, "out of memory");
}

bool message_source_open(struct source *out, struct stream *stream, struct framebuffer *fb,
                         const struct encoding_options *offered, int width, int height,
                         struct reason *why)
{
    struct message_source *m = calloc(1, sizeof *m);

    if (!m)
        return reason_set(why, "out of memory");
    *out = (struct source){message_source_receive, message_source_destroy, m};
    *m = (struct message_source){.stream = stream,
                                 .decoder = decoder_create(stream, fb, &offered->list),
                                 .fb = fb,
                                 .extended_clipboard = offered->clipboard,
                                 .sound = offered->sound,
                                 .blocks = offered->blocks ? block_reader_create() : NULL,
                                 .newest = offered->blocks ? newest_create() : NULL,
                                 .resolver =
                                     offered->blocks ? resolver_create(offered->kept_mib) : NULL,
                                 .repair = offered->blocks ? repair_create() : NULL,
                                 .film = offered->film ? picture_film_create() : NULL};
    if (!m->decoder || (offered->blocks && !(m->blocks && m->newest && m->resolver && m->repair)) ||
        (offered->film && !m->film))
        return reason_set(why, "out of memory");
    return message_begin(m, width, height, why);
}
