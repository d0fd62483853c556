#include "viewer/desktop/pages/told/play_words.h"

#include <stdio.h>
#include <string.h>

static void play_words_time(uint32_t ms, char *out, size_t size)
{
    const unsigned s = ms / 1000;

    if (s < 3600)
        snprintf(out, size, "%u:%02u", s / 60, s % 60);
    else
        snprintf(out, size, "%u:%02u:%02u", s / 3600, s / 60 % 60, s % 60);
}

void play_words_place(const struct play_state *s, char out[PLAY_WORDS_MAX])
{
    char length[PLAY_WORDS_MAX / 2];

    play_words_time(s->place, out, PLAY_WORDS_MAX / 2);
    if (s->length == 0)
        return;
    play_words_time(s->length, length, sizeof length);
    strcat(out, " of ");
    strcat(out, length);
}
