/* libvncclient, guarded. The only file that includes <rfb/rfbclient.h>.
 *
 * The library does one thing, decoding: nothing is sent that the scheduler did not ask for, and
 * nothing reaches a decoder that was not offered and does not fit the picture. It believes that it
 * plays a recording: it then reads from a FILE, which is the stream, and writes nothing
 * (docs/decisions/own-handshake.md). */

#include <pthread.h>
#include <rfb/rfbclient.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "rfb/decode/decoder.h"
#include "rfb/decode/jpeg.h"
#include "rfb/decode/pixel_decoder.h"
#include "rfb/proto/encodings/encodings.h"
#include "rfb/proto/server_messages.h"

/* Bytes that the library's FILE takes at a time. Few enough to be given back after each rectangle,
 * enough to make a call for each worth nothing. */
#define READ_AHEAD 4096

/* Largest width of a Tight rectangle with basic compression (RFB, "Tight Encoding"). */
#define TIGHT_MAX_WIDTH 2048

/* The pixels that RRE and CoRRE may fill, as a multiple of the rectangle's. Their subrectangles do
 * not overlap (RFB 3.8, section 7.7.3), so the background and they make at most two. */
#define RRE_FILLS 4
/* The same for Hextile: each of 255 subrectangles may be as large as its tile. */
#define HEXTILE_FILLS 256

/* Memory that the inflated bytes of one rectangle may take. A ZRLE rectangle takes 6 bytes a pixel,
 * so it may have 26 million of them. */
#define INFLATED_MAX (160u << 20)
/* Such memory is kept for the next rectangle up to this size. */
#define INFLATED_KEPT (16u << 20)
/* Spare bytes behind the buffer: for a solid ZRLE tile the library reads four bytes, and the tile
 * has three. */
#define INFLATED_SLACK 64

struct library {
    struct pixel_decoder decoder;
    rfbClient *lib;
    struct stream *stream;
    struct jpeg *jpeg;
    rfbVNCRec recording; /* in which the library reads the stream */
    off64_t taken;       /* bytes that went into it */
    char ahead[READ_AHEAD];
    struct rect now;    /* the rectangle being decoded */
    double fills_left;  /* pixels that it may still fill */
    uint8_t *jpeg_data; /* of the rectangle being decoded */
    size_t jpeg_room;
    struct reason trouble; /* the stream's, or what we found in a rectangle; empty: none */
    bool broken;           /* it is the stream's */
};

static char library_tag; /* its address names our data in the library's client */

static struct library *library_of(rfbClient *lib)
{
    return rfbClientGetClientData(lib, &library_tag);
}

/* The library's log has no client in it; the line that explains a failure is the last one of the
 * thread that saw it. The others say nothing a user needs. */
static _Thread_local char last_library_line[300];

static void library_log(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(last_library_line, sizeof last_library_line, format, args);
    va_end(args);
    last_library_line[strcspn(last_library_line, "\r\n")] = '\0';
}

static void set_up_library(void)
{
    rfbClientLog = library_log;
    rfbClientErr = library_log;
}

const char *decoder_library_version(void)
{
    return LIBVNCSERVER_VERSION;
}

/* ---- drawing ---- */

static uint32_t *pixel_at(const rfbClient *lib, int x, int y)
{
    return (uint32_t *)(void *)lib->frameBuffer + (size_t)y * (size_t)lib->width + (size_t)x;
}

static void got_bitmap(rfbClient *lib, const uint8_t *from, int x, int y, int w, int h)
{
    size_t row = (size_t)w * sizeof(uint32_t);

    if (!rect_inside((struct rect){x, y, w, h}, library_of(lib)->now))
        return;
    for (int i = 0; i < h; i++, from += row)
        memcpy(pixel_at(lib, x, y + i), from, row);
}

static void got_fill(rfbClient *lib, int x, int y, int w, int h, uint32_t colour)
{
    struct library *d = library_of(lib);
    /* a subrectangle may be larger than the rectangle it belongs to: draw what fits */
    struct rect r = rect_intersect((struct rect){x, y, w, h}, d->now);

    d->fills_left -= (double)r.w * r.h;
    if (d->fills_left < 0)
        reason_set(&d->trouble, "it fills more pixels than it has");
    if (d->fills_left < 0 || stream_is_cut(d->stream))
        return; /* read_stream() ends the decoding */
    for (int i = 0; i < r.h; i++) {
        uint32_t *to = pixel_at(lib, r.x, r.y + i);
        for (int j = 0; j < r.w; j++)
            to[j] = colour;
    }
}

static bool draw_jpeg(struct library *d, const uint8_t *data, size_t size)
{
    const char *fault =
        jpeg_decode(d->jpeg, data, size, pixel_at(d->lib, 0, 0), d->lib->width, d->now);

    d->decoder.lossy = true;
    return !fault || reason_set(&d->trouble, "%s", fault);
}

/* The library hands over the compressed data of the whole rectangle, to be freed here. */
static rfbBool got_jpeg(rfbClient *lib, const uint8_t *data, int size, int x, int y, int w, int h)
{
    bool ok = draw_jpeg(library_of(lib), data, (size_t)size);

    (void)x;
    (void)y;
    (void)w;
    (void)h;
    free((void *)(uintptr_t)data);
    return ok;
}

/* ---- reading ---- */

/* What the library reads. The FILE takes up to READ_AHEAD bytes at a time, so it may have taken
 * some that follow the rectangle; give_back() returns those to the stream. */
static ssize_t read_stream(void *user, char *out, size_t size)
{
    struct library *d = user;
    size_t got;

    if (d->trouble.text[0])
        return 0;
    got = stream_read_some(d->stream, out, size, &d->trouble);
    d->broken = got == 0;
    d->taken += (off64_t)got;
    return (ssize_t)got;
}

/* Only tells the FILE where it is; it cannot go elsewhere. */
static int tell_stream(void *user, off64_t *position, int whence)
{
    struct library *d = user;

    if (whence != SEEK_CUR || *position != 0)
        return -1;
    *position = d->taken;
    return 0;
}

static void give_back(struct library *d)
{
    FILE *f = d->recording.file;
    off_t used = ftello(f);
    char rest[READ_AHEAD];
    size_t count = used < 0 ? 0 : (size_t)(d->taken - used);

    if (count > 0 && count <= sizeof rest && fread(rest, 1, count, f) == count)
        stream_unread(d->stream, rest, count);
}

static bool library_decoder_open_recording(struct library *d)
{
    cookie_io_functions_t functions = {.read = read_stream, .seek = tell_stream};

    d->recording.file = fopencookie(d, "r", functions);
    if (!d->recording.file)
        return false;
    setvbuf(d->recording.file, d->ahead, _IOFBF, sizeof d->ahead);
    __fsetlocking(d->recording.file, FSETLOCKING_BYCALLER); /* one thread reads it */
    d->lib->serverPort = -1;                                /* "plays a recording" */
    d->lib->vncRec = &d->recording;
    return true;
}

/* ---- life ---- */

/* The picture's memory is the framebuffer's: the library must never replace it. */
static rfbBool no_new_picture(rfbClient *lib)
{
    return FALSE;
}

static void library_destroy(struct pixel_decoder *decoder)
{
    struct library *d = (struct library *)decoder; /* the decoder is its first member */

    if (d->lib) {
        d->lib->vncRec = NULL; /* ours */
        d->lib->frameBuffer = NULL;
        rfbClientCleanup(d->lib);
    }
    if (d->recording.file)
        fclose(d->recording.file);
    jpeg_destroy(d->jpeg);
    free(d->jpeg_data);
    free(d);
}

static struct pixel_decoder *library_create(struct stream *stream)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct library *d = calloc(1, sizeof *d);
    rfbClient *lib;

    pthread_once(&once, set_up_library);
    if (!d)
        return NULL;
    d->stream = stream;
    d->jpeg = jpeg_create();
    lib = d->lib = rfbGetClient(8, 3, 4);
    if (!lib || !d->jpeg || !library_decoder_open_recording(d)) {
        library_destroy(&d->decoder);
        return NULL;
    }
    rfbClientSetClientData(lib, &library_tag, d);
    lib->format.redShift = 16; /* native 0x00RRGGBB */
    lib->format.greenShift = 8;
    lib->format.blueShift = 0;
    lib->raw_buffer_size = 0; /* the library begins with -1; the buffer is made here */
    lib->MallocFrameBuffer = no_new_picture;
    lib->GotBitmap = got_bitmap;
    lib->GotFillRect = got_fill;
    lib->GotJpeg = got_jpeg;
    return &d->decoder;
}

static void library_use_picture(struct pixel_decoder *decoder, const struct picture *picture)
{
    struct library *d = (struct library *)decoder;

    d->lib->frameBuffer = (uint8_t *)picture->pixels;
    d->lib->width = picture->width;
    d->lib->height = picture->height;
}

/* ---- decoding ---- */

/* Reads the first byte of a Tight rectangle and refuses what the decoder's buffers are not made
 * for. */
static bool check_tight(struct library *d, uint8_t *control, struct reason *why)
{
    struct rect r = d->now;
    unsigned kind;

    if (!stream_read(d->stream, control, 1, why))
        return false;
    kind = *control >> 4;
    if (kind == rfbTightFill || kind == rfbTightJpeg)
        return true;
    if (r.w > TIGHT_MAX_WIDTH)
        return reason_set(why, "the server sent a Tight rectangle %d pixels wide (at most %d)", r.w,
                          TIGHT_MAX_WIDTH);
    if ((kind & rfbTightNoZlib) == rfbTightNoZlib &&
        (size_t)r.w * (size_t)r.h * sizeof(uint32_t) > RFB_BUFFER_SIZE)
        return reason_set(why, "the server sent an uncompressed Tight rectangle of %d x %d pixels",
                          r.w, r.h);
    return true;
}

/* Bytes that the library's buffer for inflated pixels has to hold; 0: the encoding has none. */
static size_t inflated_bytes(struct rect r, int32_t encoding)
{
    size_t pixels = (size_t)r.w * (size_t)r.h;

    return encoding == ENCODING_ZRLE ? pixels * 3 * 2 : encoding == ENCODING_ZLIB ? pixels * 4 : 0;
}

/* The library would make this buffer itself, but without the few bytes that its decoders read past
 * the end. */
static bool make_room_to_inflate(struct library *d, size_t bytes, struct reason *why)
{
    rfbClient *lib = d->lib;

    if (bytes > INFLATED_MAX)
        return reason_set(why,
                          "the server sent a rectangle of %d x %d pixels at once, which takes "
                          "too much memory to decode: try --encodings tight",
                          d->now.w, d->now.h);
    if (bytes <= (size_t)lib->raw_buffer_size)
        return true;
    free(lib->raw_buffer);
    lib->raw_buffer_size = 0;
    lib->raw_buffer = calloc(1, bytes + INFLATED_SLACK);
    if (!lib->raw_buffer)
        return reason_set(why, "out of memory");
    lib->raw_buffer_size = (int)bytes;
    return true;
}

static void free_large_buffer(rfbClient *lib)
{
    if (lib->raw_buffer_size <= (int)INFLATED_KEPT)
        return;
    free(lib->raw_buffer);
    lib->raw_buffer = NULL;
    lib->raw_buffer_size = 0;
}

/* The library draws what it has even when a zlib rectangle was too short. */
static bool inflated_all(struct library *d, size_t bytes, int32_t encoding)
{
    return encoding != ENCODING_ZLIB ||
           (size_t)d->lib->raw_buffer_size - d->lib->decompStream.avail_out == bytes;
}

/* An update of one rectangle, as the library wants to read it: first the time of a recording. */
static size_t one_rect_update(uint8_t *out, struct rect r, int32_t encoding)
{
    size_t size = sizeof(struct timeval);

    memset(out, 0, size);
    size += server_write_update(out + size, 1);
    return size + server_write_rectangle(out + size, r, encoding);
}

/* The length of what follows (RFB, "Tight Encoding"): seven bits a byte, as long as the highest bit
 * says so, at most three bytes. */
static bool read_compact(struct library *d, size_t *out, struct reason *why)
{
    uint8_t byte;

    *out = 0;
    for (unsigned shift = 0; shift <= 14; shift += 7) {
        if (!stream_read(d->stream, &byte, 1, why))
            return false;
        *out |= (size_t)(shift < 14 ? byte & 0x7f : byte) << shift;
        if (!(byte & 0x80))
            break;
    }
    return true;
}

/* A JPEG image needs nothing of the library, and is copied less often without it. */
static bool read_jpeg(struct library *d, struct reason *why)
{
    size_t size;

    if (!read_compact(d, &size, why))
        return false;
    if (size > d->jpeg_room) {
        free(d->jpeg_data);
        d->jpeg_data = malloc(size);
        d->jpeg_room = d->jpeg_data ? size : 0;
    }
    if (size > d->jpeg_room)
        return reason_set(why, "out of memory");
    return stream_read(d->stream, d->jpeg_data, size, why) && draw_jpeg(d, d->jpeg_data, size);
}

static bool decode_one(struct library *d, int32_t encoding, struct reason *why)
{
    uint8_t header[sizeof(struct timeval) + SERVER_UPDATE_HEAD + RECTANGLE_HEAD + 1];
    size_t size = one_rect_update(header, d->now, encoding);
    size_t inflated = inflated_bytes(d->now, encoding);
    bool ok;

    if (encoding == ENCODING_TIGHT && !check_tight(d, &header[size++], why))
        return false;
    if (encoding == ENCODING_TIGHT && header[size - 1] == rfbTightJpeg
                                                              << 4) /* and resets nothing */
        return read_jpeg(d, why);
    if (inflated > 0 && !make_room_to_inflate(d, inflated, why))
        return false;
    stream_unread(d->stream, header, size);
    last_library_line[0] = '\0';
    /* for a broken ZRLE tile the library writes a line, but returns success */
    ok = HandleRFBServerMessage(d->lib) && !strstr(last_library_line, "ZRLE decoding failed");
    if (ok && !inflated_all(d, inflated, encoding)) {
        library_log("its data is not of its size");
        ok = false;
    }
    free_large_buffer(d->lib);
    give_back(d);
    return ok && !d->trouble.text[0];
}

static bool library_decode(struct pixel_decoder *decoder, struct rect r, int32_t encoding,
                           struct reason *why)
{
    struct library *d = (struct library *)decoder;
    const char *name = encoding_name(encoding);

    if ((r.w == 0 || r.h == 0) && encoding != ENCODING_COPYRECT)
        return reason_set(why, "the server sent an empty %s rectangle", name);
    d->now = r;
    d->fills_left = (double)r.w * r.h * (encoding == ENCODING_HEXTILE ? HEXTILE_FILLS : RRE_FILLS);
    d->trouble.text[0] = '\0';
    why->text[0] = '\0';
    d->broken = false;
    if (decode_one(d, encoding, why))
        return true;
    if (d->broken)
        return reason_set(why, "%s", d->trouble.text);
    if (why->text[0])
        return false;
    return reason_set(why, "the server sent a bad %s rectangle: %s", name,
                      d->trouble.text[0]     ? d->trouble.text
                      : last_library_line[0] ? last_library_line
                                             : "it does not decode");
}

const struct pixel_decoder_ops library_decoder = {
    .create = library_create,
    .use_picture = library_use_picture,
    .decode = library_decode,
    .destroy = library_destroy,
};
