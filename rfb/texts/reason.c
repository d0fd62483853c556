#include "rfb/texts/reason.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "rfb/texts/utf8.h"

/* Characters that change the terminal or how the text around them looks. Some that are merely
 * invisible stay, such as joiners (U+200C, U+200D): some scripts are not written without them. */
static bool reason_shows(uint32_t c)
{
    static const struct {
        uint32_t first, last;
    } hidden[] = {
        {0x0000, 0x001f}, /* controls */
        {0x007f, 0x009f},
        {0x061c, 0x061c}, /* order of writing: can make a text read as another */
        {0x200e, 0x200f},
        {0x2028, 0x202e}, /* separators of lines, and more of the order */
        {0x2066, 0x2069},
        {0xfdd0, 0xfdef},   /* no characters */
        {0xfeff, 0xfeff},   /* byte order mark */
        {0xfff9, 0xfffb},   /* annotations */
        {0xe0000, 0xe007f}, /* tags: invisible letters */
    };

    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        if (c >= hidden[i].first && c <= hidden[i].last)
            return false;
    return (c & 0xfffe) != 0xfffe; /* the last two of every plane are no characters */
}

void sanitise(char *text)
{
    const char *from = text;
    char *to = text;

    while (*from) {
        uint32_t character;
        int length = utf8_decode(from, &character);

        if (length > 0 && reason_shows(character)) {
            memmove(to, from, (size_t)length);
            to += length;
        } else {
            *to++ = '?';
        }
        from += length > 0 ? length : 1;
    }
    *to = '\0';
}

bool is_sanitised(const char *text)
{
    while (*text) {
        uint32_t character;
        int length = utf8_decode(text, &character);

        if (length == 0 || !reason_shows(character))
            return false;
        text += length;
    }
    return true;
}

void capitalise(char *text)
{
    static const char *const names[] = {"ssh", "vnchl"};
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz");
    const char *behind = text + length + (text[length] == '.');

    if (length == 0 || (*behind && !strchr(" ,;:?!", *behind)))
        return;
    if (*behind == ':' && behind[1] != ' ') /* an address */
        return;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && strncmp(text, names[i], length) == 0)
            return;
    *text = (char)(*text - 'a' + 'A');
}

bool reason_set(struct reason *r, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(r->text, sizeof r->text, format, args);
    va_end(args);
    sanitise(r->text);
    r->kind = FAILURE_NONE;
    return false;
}

bool reason_set_kind(struct reason *r, enum failure kind)
{
    r->kind = kind;
    return false;
}
