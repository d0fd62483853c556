#include "viewer/scale.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Without what strtod() also takes: "inf", "0x1", "1e1", a blank. */
static bool parse_ratio(double *ratio, const char *text)
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
    return parse_ratio(&s->ratio, text);
}
