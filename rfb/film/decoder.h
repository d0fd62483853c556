/* Decodes the pictures of a film, H.264, with libavcodec: each at once, without threads. In this
 * process, or in another one (rfb/worker/confined/decoder_caller.h).
 *
 * Who sent it may be hostile. A picture is whole, and of the size that it has to have, or refused.
 * It has FILM_PIXELS_MOST pixels at most, which bounds memory and time. H.264 that is not a far
 * end's film may have pictures of any size up to a limit.
 *
 * One thread at a time.
 */
#ifndef VNCHL_FILM_DECODER_H
#define VNCHL_FILM_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/film/picture.h"

#ifdef __cplusplus
extern "C" {
#endif

struct film_decoder;

/* Loads libavcodec into this process, with some 90 libraries that it needs: this takes 20 ms and
 * 15 MB. Before the process is confined. Where it is not there, or is another version than it was
 * built with, nothing happens. */
void film_decoder_load(void);

/* Whether films can be decoded. */
bool film_decoder_works(void);

/* Why they cannot any more; for behind "cannot be shown: ". */
#define FILM_GONE "what decodes it has ended, or cannot be loaded or confined"

/* NULL when out of memory, or where films cannot be decoded. */
struct film_decoder *film_decoder_create(void);
void film_decoder_destroy(struct film_decoder *d);

/* Decodes an access unit into a picture of w x h pixels, which is valid until the next one. Each
 * stands on those that were decoded before. `key`: all before are forgotten. False: it is broken,
 * and the next one has to be a key frame. */
bool film_decode(struct film_decoder *d, const uint8_t *bytes, size_t size, bool key, int w, int h,
                 struct film_planes *out);

/* ---- H.264 of other encoders ---- */

/* A picture as its stream says that it is. */
struct film_view {
    struct film_planes planes; /* from the first pixel that is to be seen */
    int w, h;                  /* pixels that are to be seen */
    bool halved_x, halved_y;   /* a value of Cb and Cr is for two columns, for two rows */
    struct film_colour colour;
};

/* What several decoders may take together, bytes: for pictures that are shown, or that others stand
 * on, and for what is noted of their streams. H.264 may keep 16 pictures, whatever it needs. Zeroed
 * but for `most`; it outlives the decoders. */
struct film_memory {
    int64_t most, used;
};

/* Its pictures have so many pixels at most, as they are coded. NULL: as film_decoder_create(). */
struct film_decoder *film_decoder_create_foreign(int64_t pixels_most, struct film_memory *memory);

/* Decodes an access unit; `out` is valid until the next one. False: there is no whole picture in
 * it. Whether it stands on what was decoded the caller has to know. */
bool film_decode_foreign(struct film_decoder *d, const uint8_t *bytes, size_t size,
                         struct film_view *out);

enum film_refusal {
    FILM_NOT_REFUSED, /* it was decoded, or it is broken */
    FILM_TOO_LARGE,
    FILM_PIXELS_UNREAD, /* more than 8 bits, or RGB */
    FILM_TOO_MUCH,      /* more than the memory that is left */
};

/* What is wrong with the picture that was told to be decoded last, though it may be whole. */
enum film_refusal film_decoder_refusal(const struct film_decoder *d);

/* s of CPU time that other processes have taken for it. Any thread. */
double film_decoder_seconds(void);

/* ---- where it takes place ---- */

/* As the functions above. */
struct film_decoder_calls {
    bool (*works)(void);
    struct film_decoder *(*create)(void);
    struct film_decoder *(*create_foreign)(int64_t pixels_most, struct film_memory *memory);
    void (*destroy)(struct film_decoder *d);
    bool (*decode)(struct film_decoder *d, const uint8_t *bytes, size_t size, bool key, int w,
                   int h, struct film_planes *out);
    bool (*decode_foreign)(struct film_decoder *d, const uint8_t *bytes, size_t size,
                           struct film_view *out);
    enum film_refusal (*refusal)(const struct film_decoder *d);
    double (*seconds)(void); /* NULL: there is no other process */
};

/* Films are decoded by these from now on, instead of in this process. NULL: by nothing. Before the
 * first decoder. */
void film_decoder_use(const struct film_decoder_calls *calls);

#ifdef __cplusplus
}
#endif
#endif
