#include "rfb/proto/extensions/extended_clipboard.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "rfb/proto/bytes.h"
#include "rfb/proto/extensions/clipboard_text.h"
#include "rfb/proto/message_types.h"
#include "rfb/texts/utf8.h"

#define HEAD    8 /* of the cut text: its type and its length */
#define FLAGS   4
#define SIZE    4 /* of a format's data, in front of it */
#define FORMATS 16
#define FLUSHED 16 /* more than a flush adds to what compressBound() says */
#define ACTIONS                                                                                    \
    (EXTENDED_CAPS | EXTENDED_REQUEST | EXTENDED_PEEK | EXTENDED_NOTIFY | EXTENDED_PROVIDE)

/* ---- reading ---- */

/* A size follows for each format that is named; that of the text is the first. */
static bool read_caps(const uint8_t *body, size_t size, uint32_t flags,
                      struct extended_clipboard *m, struct reason *why)
{
    size_t formats = 0;

    for (int i = 0; i < FORMATS; i++)
        formats += flags >> i & 1;
    if (size < FLAGS + formats * SIZE)
        return reason_set(why, "its list of sizes is cut short");
    m->accepts = flags & ACTIONS;
    m->unasked = m->text ? get32(body + FLAGS) : 0;
    return true;
}

/* Unpacks exactly `size` bytes. */
static bool extended_clipboard_unpack(z_stream *z, void *out, size_t size)
{
    int result = Z_OK;

    z->next_out = out;
    z->avail_out = (uInt)size;
    while (z->avail_out > 0 && result == Z_OK)
        result = inflate(z, Z_SYNC_FLUSH);
    return z->avail_out == 0;
}

/* The text is the first format in the packed stream. What is behind it is not unpacked. */
static bool unpack_text(z_stream *z, struct extended_clipboard *m, struct reason *why)
{
    uint8_t head[SIZE];
    size_t size;

    if (!extended_clipboard_unpack(z, head, sizeof head))
        return reason_set(why, "its packed text is broken");
    size = get32(head);
    if (size > EXTENDED_TEXT_MAX + 1) { /* it counts its NUL */
        m->too_long = size - 1;
        return true;
    }
    if (!(m->provided = malloc(size + 1)))
        return reason_set(why, "out of memory");
    if (!extended_clipboard_unpack(z, m->provided, size)) {
        free(m->provided);
        m->provided = NULL;
        return reason_set(why, "its packed text is broken");
    }
    m->provided[size] = '\0';
    if (strlen(m->provided) > EXTENDED_TEXT_MAX) { /* it did not count a NUL */
        m->too_long = size;
        free(m->provided);
        m->provided = NULL;
        return true;
    }
    utf8_repair(m->provided);
    line_ends_to_lf(m->provided);
    return true;
}

static bool read_provide(const uint8_t *body, size_t size, struct extended_clipboard *m,
                         struct reason *why)
{
    z_stream z = {.next_in = (Bytef *)(uintptr_t)(body + FLAGS), .avail_in = (uInt)(size - FLAGS)};
    bool ok;

    if (!m->text)
        return true;
    if (inflateInit(&z) != Z_OK)
        return reason_set(why, "out of memory");
    ok = unpack_text(&z, m, why);
    inflateEnd(&z);
    return ok;
}

bool extended_clipboard_read(const uint8_t *body, size_t size, struct extended_clipboard *m,
                             struct reason *why)
{
    uint32_t flags;

    *m = (struct extended_clipboard){0};
    if (size < FLAGS)
        return reason_set(why, "it has no flags");
    if (size > EXTENDED_BODY_MAX)
        return reason_set(why, "it has %zu bytes", size);
    flags = get32(body);
    m->text = flags & EXTENDED_TEXT;
    m->action = flags & EXTENDED_CAPS ? EXTENDED_CAPS : flags & ACTIONS;
    switch (m->action) {
    case EXTENDED_CAPS:
        return read_caps(body, size, flags, m, why);
    case EXTENDED_PROVIDE:
        return read_provide(body, size, m, why);
    case EXTENDED_REQUEST:
    case EXTENDED_PEEK:
    case EXTENDED_NOTIFY:
        return true;
    default:
        return reason_set(why, "its flags are 0x%08x", flags);
    }
}

/* ---- writing ---- */

static uint8_t *put_head(uint8_t *out, size_t body, uint32_t flags)
{
    *out++ = CLIENT_CUT_TEXT;
    memset(out, 0, 3);
    return put32(put32(out + 3, 0u - (uint32_t)body), flags);
}

size_t extended_clipboard_write(uint8_t *out, enum extended_flag action, bool text)
{
    put_head(out, FLAGS, (uint32_t)action | (text ? EXTENDED_TEXT : 0));
    return EXTENDED_MESSAGE;
}

size_t extended_clipboard_write_caps(uint8_t *out, uint32_t actions, uint32_t unasked)
{
    put32(put_head(out, FLAGS + SIZE, EXTENDED_CAPS | EXTENDED_TEXT | actions), unasked);
    return EXTENDED_CAPS_MESSAGE;
}

/* The size and the text, with CR LF and its NUL; malloc'ed. */
static uint8_t *lay_out(const char *text, size_t *size)
{
    size_t length = line_ends_crlf_length(text) + 1;
    uint8_t *plain = malloc(SIZE + length);

    if (!plain)
        return NULL;
    line_ends_to_crlf(text, (char *)put32(plain, (uint32_t)length));
    *size = SIZE + length;
    return plain;
}

/* Packs all of `plain` into `out`, which has *size bytes, and flushes; the stream does not end.
 * LibVNCServer (x11vnc), UltraVNC and TigerVNC before 1.11 take zlib's word for the end of a stream
 * for an error, and drop the viewer. UltraVNC's, TigerVNC's and noVNC's viewers leave it open, too,
 * so servers have to take that. QEMU does up to 512 KiB, as it doubles its memory once more to look
 * for the end; QEMU 8.1 does not, and drops the text alone. */
static bool extended_clipboard_pack(uint8_t *out, size_t *size, uint8_t *plain, size_t plain_size)
{
    z_stream z = {
        .next_in = plain, .avail_in = (uInt)plain_size, .next_out = out, .avail_out = (uInt)*size};
    bool ok;

    if (deflateInit(&z, Z_DEFAULT_COMPRESSION) != Z_OK)
        return false;
    ok = deflate(&z, Z_SYNC_FLUSH) == Z_OK && z.avail_in == 0 && z.avail_out > 0;
    *size = (size_t)z.total_out;
    deflateEnd(&z); /* says that the stream has not ended */
    return ok;
}

uint8_t *extended_clipboard_provide(const char *text, size_t *size)
{
    size_t plain_size = 0, packed;
    uint8_t *plain = lay_out(text, &plain_size), *out = NULL;

    packed = (size_t)compressBound((uLong)plain_size) + FLUSHED;
    if (plain)
        out = malloc(HEAD + FLAGS + packed);
    if (out && !extended_clipboard_pack(out + HEAD + FLAGS, &packed, plain, plain_size)) {
        free(out);
        out = NULL;
    }
    free(plain);
    if (!out)
        return NULL;
    put_head(out, FLAGS + packed, EXTENDED_PROVIDE | EXTENDED_TEXT);
    *size = HEAD + FLAGS + packed;
    return out;
}
