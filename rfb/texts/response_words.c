#include "rfb/texts/response_words.h"

#include <stdio.h>
#include <string.h>

/* Who took the time, for who is no expert. */
enum response_who { WHO_SERVER, WHO_LINE, WHO_BOTH, WHO_FAR_END, WHO_COMPUTER, WHOS };

const char *response_part_name(enum response_part part)
{
    static const char *const names[RESPONSE_PARTS] = {
        [RESPONSE_INPUT] = "input path",  [RESPONSE_SERVER] = "server",
        [RESPONSE_ENCODER] = "encoder",   [RESPONSE_QUEUE] = "queue",
        [RESPONSE_PATH] = "network path", [RESPONSE_REST] = "server and line",
        [RESPONSE_DECODER] = "decoder",   [RESPONSE_DISPLAY] = "display",
    };

    return names[part];
}

/* What waits at the far end waits for the line. */
static enum response_who response_who_is(enum response_part part)
{
    switch (part) {
    case RESPONSE_SERVER:
        return WHO_SERVER;
    case RESPONSE_QUEUE:
    case RESPONSE_PATH:
        return WHO_LINE;
    case RESPONSE_REST:
        return WHO_BOTH;
    case RESPONSE_INPUT:
    case RESPONSE_ENCODER:
        return WHO_FAR_END;
    default:
        return WHO_COMPUTER;
    }
}

static void response_by_who(const struct response_parts *p, tick_t took[WHOS])
{
    memset(took, 0, WHOS * sizeof *took);
    for (int i = 0; i < RESPONSE_PARTS; i++)
        took[response_who_is((enum response_part)i)] += p->part[i];
}

static int response_most(const tick_t took[WHOS])
{
    int most = 0;

    for (int i = 1; i < WHOS; i++)
        if (took[i] > took[most])
            most = i;
    return most;
}

/* How many digits stand behind the point. */
static int response_digits(double ms)
{
    return ms < 9.95 ? 1 : 0;
}

void response_say(char *out, size_t size, const struct response_parts *p)
{
    static const char *const says[WHOS] = {"The server took", "The line takes",
                                           "The server and the line took", "The far end took",
                                           "This computer took"};
    double all = tick_to_ms(p->total);
    tick_t took[WHOS];
    int most;

    *out = '\0';
    if (p->total <= 0)
        return;
    response_by_who(p, took);
    most = response_most(took);
    if (most == WHO_LINE && p->loss >= RESPONSE_LOSS)
        snprintf(out, size, "The line loses %.0f %%", 100 * p->loss);
    else
        snprintf(out, size, "%s %.*f of %.*f ms", says[most], response_digits(all),
                 tick_to_ms(took[most]), response_digits(all), all);
}

static void response_add(char *out, size_t size, const char *name, tick_t took)
{
    double ms = tick_to_ms(took);
    size_t used = strlen(out);

    if (ms >= 0.05)
        snprintf(out + used, size - used, "%s%s %.*f", used ? ", " : "", name, response_digits(ms),
                 ms);
}

void response_list(char *out, size_t size, const struct response_parts *p, bool plain)
{
    static const char *const names[WHOS] = {"server", "line", "server and line", "far end",
                                            "this computer"};
    tick_t took[WHOS];
    size_t used;

    *out = '\0';
    response_by_who(p, took);
    for (int i = 0; plain && i < WHOS; i++)
        response_add(out, size, names[i], took[i]);
    for (int i = 0; !plain && i < RESPONSE_PARTS; i++)
        response_add(out, size, response_part_name((enum response_part)i), p->part[i]);
    used = strlen(out);
    if (used > 0)
        snprintf(out + used, size - used, " ms");
}
