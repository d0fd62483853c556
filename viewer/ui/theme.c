#include "viewer/ui/theme.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "rfb/system/plain_file.h"

#define ORDINARY_DPI 96
/* Displays differ a little, and what they say of themselves is seldom exact. */
#define ORDINARY_UP_TO 1.2

#define SETTINGS_MAX 16384 /* bytes of settings.ini that are read */

bool theme_parse(const char *text, enum ui_theme *theme)
{
    static const char *const names[] = {"auto", "light", "dark"};

    for (int i = 0; i < 3; i++)
        if (strcasecmp(text, names[i]) == 0) {
            *theme = (enum ui_theme)i;
            return true;
        }
    return false;
}

static bool says_dark(const char *name, size_t length)
{
    for (size_t i = 0; i + 4 <= length; i++)
        if (strncasecmp(name + i, "dark", 4) == 0)
            return true;
    return false;
}

/* The value of a line "key = value"; NULL: there is none. It ends with the line. */
static const char *theme_value_of(const char *settings, const char *key, size_t *length)
{
    size_t key_length = strlen(key);

    for (const char *line = settings; line && *line;) {
        const char *end = line + strcspn(line, "\r\n");
        const char *v = line + strspn(line, " \t");

        if (strncmp(v, key, key_length) == 0) {
            v += key_length;
            v += strspn(v, " \t");
            if (*v == '=') {
                v++;
                v += strspn(v, " \t");
                *length = v < end ? (size_t)(end - v) : 0;
                return v;
            }
        }
        line = end + strspn(end, "\r\n");
    }
    return NULL;
}

static enum ui_theme theme_of_settings(const char *settings)
{
    const char *theme, *prefer;
    size_t length = 0;

    prefer = theme_value_of(settings, "gtk-application-prefer-dark-theme", &length);
    if (prefer && length > 0 && (*prefer == '1' || strncasecmp(prefer, "true", 4) == 0))
        return UI_THEME_DARK;
    theme = theme_value_of(settings, "gtk-theme-name", &length);
    if (theme && length > 0)
        return says_dark(theme, length) ? UI_THEME_DARK : UI_THEME_LIGHT;
    return prefer ? UI_THEME_LIGHT : UI_THEME_AUTO;
}

enum ui_theme theme_of_desktop(const char *name, enum colour_scheme scheme, const char *settings)
{
    enum ui_theme theme;

    if (name && *name)
        return says_dark(name, strlen(name)) ? UI_THEME_DARK : UI_THEME_LIGHT;
    if (scheme == SCHEME_LIGHT || scheme == SCHEME_DARK)
        return scheme == SCHEME_DARK ? UI_THEME_DARK : UI_THEME_LIGHT;
    theme = theme_of_settings(settings);
    return theme == UI_THEME_AUTO && scheme == SCHEME_NO_WISH ? UI_THEME_LIGHT : theme;
}

static void read_settings(char *out, size_t size)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    char path[512];
    size_t got = 0;
    struct reason never;
    FILE *f;

    if (config && *config)
        snprintf(path, sizeof path, "%s/gtk-3.0/settings.ini", config);
    else
        snprintf(path, sizeof path, "%s/.config/gtk-3.0/settings.ini", home ? home : "");
    f = plain_file_open(path, &never);
    if (f) {
        got = fread(out, 1, size - 1, f);
        fclose(f);
    }
    out[got] = '\0';
}

enum ui_theme theme_find(enum ui_theme theme, enum colour_scheme scheme)
{
    char settings[SETTINGS_MAX];

    if (theme == UI_THEME_AUTO) {
        read_settings(settings, sizeof settings);
        theme = theme_of_desktop(getenv("GTK_THEME"), scheme, settings);
    }
    return theme == UI_THEME_AUTO ? UI_THEME_DARK : theme;
}

float theme_scale(float dpi, int window_w, int output_w)
{
    float by_dpi = dpi / ORDINARY_DPI, scale = 1;

    if (isfinite(by_dpi) && by_dpi > ORDINARY_UP_TO)
        scale = by_dpi;
    if (window_w > 0 && output_w > window_w)
        scale = fmaxf(scale, (float)output_w / (float)window_w);
    return fminf(fmaxf(roundf(scale * 4) / 4, 1), 4);
}
