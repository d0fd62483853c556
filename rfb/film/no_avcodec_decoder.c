/* Where it is built without libavcodec. */
#include "rfb/film/avcodec_decoder.h"

#include <stddef.h>

const struct film_decoder_calls *avcodec_decoder_load(void)
{
    return NULL;
}

bool avcodec_decoder_is_installed(void)
{
    return false;
}
