#include "viewer/desktop/input/clipboard/text_parts.h"

#include <stdlib.h>
#include <string.h>

void text_parts_clear(struct text_parts *t)
{
    free(t->text);
    t->text = NULL;
    t->length = 0;
}

void text_parts_miss(struct text_parts *t, size_t size)
{
    free(t->text);
    t->text = NULL;
    t->length += size;
}

void text_parts_add(struct text_parts *t, const void *bytes, size_t size)
{
    bool given_up = t->length > 0 && !t->text;
    bool fits = t->length <= t->most && size <= t->most - t->length;
    char *longer = !given_up && fits ? realloc(t->text, t->length + size + 1) : NULL;

    if (!longer) {
        text_parts_miss(t, size);
        return;
    }
    memcpy(longer + t->length, bytes, size);
    t->text = longer;
    t->length += size;
    t->text[t->length] = '\0';
}

bool text_parts_too_long(const struct text_parts *t)
{
    return t->length > t->most;
}

char *text_parts_take(struct text_parts *t)
{
    char *text = t->text;

    t->text = NULL;
    t->length = 0;
    return text;
}
