/* Where it is built without x264. */
#include "rfb/film/encoder.h"

bool film_encoder_works(void)
{
    return false;
}

struct film_encoder *film_encoder_create(void)
{
    return NULL;
}

void film_encoder_destroy(struct film_encoder *e) {}

bool film_encode(struct film_encoder *e, const struct film_picture *p, const struct film_demand *d,
                 struct film_coded *out)
{
    return false;
}
