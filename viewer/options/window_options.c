#include "viewer/options/window_options.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define WINDOW_PLACE_SIDE_MAX   16384
#define WINDOW_PLACE_OFFSET_MAX 32767

/* ---- the place ---- */

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
    return window_place_number(text + 1, WINDOW_PLACE_OFFSET_MAX, out);
}

bool window_place_parse(struct window_place *place, const char *text)
{
    *place = (struct window_place){0};
    if (isdigit((unsigned char)*text)) {
        text = window_place_number(text, WINDOW_PLACE_SIDE_MAX, &place->width);
        if (!text || tolower((unsigned char)*text) != 'x')
            return false;
        text = window_place_number(text + 1, WINDOW_PLACE_SIDE_MAX, &place->height);
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

/* ---- full screen ---- */

bool full_screen_mode_parse(enum full_screen_mode *mode, const char *text)
{
    static const char *const words[] = {
        [FULL_SCREEN_CURRENT] = "current",
        [FULL_SCREEN_ALL] = "all",
        [FULL_SCREEN_SELECTED] = "selected",
    };

    for (int i = 0; i < 3; i++)
        if (strcasecmp(text, words[i]) == 0) {
            *mode = (enum full_screen_mode)i;
            return true;
        }
    return false;
}

bool full_screen_monitors_parse(uint32_t *selected, const char *text)
{
    uint32_t out = 0;

    for (;;) {
        char *end;
        long number;

        if (*text < '0' || *text > '9')
            return false;
        number = strtol(text, &end, 10);
        if (number < 1 || number > FULL_SCREEN_MONITORS_MAX)
            return false;
        out |= UINT32_C(1) << (number - 1);
        if (*end == '\0')
            break;
        if (*end != ',')
            return false;
        text = end + 1;
        while (*text == ' ')
            text++;
    }
    *selected = out;
    return true;
}

/* Without what strtod() also takes: "inf", "0x1", "1e1", a blank. */
static bool scale_parse_ratio(double *ratio, const char *text)
{
    const char *end = text + strspn(text, "0123456789.");
    bool percent = strcmp(end, "%") == 0;
    char *read;

    if (*end != '\0' && !percent)
        return false;
    *ratio = strtod(text, &read) / (percent ? 100 : 1);
    if (read == text || read != end)
        return false;
    return *ratio >= SCALE_RATIO_MIN && *ratio <= SCALE_RATIO_MAX;
}

bool scale_parse(struct scale *s, const char *text)
{
    static const struct {
        const char *name;
        enum scale_kind kind;
    } names[] = {{"auto", SCALE_AUTO},
                 {"system", SCALE_SYSTEM},
                 {"fit", SCALE_FIT},
                 {"fixedratio", SCALE_FIT},
                 {"integer", SCALE_INTEGER}};

    *s = (struct scale){.kind = SCALE_RATIO};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(text, names[i].name) == 0) {
            s->kind = names[i].kind;
            return true;
        }
    return scale_parse_ratio(&s->ratio, text);
}
