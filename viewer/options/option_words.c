#include "viewer/options/option_words.h"

#include <ctype.h>
#include <string.h>

static void add_word(char words[OPTION_WORDS_MAX], const char *word, size_t length)
{
    size_t used = strlen(words);

    if (used + length + 2 > OPTION_WORDS_MAX)
        return;
    if (used > 0)
        words[used++] = ' ';
    memcpy(words + used, word, length);
    words[used + length] = '\0';
}

/* A part between two '|': a word in small letters, or "0..9". False: it is none of these. */
static bool option_words_add_part(char words[OPTION_WORDS_MAX], const char *part, size_t length)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";

    if (length == 4 && isdigit((unsigned char)part[0]) && strncmp(part + 1, "..", 2) == 0) {
        for (char digit = part[0]; digit <= part[3]; digit++)
            add_word(words, &digit, 1);
        return true;
    }
    if (strspn(part, letters) < length)
        return false;
    add_word(words, part, length);
    return true;
}

bool option_words(const struct option_entry *e, char words[OPTION_WORDS_MAX])
{
    const char *part = e->argument ? e->argument : "";
    bool all = true;

    words[0] = '\0';
    for (size_t length; *part; part += length, part += *part == '|') {
        length = strcspn(part, "|");
        all = option_words_add_part(words, part, length) && all;
    }
    return all && words[0];
}
