/* What each kind of option takes as its value. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "rfb/decode/picture_memory.h"
#include "rfb/net/recording/playback.h"
#include "rfb/proto/blocks.h"
#include "rfb/texts/duration.h"
#include "viewer/options/option_table.h"

static bool parse_number(const char *text, double low, double high, double *out)
{
    char *end;

    errno = 0;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && errno == 0 && isfinite(*out) && *out >= low &&
           *out <= high && strspn(text, "0123456789.") == strlen(text);
}

static bool parse_prp(struct options *o, const char *text)
{
    double ms;

    if (strcmp(text, "auto") == 0) {
        o->policy = PRP_AUTO;
    } else if (strcmp(text, "off") == 0) {
        o->policy = PRP_OFF;
    } else {
        if (!parse_number(text, PRP_FIXED_MIN_MS, PRP_FIXED_MAX_MS, &ms))
            return false;
        o->policy = PRP_FIXED;
        o->fixed_prp = tick_from_ms(ms);
    }
    return true;
}

/* A number that may end in k, m or g, for `thousand` of the unit before. */
static bool parse_scaled(const char *text, double thousand, double low, double high, double *out)
{
    static const char units[] = "kmg";
    char digits[24];
    size_t length = strlen(text);
    double scale = 1, number;

    if (length == 0 || length >= sizeof digits)
        return false;
    strcpy(digits, text);
    for (int i = 0; units[i]; i++)
        if (tolower((unsigned char)digits[length - 1]) == units[i]) {
            scale = pow(thousand, i + 1);
            digits[length - 1] = '\0';
            break;
        }
    if (!parse_number(digits, 0, high, &number) || number * scale < low || number * scale > high)
        return false;
    *out = number * scale;
    return true;
}

/* The window is at least one large segment and at most what TCP can scale to (RFC 7323). */
static bool parse_window(struct options *o, const char *text)
{
    double bytes = 0;

    if (strcmp(text, "auto") != 0 && !parse_scaled(text, 1024, 2048, 1 << 30, &bytes))
        return false;
    o->window_bytes = (int64_t)bytes;
    return true;
}

/* What other viewers take as the value of a flag. */
static bool parse_bool(const char *text, bool *out)
{
    static const char *const words[][2] = {
        {"0", "1"}, {"off", "on"}, {"no", "yes"}, {"false", "true"}};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (int on = 0; on < 2; on++)
            if (strcasecmp(text, words[i][on]) == 0) {
                *out = on;
                return true;
            }
    return false;
}

static bool parse_ask(const char *text, enum ask_where *where)
{
    static const char *const words[] = {"auto", "window", "terminal"};

    for (int i = 0; i < 3; i++)
        if (strcasecmp(text, words[i]) == 0) {
            *where = (enum ask_where)i;
            return true;
        }
    return false;
}

static bool parse_sound(const char *text, enum sound_wish *out)
{
    *out = strcmp(text, "on") == 0     ? SOUND_WISH_ON
           : strcmp(text, "auto") == 0 ? SOUND_WISH_AUTO
                                       : SOUND_WISH_OFF;
    return *out != SOUND_WISH_OFF || strcmp(text, "off") == 0;
}

static bool parse_sandbox(const char *text, enum sandbox *sandbox)
{
    static const char *const words[] = {
        [SANDBOX_AUTO] = "auto", [SANDBOX_REQUIRE] = "require", [SANDBOX_OFF] = "off"};

    for (int i = 0; i < 3; i++)
        if (strcmp(text, words[i]) == 0) {
            *sandbox = (enum sandbox)i;
            return true;
        }
    return false;
}

/* TigerVNC's -Log NAME:DESTINATION:LEVEL. Its viewer says more than usual above 30. */
static bool is_tigervnc_log(const char *value, bool *verbose)
{
    const char *dest = strchr(value, ':'), *level = dest ? strchr(dest + 1, ':') : NULL;
    size_t length = level ? strlen(level + 1) : 0;

    if (length < 1 || length > 3 || strspn(level + 1, "0123456789") != length ||
        strncmp(dest, ":stderr:", 8) != 0)
        return false;
    *verbose = atoi(level + 1) > 30;
    return true;
}

/* The encoding that comes first; the others stay behind it. TigerVNC's viewer writes Tight into its
 * files where nobody has chosen: that is our usual list. */
static bool parse_preferred(struct options *o, const char *name)
{
    static const char *const may[][2] = {{"tight", ""},
                                         {"zrle", "zrle,"},
                                         {"hextile", "hextile,"},
                                         {"raw", "raw,"},
                                         {"h.264", "h264,"}};
    char list[80];
    struct reason never;

    for (size_t i = 0; i < sizeof may / sizeof *may; i++)
        if (strcasecmp(name, may[i][0]) == 0) {
            snprintf(list, sizeof list, "%s%s", may[i][1], ENCODINGS_DEFAULT);
            return encoding_list_parse(&o->encodings.list, list, &never);
        }
    return false;
}

/* Whether `list` ("a|b") has the word. */
static bool one_of(const char *list, const char *word)
{
    size_t length = strlen(word);

    for (; *list; list += strcspn(list, "|"), list += *list == '|')
        if (strcspn(list, "|") == length && strncasecmp(list, word, length) == 0)
            return true;
    return false;
}

static bool not_supported(const struct option_entry *e, const char *value, struct reason *why)
{
    return reason_set(why, "option '%s=%s' is not supported: %s", e->name, value ? value : "1",
                      e->help);
}

bool option_is_bool(const char *text)
{
    bool on;

    return parse_bool(text, &on);
}

static bool parse_clipboard(struct options *o, const char *text)
{
    o->send_clipboard = strcmp(text, "both") == 0 || strcmp(text, "send") == 0;
    o->accept_clipboard = strcmp(text, "both") == 0 || strcmp(text, "receive") == 0;
    return o->send_clipboard || o->accept_clipboard || strcmp(text, "off") == 0;
}

/* A size is that of the window which the picture is to fit, as ssvncviewer has it. */
static bool parse_scale(struct options *o, const char *text)
{
    struct window_place size = {0};

    o->scale_said = true;
    if (scale_parse(&o->scale, text))
        return true;
    if (!window_place_parse(&size, text) || size.placed)
        return false;
    o->scale = (struct scale){.kind = SCALE_FIT};
    o->place.width = size.width;
    o->place.height = size.height;
    return true;
}

/* TigerVNC's files hold an empty one when nobody has asked for a size. */
static bool parse_desktop_size(struct options *o, const char *text)
{
    struct window_place place = {0};

    if (*text && (!window_place_parse(&place, text) || place.placed ||
                  place.width < DESKTOP_SIDE_MIN || place.height < DESKTOP_SIDE_MIN))
        return false;
    o->desktop_width = place.width;
    o->desktop_height = place.height;
    return place.width <= FRAMEBUFFER_MAX_SIDE && place.height <= FRAMEBUFFER_MAX_SIDE;
}

static bool option_bad(const struct option_entry *e, const char *value, const char *takes,
                       struct reason *why)
{
    return reason_set(why, "bad value '%s' for --%s: it takes %s", value, e->name, takes);
}

bool option_apply(struct options *o, const struct option_entry *e, const char *value,
                  struct reason *why)
{
    void *field = (char *)o + e->field;
    bool on = true;
    double number;

    switch (e->kind) {
    case SET:
    case CLEAR:
        if (value && !parse_bool(value, &on))
            return option_bad(e, value, "nothing, or =on or =off", why);
        *(bool *)field = on == (e->kind == SET);
        return true;
    case ON_OFF:
        return parse_bool(value, field) || option_bad(e, value, "on or off", why);
    case TEXT:
        *(const char **)field = value;
        return *value || option_bad(e, value, "a file name", why);
    case LEVEL:
        number = LEVEL_AUTO;
        if (strcmp(value, "auto") != 0 &&
            (strlen(value) != 1 || !parse_number(value, 0, 9, &number)))
            return option_bad(e, value, "auto or a number from 0 to 9", why);
        *(int *)field = (int)number;
        return true;
    case SECONDS:
        return parse_number(value, 1e-3, 366 * 86400.0, (double *)field) ||
               option_bad(e, value, "a number of seconds above 0", why);
    case DELAY:
        return parse_number(value, 0, 86400, (double *)field) ||
               option_bad(e, value, "a number of seconds from 0", why);
    case PERIOD:
        if (!parse_number(value, 0, 60000, &number) || (number > 0 && number < 10))
            return option_bad(e, value, "10 to 60000 ms, or 0 for never", why);
        *(double *)field = number;
        return true;
    case FPS:
        return parse_number(value, 0.1, 240, (double *)field) ||
               option_bad(e, value, "a number from 0.1 to 240", why);
    case RATE:
        return parse_scaled(value, 1000, 1e4, 1e12, (double *)field) ||
               option_bad(e, value, "bits per second, 10k or more", why);
    case SPEED:
        *(double *)field = PLAYBACK_MAX;
        return strcmp(value, "max") == 0 ||
               parse_number(value, PLAYBACK_SPEED_LEAST, PLAYBACK_SPEED_MOST, field) ||
               option_bad(e, value, "max or a number from 0.01 to 1000", why);
    case PRP:
        return parse_prp(o, value) || option_bad(e, value, "auto, off or 1 to 10000 ms", why);
    case REQUESTS:
        *(bool *)field = strcmp(value, "thesis") == 0;
        return *(bool *)field || strcmp(value, "guarded") == 0 ||
               option_bad(e, value, "guarded or thesis", why);
    case PUSH: /* docs/decisions/push-when-asked-to.md */
        *(bool *)field = strcmp(value, "on") == 0;
        o->encodings.blocks = strcmp(value, "off") != 0;
        return *(bool *)field || strcmp(value, "auto") == 0 || strcmp(value, "off") == 0 ||
               option_bad(e, value, "auto, on or off", why);
    case DATAGRAMS:
        *(bool *)field = strcmp(value, "auto") == 0;
        return *(bool *)field || strcmp(value, "off") == 0 ||
               option_bad(e, value, "auto or off", why);
    case KEEP:
        return (duration_has_unit(value) && duration_parse(value, field)) ||
               option_bad(e, value, DURATION_FORM, why);
    case MEMORY:
        if (!parse_number(value, 0, KEPT_MIB_MOST, &number) || number != (unsigned)number)
            return option_bad(e, value, "a whole number from 0 to 64", why);
        *(unsigned *)field = (unsigned)number;
        return true;
    case WINDOW:
        return parse_window(o, value) || option_bad(e, value, "auto or 2k to 1G bytes", why);
    case GATEWAY:
        return gateway_parse(field, value, why);
    case REPEATER:
        return address_parse(field, value, why);
    case SECURITY:
        return security_parse(field, value, why);
    case FINGERPRINT:
        o->pinned = fingerprint_parse(value, o->fingerprint);
        return o->pinned || option_bad(e, value, "64 hexadecimal digits", why);
    case CLIPBOARD:
        return parse_clipboard(o, value) || option_bad(e, value, "both, send, receive or off", why);
    case PRIMARY:
        if (!parse_bool(value, &on))
            return option_bad(e, value, "on or off", why);
        o->send_primary = o->set_primary = on;
        return true;
    case THEME:
        return theme_parse(value, field) || option_bad(e, value, "auto, light or dark", why);
    case SOUND:
        return parse_sound(value, field) || option_bad(e, value, "auto, on or off", why);
    case MENU_KEY:
        return menu_key_parse(value, field) ||
               option_bad(e, value, MENU_KEY_NAMES ", or none", why);
    case ASK:
        return parse_ask(value, field) || option_bad(e, value, "auto, window or terminal", why);
    case SANDBOX:
        return parse_sandbox(value, field) || option_bad(e, value, "auto, require or off", why);
    case ENCODINGS:
        return encoding_list_parse(&o->encodings.list, value, why);
    case LOG_FILE:
        if (is_tigervnc_log(value, &o->verbose))
            return true;
        *(const char **)field = value;
        return *value || option_bad(e, value, "a file name", why);
    case GEOMETRY:
        return window_place_parse(field, value) ||
               option_bad(e, value, "a size and a place such as 800x600+0+0", why);
    case SCALE:
        return parse_scale(o, value) ||
               option_bad(
                   e, value,
                   "auto, fit, integer, system, a size such as 1280x800, or a ratio from 0.1 to 10 "
                   "such as 1, 0.5 or 150%",
                   why);
    case FULL_SCREEN_MODE:
        return full_screen_mode_parse(field, value) ||
               option_bad(e, value, "current, all or selected", why);
    case FULL_SCREEN_MONITORS:
        return full_screen_monitors_parse(field, value) ||
               option_bad(e, value, "numbers of monitors from 1 to 32, such as 1,2", why);
    case DESKTOP_SIZE:
        return parse_desktop_size(o, value) ||
               option_bad(e, value, "a size such as 1280x800, from 64x64 to 8192x8192", why);
    case AUTO_SELECT:
        if (value && !parse_bool(value, &on))
            return option_bad(e, value, "nothing, or =1 or =0", why);
        o->auto_select = on ? AUTO_SELECT_ON : AUTO_SELECT_OFF;
        return true;
    case ALL_MONITORS:
        if (value && !parse_bool(value, &on))
            return option_bad(e, value, "nothing, or =1 or =0", why);
        if (on)
            o->monitors.mode = FULL_SCREEN_ALL;
        return true;
    case PREFERRED:
        return parse_preferred(o, value) ||
               option_bad(e, value, "Tight, ZRLE, Hextile, H.264 or Raw", why);
    case MUST_BE_ON:
    case MUST_BE_OFF:
        if (value && !parse_bool(value, &on))
            return option_bad(e, value, "nothing, or =1 or =0", why);
        return on == (e->kind == MUST_BE_ON) || not_supported(e, value, why);
    case ONE_OF:
        return one_of(e->argument, value) || not_supported(e, value, why);
    case NOT_HERE:
        return reason_set(why, "option '%s' is not supported: %s", e->name, e->help);
    default: /* --help and --version */
        return !value || option_bad(e, value, "nothing", why);
    }
}
