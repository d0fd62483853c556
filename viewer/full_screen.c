#include "viewer/full_screen.h"

#include <stdlib.h>
#include <strings.h>

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
