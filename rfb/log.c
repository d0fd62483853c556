#include "rfb/log.h"

#include <stdarg.h>
#include <stdio.h>

#include "rfb/reason.h"

static bool verbose_lines; /* written once, before the threads start */

void log_set_verbose(bool verbose)
{
    verbose_lines = verbose;
}

static void print(const char *format, va_list args)
{
    char line[600];

    vsnprintf(line, sizeof line, format, args);
    sanitise(line);
    fprintf(stderr, "vnchl: %s\n", line);
}

void log_line(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    print(format, args);
    va_end(args);
}

void log_debug(const char *format, ...)
{
    va_list args;

    if (!verbose_lines)
        return;
    va_start(args, format);
    print(format, args);
    va_end(args);
}
