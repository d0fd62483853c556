#include "tools/linkem/units.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void linkem_error(const char *format, ...)
{
    char line[512];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    fprintf(stderr, "vnchl-linkem: %s\n", line);
}

/* strtod() takes more than decimal numbers: "inf", "nan", "0x10", "1e3", leading blanks. */
static bool units_decimal(const char *text, double *out, const char **rest)
{
    size_t length = strspn(text, "0123456789.");
    char number[32];
    if (length == 0 || length >= sizeof number) {
        return false;
    }
    memcpy(number, text, length);
    number[length] = 0;
    char *end;
    *out = strtod(number, &end);
    *rest = text + length;
    return end == number + length;
}

struct unit {
    const char *name;
    double factor;
};

/* The factor of the unit `name` is; 0 when it is none of them. */
static double factor_of(const struct unit *units, const char *name)
{
    for (; units->name; units++) {
        if (strcasecmp(units->name, name) == 0) {
            return units->factor;
        }
    }
    return 0;
}

static bool is_bare_zero(double value, const char *rest)
{
    return value == 0 && !*rest;
}

bool units_time(const char *option, const char *text, tick_t max, tick_t *out)
{
    static const struct unit units[] = {
        {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"min", 60e9}, {NULL, 0}};
    double value;
    const char *rest;
    if (!units_decimal(text, &value, &rest) ||
        (!factor_of(units, rest) && !is_bare_zero(value, rest))) {
        linkem_error("%s '%.40s' is not a time with its unit; write for example 300ms", option,
                     text);
        return false;
    }
    value *= factor_of(units, rest);
    if (value > (double)max) {
        linkem_error("%s '%.40s' is longer than %" PRId64 " s", option, text, max / TICK_S);
        return false;
    }
    *out = (tick_t)value;
    return true;
}

bool units_rate(const char *option, const char *text, uint64_t max, uint64_t *out)
{
    static const struct unit units[] = {{"", 1}, {"bit", 1}, {"bps", 1}, {"bit/s", 1}, {NULL, 0}};
    static const char prefixes[] = "kmg";
    double value;
    const char *rest;
    bool good = units_decimal(text, &value, &rest);
    if (good) {
        const char *prefix = *rest ? strchr(prefixes, *rest | 0x20) : NULL;
        for (long i = prefix ? prefix - prefixes : -1; i >= 0; i--) {
            value *= 1e3;
        }
        good = factor_of(units, prefix ? rest + 1 : rest) && (value == 0 || value >= 1);
    }
    if (!good) {
        linkem_error("%s '%.40s' is not a rate in bit/s; write for example 8mbit", option, text);
        return false;
    }
    if (value > (double)max) {
        linkem_error("%s '%.40s' is more than %" PRIu64 " bit/s", option, text, max);
        return false;
    }
    *out = (uint64_t)value;
    return true;
}

bool units_bytes(const char *option, const char *text, uint64_t max, uint64_t *out)
{
    static const struct unit units[] = {
        {"", 1},          {"k", 1024},       {"kib", 1024},       {"m", 1048576},
        {"mib", 1048576}, {"g", 1073741824}, {"gib", 1073741824}, {NULL, 0}};
    double value;
    const char *rest;
    if (strchr(text, '.') || !units_decimal(text, &value, &rest) || !factor_of(units, rest)) {
        linkem_error("%s '%.40s' is not a number of bytes; write for example 256k", option, text);
        return false;
    }
    value *= factor_of(units, rest);
    if (value > (double)max) {
        linkem_error("%s '%.40s' is more than %" PRIu64 " bytes", option, text, max);
        return false;
    }
    *out = (uint64_t)value;
    return true;
}

bool units_percent(const char *option, const char *text, double *out)
{
    double value;
    const char *rest;
    if (!units_decimal(text, &value, &rest) || value > 100 ||
        (strcmp(rest, "%") != 0 && !is_bare_zero(value, rest))) {
        linkem_error("%s '%.40s' is not a percentage from 0%% to 100%%; write for example 1%%",
                     option, text);
        return false;
    }
    *out = value / 100;
    return true;
}

bool units_integer(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *out)
{
    char *end = NULL;
    unsigned long long value = 0;
    bool good = *text >= '0' && *text <= '9' && strlen(text) < 20;
    if (good) {
        value = strtoull(text, &end, 10);
        good = !*end && value >= min && value <= max;
    }
    if (!good) {
        linkem_error("%s '%.40s' is not a whole number from %" PRIu64 " to %" PRIu64, option, text,
                     min, max);
        return false;
    }
    *out = value;
    return true;
}
