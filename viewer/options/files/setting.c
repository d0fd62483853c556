#include "viewer/options/files/setting.h"

#include <string.h>
#include <strings.h>

#define BLANKS "\t "
#define MARK   "\xef\xbb\xbf" /* U+FEFF in UTF-8 */

struct setting_lines setting_lines_of(const char *text, size_t size)
{
    struct setting_lines lines = {.text = text, .size = size};

    if (size >= strlen(MARK) && memcmp(text, MARK, strlen(MARK)) == 0)
        lines.at = strlen(MARK);
    return lines;
}

/* Cuts the blanks at both ends, in place. */
static void setting_trim(char *line)
{
    size_t begin = strspn(line, BLANKS), length = strlen(line);

    while (length > begin && strchr(BLANKS, line[length - 1]))
        length--;
    memmove(line, line + begin, length - begin);
    line[length - begin] = '\0';
}

enum setting_line setting_next_line(struct setting_lines *lines, struct reason *why)
{
    size_t left = lines->size - lines->at, length;
    const char *begin, *end;

    if (left == 0)
        return LINE_END;
    begin = lines->text + lines->at;
    lines->number++;
    end = memchr(begin, '\n', left);
    length = end ? (size_t)(end - begin) : left;
    lines->at += length + (end != NULL);
    if (length > 0 && begin[length - 1] == '\r')
        length--;
    if (length >= sizeof lines->line) {
        reason_set(why, "line %d is too long: it has %zu bytes, more than %d", lines->number,
                   length, SETTINGS_LINE_MAX - 1);
        return LINE_BAD;
    }
    if (memchr(begin, '\0', length)) {
        reason_set(why, "line %d is no text", lines->number);
        return LINE_BAD;
    }
    memcpy(lines->line, begin, length);
    lines->line[length] = '\0';
    setting_trim(lines->line);
    return LINE_READ;
}

char *setting_split(char *line)
{
    char *value = strchr(line, '=');

    if (!value)
        return NULL;
    *value++ = '\0';
    setting_trim(line);
    setting_trim(value);
    return value;
}

/* As setting_split(); but a blank, too, ends the name. */
static char *split_option(char *line)
{
    size_t length = strcspn(line, "=" BLANKS);
    char *value = line + length;

    if (*value == '\0')
        return NULL;
    value += strspn(value, BLANKS);
    value += *value == '=';
    line[length] = '\0';
    setting_trim(value);
    return value;
}

const char *setting_bare_name(const struct setting *set)
{
    size_t dashes = strspn(set->name, "-");

    return set->name + (dashes <= 2 ? dashes : 0);
}

bool setting_is_way(const char *name)
{
    static const char *const names[] = {"via", "ssh", "repeater", "listen"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(names[i], name) == 0)
            return true;
    return false;
}

bool profile_parse(const char *text, size_t size, setting_taker take, void *user,
                   struct reason *why)
{
    struct setting_lines lines = setting_lines_of(text, size);
    enum setting_line got;

    while ((got = setting_next_line(&lines, why)) == LINE_READ) {
        struct setting s = {.name = lines.line, .line = lines.number};

        if (lines.line[0] == '\0' || lines.line[0] == '#')
            continue;
        s.value = split_option(lines.line);
        if (!take(user, &s, why))
            return false;
    }
    return got == LINE_END;
}
