#include "viewer/desktop/input/keyboard/typist.h"

#include <stdlib.h>
#include <string.h>

#define XK_MISCELLANY
#include <rfb/keysym.h>

#include "rfb/texts/utf8.h"
#include "viewer/desktop/input/keyboard/keysym.h"

/* The next character; CR LF and CR are the end of a line, too. */
static uint32_t typist_next(const char **rest)
{
    uint32_t c;

    *rest += utf8_decode(*rest, &c);
    if (c != '\r')
        return c;
    *rest += **rest == '\n';
    return '\n';
}

/* Whether a US keyboard has the character with Shift. */
static bool typist_is_shifted(uint32_t c)
{
    return c < 0x80 && ((c >= 'A' && c <= 'Z') || strchr("~!@#$%^&*()_+{}|:\"<>?", (int)c));
}

static void typist_note(struct typist_set *set, uint32_t c)
{
    if (set->count < TYPIST_NAMED)
        set->first[set->count] = c;
    set->count++;
}

static void typist_press(struct typist *t, uint32_t keysym, bool shifted)
{
    if (shifted)
        t->key(t->user, XK_Shift_L, true);
    t->key(t->user, keysym, true);
    t->key(t->user, keysym, false);
    if (shifted)
        t->key(t->user, XK_Shift_L, false);
}

static void typist_type(struct typist *t, uint32_t c)
{
    const uint32_t keysym = keysym_from_unicode(c);

    t->typed++;
    if (!keysym) {
        typist_note(&t->keyless, c);
        return;
    }
    if (c >= 0x80)
        typist_note(&t->foreign, c);
    typist_press(t, keysym, typist_is_shifted(c));
}

static size_t typist_count(const char *text)
{
    size_t n = 0;

    while (*text) {
        typist_next(&text);
        n++;
    }
    return n;
}

bool typist_begin(struct typist *t, const char *utf8, tick_t now, struct reason *why)
{
    size_t characters;

    typist_stop(t);
    if (!*utf8)
        return reason_set(why, "The clipboard has no text that could be typed.");
    if (!utf8_valid(utf8))
        return reason_set(why, "The clipboard's text is not UTF-8: nothing was typed.");
    characters = typist_count(utf8);
    if (characters > TYPIST_MAX)
        return reason_set(why,
                          "The clipboard's text has %zu characters, and at most %d are typed as "
                          "keys: nothing was typed.",
                          characters, TYPIST_MAX);
    *t = (struct typist){.key = t->key, .user = t->user, .text = strdup(utf8), .due = now};
    if (!t->text)
        return reason_set(why, "out of memory");
    t->rest = t->text;
    t->characters = characters;
    return true;
}

bool typist_is_busy(const struct typist *t)
{
    return t->text;
}

bool typist_time(struct typist *t, tick_t now)
{
    if (!t->text || now < t->due)
        return false;
    typist_type(t, typist_next(&t->rest));
    t->due = now + TYPIST_PERIOD;
    if (*t->rest)
        return false;
    typist_stop(t);
    return true;
}

tick_t typist_wait(const struct typist *t)
{
    return t->text ? t->due : TICK_NEVER;
}

void typist_stop(struct typist *t)
{
    if (t->text)
        explicit_bzero(t->text, strlen(t->text));
    free(t->text);
    t->text = NULL;
    t->rest = NULL;
}
