#include "rfb/proto/encodings/encodings.h"

#include <string.h>

static const struct {
    const char *name;
    int32_t number;
} table[ENCODINGS_MAX] = {
#define ENCODING_NAMED(name, text, number, ...) {text, number},
    ENCODING_ROWS(ENCODING_NAMED, ENCODING_NAMED)
#undef ENCODING_NAMED
};

bool encoding_list_has(const struct encoding_list *list, int32_t number)
{
    for (int i = 0; i < list->count; i++)
        if (list->number[i] == number)
            return true;
    return false;
}

void encoding_list_drop(struct encoding_list *list, int32_t number)
{
    int left = 0;

    for (int i = 0; i < list->count; i++)
        if (list->number[i] != number)
            list->number[left++] = list->number[i];
    memset(&list->number[left], 0, sizeof *list->number * (size_t)(list->count - left));
    list->count = left;
}

int encoding_list_main(const struct encoding_list *list)
{
    return list->count > 1 && list->number[0] == ENCODING_H264;
}

bool encoding_list_parse(struct encoding_list *list, const char *text, struct reason *why)
{
    list->count = 0;
    for (;;) {
        size_t length, i;

        text += strspn(text, ", ");
        length = strcspn(text, ", ");
        if (length == 0)
            break;
        for (i = 0; i < ENCODINGS_MAX; i++)
            if (strlen(table[i].name) == length && strncasecmp(table[i].name, text, length) == 0)
                break;
        if (i == ENCODINGS_MAX)
            return reason_set(why, "unknown encoding '%.*s': choose from " ENCODING_NAMES,
                              (int)length, text);
        if (!encoding_list_has(list, table[i].number))
            list->number[list->count++] = table[i].number;
        text += length;
    }
    if (list->count == 0)
        return reason_set(why, "no encoding named");
    if (encoding_list_has(list, ENCODING_ZLIB) && encoding_list_has(list, ENCODING_ZRLE))
        return reason_set(why, "zlib and zrle cannot be offered together: leave one out");
    return true;
}

void encoding_list_all(struct encoding_list *list)
{
    list->count = ENCODINGS_MAX;
    for (int i = 0; i < ENCODINGS_MAX; i++)
        list->number[i] = table[i].number;
}

int encoding_row(int32_t number)
{
    for (int i = 0; i < ENCODINGS_MAX; i++)
        if (table[i].number == number)
            return i;
    return -1;
}

int32_t encoding_number(int row)
{
    return table[row].number;
}

const char *encoding_name(int32_t number)
{
    int row = encoding_row(number);

    return row < 0 ? NULL : table[row].name;
}
