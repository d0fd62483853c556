/* Light or dark, and how large: what the window's own pages follow.
 *
 * Pure, but for theme_find(). Any thread.
 */
#ifndef VNCHL_THEME_H
#define VNCHL_THEME_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum ui_theme {
    UI_THEME_AUTO, /* as the desktop, where that is known; else dark */
    UI_THEME_LIGHT,
    UI_THEME_DARK,
};

/* What the desktop's settings portal says (viewer/desktop/pages/settings_portal.h). */
enum colour_scheme {
    SCHEME_UNKNOWN, /* it says nothing, or there is none */
    SCHEME_NO_WISH, /* neither is preferred: so says GNOME where it is not dark */
    SCHEME_LIGHT,
    SCHEME_DARK,
};

/* "auto", "light" or "dark". False: it is none of them. */
bool theme_parse(const char *text, enum ui_theme *theme);

/* What the desktop says: `name` is the value of GTK_THEME, which is said for single programs and
 * counts most; `settings` is the text of GTK's settings.ini; each may be NULL. AUTO: nothing is
 * said. */
enum ui_theme theme_of_desktop(const char *name, enum colour_scheme scheme, const char *settings);

/* LIGHT or DARK: asks the environment and the user's settings where `theme` is AUTO. */
enum ui_theme theme_find(enum ui_theme theme, enum colour_scheme scheme);

/* How much larger than on an ordinary display everything is drawn, in steps of a quarter, 1 to 4.
 * `dpi` is in pixels per inch, 0 when unknown. A display with more pixels (`output_w`) than the
 * system counts (`window_w`) is enlarged at least by that. */
float theme_scale(float dpi, int window_w, int output_w);

#ifdef __cplusplus
}
#endif
#endif
