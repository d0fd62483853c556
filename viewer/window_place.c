#include "viewer/window_place.h"

#include <ctype.h>
#include <stddef.h>

#define SIDE_MAX   16384
#define OFFSET_MAX 32767

/* Reads digits. NULL: there are none, or the number is too large. */
static const char *window_place_number(const char *text, int max, int *out)
{
    if (!isdigit((unsigned char)*text))
        return NULL;
    for (*out = 0; isdigit((unsigned char)*text); text++) {
        *out = *out * 10 + (*text - '0');
        if (*out > max)
            return NULL;
    }
    return text;
}

/* "+N", or "-N" for the other edge. */
static const char *window_place_offset(const char *text, int *out, bool *from_end)
{
    if (*text != '+' && *text != '-')
        return NULL;
    *from_end = *text == '-';
    return window_place_number(text + 1, OFFSET_MAX, out);
}

bool window_place_parse(struct window_place *place, const char *text)
{
    *place = (struct window_place){0};
    if (isdigit((unsigned char)*text)) {
        text = window_place_number(text, SIDE_MAX, &place->width);
        if (!text || tolower((unsigned char)*text) != 'x')
            return false;
        text = window_place_number(text + 1, SIDE_MAX, &place->height);
        if (!text || place->width == 0 || place->height == 0)
            return false;
        if (*text == '\0')
            return true;
    }
    place->placed = true;
    text = window_place_offset(text, &place->x, &place->from_right);
    if (text)
        text = window_place_offset(text, &place->y, &place->from_bottom);
    return text && *text == '\0';
}

int window_place_at(int offset, bool from_end, int size, int begin, int room)
{
    return from_end ? begin + room - size - offset : begin + offset;
}
