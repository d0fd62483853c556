#include "tools/accelerator/events.h"

#include <stdarg.h>
#include <stdio.h>

#include "rfb/clock.h"
#include "rfb/reason.h"

/* of this second */
static tick_t second;
static unsigned said, left_out;

static bool may_be_said(enum event_weight weight)
{
    tick_t now = tick_now() / TICK_S;

    if (now != second) {
        if (left_out > 0)
            fprintf(stderr, "vnchl-accel: event=quiet left_out=%u\n", left_out);
        second = now;
        said = left_out = 0;
    }
    if (weight == EVENT_LIMITED && said >= EVENTS_PER_SECOND) {
        left_out++;
        return false;
    }
    said++;
    return true;
}

void event_log(enum event_weight weight, const char *name, const char *format, ...)
{
    char line[1400];
    va_list args;

    if (!may_be_said(weight))
        return;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    sanitise(line);
    fprintf(stderr, "vnchl-accel: event=%s %s\n", name, line);
}

const char *event_text(char *text)
{
    for (char *at = text; *at; at++)
        if (*at == '"')
            *at = '\'';
    return text;
}
