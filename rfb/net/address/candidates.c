#include "rfb/net/address/candidates.h"

#include <stdio.h>
#include <string.h>

bool candidates_named(const char *text)
{
    return strchr(text, ',') && !strchr(text, '/');
}

bool address_same(const struct address *a, const struct address *b)
{
    return strcmp(a->host, b->host) == 0 && a->port == b->port && strcmp(a->path, b->path) == 0;
}

static bool candidates_add(struct candidates *c, const char *word, struct reason *why)
{
    struct address a;

    if (!*word)
        return reason_set(why, "between commas stands one server each: HOST:DISPLAY or HOST::PORT");
    if (c->count == CANDIDATES_MAX)
        return reason_set(why, "at most %d servers at a time: '%.200s' is one too many",
                          CANDIDATES_MAX, word);
    if (!address_parse(&a, word, why))
        return false;
    for (int i = 0; i < c->count; i++)
        if (address_same(&c->at[i], &a))
            return reason_set(why, "the server '%.200s' is named twice", word);
    c->at[c->count++] = a;
    return true;
}

bool candidates_parse(struct candidates *c, const char *text, struct reason *why)
{
    static const char blanks[] = " \t\r\n";

    *c = (struct candidates){.count = 0};
    for (size_t length;; text += length + 1) {
        char word[sizeof c->at[0].host + 16];
        size_t begin = strspn(text, blanks), end;

        length = end = strcspn(text, ",");
        begin = begin < end ? begin : end;
        while (end > begin && strchr(blanks, text[end - 1]))
            end--;
        if (end - begin >= sizeof word)
            return reason_set(why, "a server's name in '%.60s...' is too long", text);
        memcpy(word, text + begin, end - begin);
        word[end - begin] = '\0';
        if (!candidates_add(c, word, why))
            return false;
        if (!text[length])
            return true;
    }
}

void candidates_format(const struct candidates *c, char *out, size_t size)
{
    size_t used = 0;

    *out = '\0';
    for (int i = 0; i < c->count && used < size; i++) {
        char one[272];

        address_format(&c->at[i], one, sizeof one);
        used += (size_t)snprintf(out + used, size - used, "%s%s", i > 0 ? ", " : "", one);
    }
}

void candidates_pass(struct candidates *c, const struct address *lost)
{
    struct candidates turned = {.count = c->count};
    int at = 0;

    while (at < c->count && !address_same(&c->at[at], lost))
        at++;
    if (at == c->count)
        return;
    for (int i = 0; i < c->count; i++)
        turned.at[i] = c->at[(at + 1 + i) % c->count];
    *c = turned;
}
