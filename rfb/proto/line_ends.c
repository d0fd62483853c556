#include "rfb/proto/line_ends.h"

void line_ends_to_lf(char *text)
{
    char *to = text;

    for (; *text; text++) {
        if (*text != '\r')
            *to++ = *text;
        else if (text[1] != '\n')
            *to++ = '\n';
    }
    *to = '\0';
}

/* The length of the line end at `text`; 0: there is none. */
static size_t line_end(const char *text)
{
    if (*text == '\n')
        return 1;
    return *text != '\r' ? 0 : text[1] == '\n' ? 2 : 1;
}

size_t line_ends_crlf_length(const char *text)
{
    size_t length = 0;

    while (*text) {
        size_t end = line_end(text);

        length += end > 0 ? 2 : 1;
        text += end > 0 ? end : 1;
    }
    return length;
}

void line_ends_to_crlf(const char *text, char *out)
{
    while (*text) {
        size_t end = line_end(text);

        if (end == 0) {
            *out++ = *text++;
        } else {
            *out++ = '\r';
            *out++ = '\n';
            text += end;
        }
    }
    *out = '\0';
}
