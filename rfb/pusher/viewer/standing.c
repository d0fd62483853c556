#include "rfb/pusher/viewer/standing.h"

#include <stdlib.h>
#include <string.h>

#include "rfb/proto/encodings/encodings.h"
#include "rfb/proto/server_messages.h"

static bool standing_is_shape(int32_t encoding)
{
    return encoding == PSEUDO_RICH_CURSOR || encoding == PSEUDO_X_CURSOR ||
           encoding == PSEUDO_ALPHA_CURSOR;
}

static bool standing_replaces(int32_t encoding, int32_t older)
{
    return encoding == older || (standing_is_shape(encoding) && standing_is_shape(older));
}

void standing_deinit(struct standing *s)
{
    for (unsigned i = 0; i < s->count; i++)
        free(s->of[i].bytes);
    s->count = 0;
}

/* The place of this kind; NULL: there are too many. */
static struct standing_message *standing_place(struct standing *s, int32_t encoding)
{
    for (unsigned i = 0; i < s->count; i++)
        if (standing_replaces(encoding, s->of[i].encoding))
            return &s->of[i];
    if (s->count == STANDING_KINDS)
        return NULL;
    s->of[s->count] = (struct standing_message){.encoding = encoding};
    return &s->of[s->count++];
}

void standing_keep(struct standing *s, int32_t encoding, const void *own, size_t own_size,
                   const void *bytes, size_t size)
{
    struct standing_message *m = standing_place(s, encoding);
    size_t all = own_size + size;

    if (!m)
        return;
    free(m->bytes);
    *m = (struct standing_message){.encoding = encoding};
    m->bytes = all <= STANDING_MOST ? malloc(all) : NULL;
    if (!m->bytes)
        return;
    if (own_size > 0)
        memcpy(m->bytes, own, own_size);
    memcpy(m->bytes + own_size, bytes, size);
    m->size = all;
}

void standing_forget(struct standing *s, int32_t encoding)
{
    for (unsigned i = 0; i < s->count; i++)
        if (s->of[i].encoding == encoding) {
            free(s->of[i].bytes);
            s->of[i].bytes = NULL;
        }
}

bool standing_say_size(int width, int height, struct bytes_held *out)
{
    uint8_t update[SERVER_UPDATE_HEAD + RECTANGLE_HEAD];
    size_t used = server_write_update(update, 1);

    used += server_write_rectangle(update + used, (struct rect){0, 0, width, height},
                                   PSEUDO_DESKTOP_SIZE);
    return bytes_append(out, update, used);
}

bool standing_say(const struct standing *s, bool (*takes)(void *user, int32_t encoding), void *user,
                  struct bytes_held *out)
{
    bool ok = true;

    for (unsigned i = 0; ok && i < s->count; i++)
        if (s->of[i].bytes && takes(user, s->of[i].encoding))
            ok = bytes_append(out, s->of[i].bytes, s->of[i].size);
    return ok;
}
