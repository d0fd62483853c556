#include "rfb/system/log.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "rfb/texts/reason.h"

static bool verbose_lines; /* this and the next: written once, before the threads start */
static void (*taker)(bool debug, const char *line);

/* What is written to one opened for reading fails, and can be said. */
void log_guard_descriptors(void)
{
    int fd;

    do
        fd = open("/dev/null", O_RDONLY);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
}

void log_set_verbose(bool verbose)
{
    verbose_lines = verbose;
}

bool log_is_verbose(void)
{
    return verbose_lines;
}

void log_to(void (*take)(bool debug, const char *line))
{
    taker = take;
}

static void log_print(bool debug, const char *format, va_list args)
{
    char line[LOG_LINE_MAX];

    vsnprintf(line, sizeof line, format, args);
    sanitise(line);
    if (taker)
        taker(debug, line);
    else
        fprintf(stderr, "vnchl: %s\n", line);
}

void log_line(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    log_print(false, format, args);
    va_end(args);
}

void log_debug(const char *format, ...)
{
    va_list args;

    if (!verbose_lines)
        return;
    va_start(args, format);
    log_print(true, format, args);
    va_end(args);
}
