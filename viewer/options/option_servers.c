/* The servers that the command line names, as one text: "A, B" where there are several. */
#include <stdio.h>
#include <string.h>

#include "rfb/net/address/candidates.h"
#include "viewer/options/option_table.h"

/* Whether a word can be one of several: a link, a file or a socket says more than where to go. */
static bool servers_may_join(const char *word)
{
    return !strchr(word, '/') && !option_asks(word);
}

/* One more, behind those that are in the text. */
static bool servers_join(char *text, size_t size, const char *word, struct reason *why)
{
    size_t used = strlen(text);

    if (!servers_may_join(word))
        return reason_set(why,
                          "'%.200s' stands alone: several servers are HOST:DISPLAY or HOST::PORT "
                          "each",
                          word);
    if (option_named(word))
        return reason_set(why,
                          "'%.100s' is an option, written --%.100s; if it is one of several "
                          "servers, write %.100s:0",
                          word, word, word);
    if (used + strlen(word) + 3 > size)
        return reason_set(why, "too many servers: '%.200s' is one too many", word);
    snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", word);
    return true;
}

bool option_servers(struct options *keep, int argc, char **argv, const char **servers,
                    struct reason *why)
{
    struct option_parser p = {.argc = argc, .argv = argv, .next = 1};
    char text[2 * CANDIDATES_TEXT] = ""; /* as they are typed, with other spellings */
    bool joined = false;
    const struct option_entry *e;
    enum option_word word;
    const char *value;
    struct reason never;

    *servers = NULL;
    while ((word = option_parse(&p, &e, &value, &never)) != WORD_END) {
        if (word != WORD_ADDRESS)
            continue;
        if (*servers && !joined && !servers_join(text, sizeof text, *servers, why))
            return false;
        joined = *servers;
        if (joined && !servers_join(text, sizeof text, value, why))
            return false;
        *servers = joined ? *servers : value;
    }
    if (joined && !(*servers = option_keep(keep, text)))
        return reason_set(why, "out of memory");
    return true;
}

bool option_connect_to_several(struct options *o, const char *text, struct reason *why)
{
    if (o->route.listen || route_is_relayed(&o->route))
        return reason_set(why, "several servers are reached straight: leave out --listen, --via, "
                               "--ssh and --repeater, or name one server");
    if (!candidates_parse(&o->candidates, text, why))
        return false;
    o->address = o->candidates.at[0];
    return true;
}
