#include "rfb/session/pictures/weights.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct weights {
    pthread_mutex_t lock;
    struct encoding_weight of[ENCODINGS_MAX]; /* by row */
};

struct weights *weights_create(void)
{
    struct weights *w = calloc(1, sizeof *w);

    if (w)
        pthread_mutex_init(&w->lock, NULL);
    return w;
}

void weights_destroy(struct weights *w)
{
    if (!w)
        return;
    pthread_mutex_destroy(&w->lock);
    free(w);
}

void weights_add(struct weights *w, int32_t encoding, uint64_t bytes)
{
    int row = encoding_row(encoding);

    if (row < 0)
        return;
    pthread_mutex_lock(&w->lock);
    w->of[row].rectangles++;
    w->of[row].bytes += bytes;
    pthread_mutex_unlock(&w->lock);
}

void weights_stats(struct weights *w, struct session_stats *out)
{
    pthread_mutex_lock(&w->lock);
    memcpy(out->weights, w->of, sizeof w->of);
    pthread_mutex_unlock(&w->lock);
}
