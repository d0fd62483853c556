/* libavcodec in this process, for rfb/film/decoder.h. */
#ifndef VNCHL_AVCODEC_DECODER_H
#define VNCHL_AVCODEC_DECODER_H

#include "rfb/film/decoder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Loads it. NULL: it is not there, or is another version than this was built with. */
const struct film_decoder_calls *avcodec_decoder_load(void);

/* Whether it is where the loader of libraries looks. */
bool avcodec_decoder_is_installed(void);

#ifdef __cplusplus
}
#endif
#endif
