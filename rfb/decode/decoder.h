/* Decodes one rectangle of pixels at a time, after a look whether it was offered and fits the
 * picture.
 *
 * The handshake (rfb/proto/handshake/handshake.h), message boundaries, pseudo-encodings and
 * requests are elsewhere (rfb/session/pictures/messages.h, rfb/proto/client_messages.h). What
 * decodes each encoding says a row of rfb/proto/encodings/encoding_rows.h. Receiver thread.
 */
#ifndef VNCHL_DECODER_H
#define VNCHL_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/decode/framebuffer.h"
#include "rfb/net/stream.h"
#include "rfb/proto/encodings/encodings.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

struct decoder;

/* Decodes from `stream` into the private picture of `fb`. Nothing but what is `offered` is decoded,
 * and raw. All three outlive the decoder. NULL when out of memory. */
struct decoder *decoder_create(struct stream *stream, struct framebuffer *fb,
                               const struct encoding_list *offered);

/* Safe on NULL. */
void decoder_destroy(struct decoder *d);

/* Takes over the size and address of the private picture after framebuffer_resize(). */
void decoder_use_picture(struct decoder *d, int width, int height);

/* Decodes one rectangle whose header has been read. It must lie inside the picture. Fails as soon
 * as the stream is cut. */
bool decoder_decode(struct decoder *d, struct rect r, int32_t encoding, struct reason *why);

/* Whether the rectangle decoded last is not exactly what the server has: it had JPEG in it, or was
 * H.264. */
bool decoder_was_lossy(const struct decoder *d);

/* Whether it could not be drawn, and has to come again as a whole. */
bool decoder_wants_again(const struct decoder *d);

/* Why it could not be drawn, and nothing of its kind can: struct pixel_decoder. NULL: it is not so.
 */
const char *decoder_unread(const struct decoder *d);

/* Its bytes, without its head. */
uint64_t decoder_bytes(const struct decoder *d);

/* Where the rectangle decoded last was copied from; it was a CopyRect. */
void decoder_copied_from(const struct decoder *d, int *x, int *y);

/* libvncclient's: "0.9.14" */
const char *decoder_library_version(void);

#ifdef __cplusplus
}
#endif
#endif
