#include "rfb/film/decoder.h"

#include <stddef.h>

#include "rfb/film/avcodec_decoder.h"

static const struct film_decoder_calls *film_calls; /* NULL: nothing decodes */

void film_decoder_load(void)
{
    if (!film_calls)
        film_calls = avcodec_decoder_load();
}

void film_decoder_use(const struct film_decoder_calls *calls)
{
    film_calls = calls;
}

bool film_decoder_works(void)
{
    return film_calls && film_calls->works();
}

struct film_decoder *film_decoder_create(void)
{
    return film_calls ? film_calls->create() : NULL;
}

struct film_decoder *film_decoder_create_foreign(int64_t pixels_most, struct film_memory *memory)
{
    return film_calls ? film_calls->create_foreign(pixels_most, memory) : NULL;
}

void film_decoder_destroy(struct film_decoder *d)
{
    if (d)
        film_calls->destroy(d);
}

bool film_decode(struct film_decoder *d, const uint8_t *bytes, size_t size, bool key, int w, int h,
                 struct film_planes *out)
{
    return film_calls->decode(d, bytes, size, key, w, h, out);
}

bool film_decode_foreign(struct film_decoder *d, const uint8_t *bytes, size_t size,
                         struct film_view *out)
{
    return film_calls->decode_foreign(d, bytes, size, out);
}

enum film_refusal film_decoder_refusal(const struct film_decoder *d)
{
    return film_calls->refusal(d);
}

double film_decoder_seconds(void)
{
    return film_calls && film_calls->seconds ? film_calls->seconds() : 0;
}
