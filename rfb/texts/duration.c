#include "rfb/texts/duration.h"

#include <stdint.h>
#include <string.h>

/* Seconds of a unit; 0: there is no such unit. */
static unsigned duration_unit(const char *text)
{
    static const struct {
        char name;
        unsigned seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};

    if (!*text)
        return 1;
    for (unsigned i = 0; i < sizeof units / sizeof *units; i++)
        if (text[0] == units[i].name && !text[1])
            return units[i].seconds;
    return 0;
}

bool duration_parse(const char *text, unsigned *seconds)
{
    size_t digits = strspn(text, "0123456789");
    uint64_t number = 0;

    *seconds = 0;
    if (strcmp(text, "off") == 0)
        return true;
    if (digits == 0 || digits > 9)
        return false;
    for (size_t i = 0; i < digits; i++)
        number = number * 10 + (uint64_t)(text[i] - '0');
    if (duration_unit(text + digits) == 0 || number * duration_unit(text + digits) > DURATION_MOST)
        return false;
    *seconds = (unsigned)number * duration_unit(text + digits);
    return true;
}

bool duration_has_unit(const char *text)
{
    size_t digits = strspn(text, "0123456789");

    return text[digits] || strspn(text, "0") == digits;
}
