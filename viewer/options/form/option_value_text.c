/* What an option is set to, written as it would be typed. The other way round: option_apply(). */
#include <stdio.h>
#include <string.h>

#include "viewer/options/form/option_form.h"

static void option_level_text(int level, char *out, size_t size)
{
    if (level == LEVEL_AUTO)
        snprintf(out, size, "auto");
    else
        snprintf(out, size, "%d", level);
}

static void option_scale_text(const struct scale *s, char *out, size_t size)
{
    static const char *const names[] = {[SCALE_AUTO] = "auto",
                                        [SCALE_SYSTEM] = "system",
                                        [SCALE_FIT] = "fit",
                                        [SCALE_INTEGER] = "integer"};

    if (s->kind == SCALE_RATIO)
        snprintf(out, size, "%g", s->ratio);
    else
        snprintf(out, size, "%s", names[s->kind]);
}

/* What --ssh has made of the route is no --via. */
static void option_gateway_text(const struct gateway *g, char *out, size_t size)
{
    if (!g->far_end)
        gateway_format(g, out, size);
}

static void option_security_text(security_set allowed, char *out, size_t size)
{
    struct reason never;
    security_set one;

    for (size_t i = 0; security_name(i); i++) {
        size_t used = strlen(out);

        if (security_parse(&one, security_name(i), &never) && (one & allowed))
            snprintf(out + used, size - used, "%s%s", used > 0 ? "," : "", security_name(i));
    }
}

static const char *option_clipboard_text(const struct options *o)
{
    if (o->send_clipboard)
        return o->accept_clipboard ? "both" : "send";
    return o->accept_clipboard ? "receive" : "off";
}

static const char *option_sound_text(enum sound_wish wish)
{
    static const char *const names[] = {
        [SOUND_WISH_OFF] = "off", [SOUND_WISH_AUTO] = "auto", [SOUND_WISH_ON] = "on"};

    return names[wish];
}

bool option_value_text(const struct options *o, const struct option_entry *e, char *out,
                       size_t size)
{
    const void *field = (const char *)o + e->field;

    out[0] = '\0';
    switch (e->kind) {
    case SET:
    case CLEAR:
    case ON_OFF:
        snprintf(out, size, "%s", *(const bool *)field == (e->kind != CLEAR) ? "on" : "off");
        return true;
    case TEXT:
        if (*(const char *const *)field)
            snprintf(out, size, "%s", *(const char *const *)field);
        return true;
    case LEVEL:
        option_level_text(*(const int *)field, out, size);
        return true;
    case GATEWAY:
        option_gateway_text(field, out, size);
        return true;
    case SECURITY:
        option_security_text(*(const security_set *)field, out, size);
        return true;
    case CLIPBOARD:
        snprintf(out, size, "%s", option_clipboard_text(o));
        return true;
    case SOUND:
        snprintf(out, size, "%s", option_sound_text(o->sound));
        return true;
    case SCALE:
        option_scale_text(&o->scale, out, size);
        return true;
    case DESKTOP_SIZE:
        if (o->desktop_width)
            snprintf(out, size, "%dx%d", o->desktop_width, o->desktop_height);
        return true;
    default:
        return false;
    }
}
