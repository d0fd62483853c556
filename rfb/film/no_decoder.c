/* Where it is built without libavcodec. */
#include "rfb/film/decoder.h"

void film_decoder_load(void) {}

bool film_decoder_works(void)
{
    return false;
}

struct film_decoder *film_decoder_create(void)
{
    return NULL;
}

void film_decoder_destroy(struct film_decoder *d) {}

bool film_decode(struct film_decoder *d, const uint8_t *bytes, size_t size, bool key, int w, int h,
                 struct film_planes *out)
{
    return false;
}

struct film_decoder *film_decoder_create_foreign(int64_t pixels_most, struct film_memory *memory)
{
    return NULL;
}

bool film_decode_foreign(struct film_decoder *d, const uint8_t *bytes, size_t size,
                         struct film_view *out)
{
    return false;
}

enum film_refusal film_decoder_refusal(const struct film_decoder *d)
{
    return FILM_NOT_REFUSED;
}
