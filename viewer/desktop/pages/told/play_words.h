/* Where a recording is, in words. Pure. */
#ifndef VNCHL_PLAY_WORDS_H
#define VNCHL_PLAY_WORDS_H

#include "rfb/net/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PLAY_WORDS_MAX 48

/* "0:12 of 1:34", "1:00:05 of 2:10:00"; without the length where that is not known. */
void play_words_place(const struct play_state *s, char out[PLAY_WORDS_MAX]);

#ifdef __cplusplus
}
#endif
#endif
