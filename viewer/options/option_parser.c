/* Takes the command line apart. An option is one dash or two and its whole name, or NAME=VALUE
 * without a dash: what is only the beginning of a name, or near to one, is refused, because it may
 * be another viewer's option. Case and dashes inside a name do not count.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "rfb/net/address/candidates.h"
#include "rfb/texts/spelling.h"
#include "viewer/options/option_table.h"
#include "viewer/options/option_words.h"

/* Room for a name without dashes; all of ours are shorter. */
#define NAME_MAX_BYTES 32
/* Fewer letters are the beginning of too many names to suggest one. */
#define PREFIX_MIN 3

/* The name in a word, up to its '=', in lower case and without dashes. False when it is longer than
 * any of ours. */
static bool plain_name(const char *word, char out[NAME_MAX_BYTES])
{
    size_t length = 0;

    for (; *word && *word != '='; word++) {
        if (*word == '-')
            continue;
        if (length + 1 == NAME_MAX_BYTES)
            return false;
        out[length++] = (char)tolower((unsigned char)*word);
    }
    out[length] = '\0';
    return length > 0;
}

static bool option_same(const char *plain, const char *name)
{
    char other[NAME_MAX_BYTES];

    return plain_name(name, other) && strcmp(plain, other) == 0;
}

static bool is_option(const struct option_entry *e)
{
    return e->kind != HEADING && e->kind != KEY;
}

static const struct option_entry *named(const char *plain)
{
    for (size_t i = 0; i < option_count; i++)
        if (is_option(&option_table[i]) && option_same(plain, option_table[i].name))
            return &option_table[i];
    return NULL;
}

static const struct option_entry *option_foreign(const char *plain)
{
    for (size_t i = 0; i < foreign_option_count; i++)
        if (option_same(plain, foreign_options[i].entry.name))
            return &foreign_options[i].entry;
    return NULL;
}

static const struct option_entry *meant_by(const struct option_alias *a)
{
    char plain[NAME_MAX_BYTES];

    return plain_name(a->name, plain) ? named(plain) : NULL;
}

static const struct option_entry *named_or_alias(const char *plain)
{
    for (size_t i = 0; i < option_alias_count; i++)
        if (option_same(plain, option_aliases[i].alias))
            return meant_by(&option_aliases[i]);
    return named(plain) ? named(plain) : option_foreign(plain);
}

const struct option_entry *option_named(const char *name)
{
    char plain[NAME_MAX_BYTES];

    return name[0] != '-' && plain_name(name, plain) ? named_or_alias(plain) : NULL;
}

static const struct option_entry *of_kind(enum option_kind kind)
{
    for (size_t i = 0; i < option_count; i++)
        if (option_table[i].kind == kind)
            return &option_table[i];
    return NULL;
}

/* The option that a word names; NULL: none. */
static const struct option_entry *option_find(const char *word)
{
    size_t dashes = strspn(word, "-");

    if (strcmp(word, "-h") == 0)
        return of_kind(HELP);
    if (strcmp(word, "-v") == 0)
        return of_kind(VERSION);
    return dashes <= 2 ? option_named(word + dashes) : NULL;
}

/* NAME=VALUE, as TigerVNC takes it without a dash. No address has a '=' but a path, and a link. */
static bool is_assignment(const char *word)
{
    size_t length = 0;

    while (isalnum((unsigned char)word[length]) || word[length] == '-')
        length++;
    return isalpha((unsigned char)word[0]) && word[length] == '=';
}

/* ---- suggestions ---- */

/* Smaller is nearer. The beginning of a name is as near as one mistake. */
static size_t option_farness(const char *plain, const char *name)
{
    char other[NAME_MAX_BYTES];
    size_t length = strlen(plain);

    if (!plain_name(name, other))
        return NAME_MAX_BYTES;
    if (length >= PREFIX_MIN && strncmp(plain, other, length) == 0)
        return 1;
    return spelling_distance(plain, other);
}

/* The option the user may have meant; NULL when none is near. */
static const struct option_entry *option_nearest(const char *word)
{
    const struct option_entry *found = NULL;
    char plain[NAME_MAX_BYTES];
    size_t best;

    if (!plain_name(word, plain))
        return NULL;
    best = spelling_near(plain);
    for (size_t i = 0; i < option_count; i++)
        if (is_option(&option_table[i]) && option_farness(plain, option_table[i].name) < best) {
            best = option_farness(plain, option_table[i].name);
            found = &option_table[i];
        }
    for (size_t i = 0; i < option_alias_count; i++)
        if (option_farness(plain, option_aliases[i].alias) < best) {
            best = option_farness(plain, option_aliases[i].alias);
            found = meant_by(&option_aliases[i]);
        }
    return found;
}

/* Whether "off" is one of the option's values. */
static bool option_takes_off(const struct option_entry *e)
{
    char words[OPTION_WORDS_MAX];

    if (e->kind == SET || e->kind == ON_OFF)
        return true;
    option_words(e, words);
    for (const char *at = words; *at; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == 3 && strncmp(at, "off", 3) == 0)
            return true;
    return false;
}

/* The option that "no" and its name refuse; NULL: the word is none of these. */
static const struct option_entry *option_negated(const char *word)
{
    char plain[NAME_MAX_BYTES];

    return plain_name(word, plain) && strncmp(plain, "no", 2) == 0 ? named_or_alias(plain + 2)
                                                                   : NULL;
}

bool option_unknown(const char *word, struct reason *why)
{
    const struct option_entry *negated = option_negated(word), *e = option_nearest(word);
    int length = (int)strcspn(word, "=");

    if (negated && option_takes_off(negated))
        return reason_set(why, "unknown option '%.*s': did you mean --%s=off?", length, word,
                          negated->name);
    if (e && !negated) /* what is near to it then is its opposite */
        return reason_set(why, "unknown option '%.*s': did you mean --%s?", length, word, e->name);
    return reason_set(why, "unknown option '%.*s' (see vnchl --help)", length, word);
}

/* ---- words ---- */

/* The value of an option without '=' is the next word, whatever that is; but a whole option there
 * means that the value was forgotten. */
static enum option_word take_value(struct option_parser *p, const char **value, struct reason *why)
{
    const char *option = p->argv[p->next - 1];
    const char *word = p->next < p->argc ? p->argv[p->next] : NULL;

    if (!word) {
        reason_set(why, "option '%s' needs a value", option);
        return WORD_BAD;
    }
    if (word[0] == '-' && option_find(word)) {
        reason_set(why,
                   "option '%s' needs a value: '%s' is an option (if it is the value, write %s=%s)",
                   option, word, option, word);
        return WORD_BAD;
    }
    p->next++;
    *value = word;
    return WORD_OPTION;
}

static bool is_bool_next(const struct option_parser *p)
{
    return p->next < p->argc && option_is_bool(p->argv[p->next]);
}

enum option_word option_parse(struct option_parser *p, const struct option_entry **entry,
                              const char **value, struct reason *why)
{
    const char *word;

    if (p->next < p->argc && !p->ended && strcmp(p->argv[p->next], "--") == 0) {
        p->ended = true;
        p->next++;
    }
    if (p->next >= p->argc)
        return WORD_END;
    word = p->argv[p->next++];
    *value = word;
    if (p->ended || (word[0] != '-' && !is_assignment(word)))
        return WORD_ADDRESS;
    if (word[1] == '\0') {
        reason_set(why, "'-' is neither an option nor a server (see vnchl --help)");
        return WORD_BAD;
    }
    *entry = option_find(word);
    if (!*entry) {
        option_unknown(word, why);
        return WORD_BAD;
    }
    *value = strchr(word, '=');
    if (*value)
        ++*value;
    else if ((*entry)->kind == ON_OFF && !is_bool_next(p))
        *value = "on"; /* other viewers say it so */
    else if ((*entry)->argument && (*entry)->kind != NOT_HERE)
        return take_value(p, value, why);
    return WORD_OPTION;
}

/* ---- the servers that it names, as one text: "A, B" where there are several ---- */

/* Whether a word can be one of several: a link, a file or a socket says more than where to go. */
static bool servers_may_join(const char *word)
{
    return !strchr(word, '/') && !option_asks(word);
}

/* Whether a word directly behind this option, which has no value, may have been meant as one. */
static bool servers_may_be_value(const struct option_entry *e, const char *word)
{
    if (e->kind == SET || e->kind == CLEAR) /* "1" is a server */
        return isalpha((unsigned char)*word) && option_is_bool(word);
    return e->kind == ON_OFF;
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
    const struct option_entry *e = NULL, *bare = NULL, *doubtful = NULL;
    enum option_word word;
    const char *value, *behind = NULL; /* `doubtful`, whose value it may be */
    struct reason never;

    *servers = NULL;
    for (int at = p.next; (word = option_parse(&p, &e, &value, &never)) != WORD_END; at = p.next) {
        if (word != WORD_ADDRESS) {
            bare = p.next == at + 1 && !strchr(argv[at], '=') ? e : NULL;
            continue;
        }
        if (bare && !p.ended && !doubtful && servers_may_be_value(bare, value)) {
            doubtful = bare;
            behind = value;
        }
        bare = NULL;
        if (*servers && !joined && !servers_join(text, sizeof text, *servers, why))
            return false;
        joined = *servers;
        if (joined && !servers_join(text, sizeof text, value, why))
            return false;
        *servers = joined ? *servers : value;
    }
    if (joined && doubtful)
        return reason_set(
            why,
            "'%.100s' stands behind --%s: write --%s=%.100s if it is its value; if it "
            "is a server, put the servers first",
            behind, doubtful->name, doubtful->name, behind);
    if (joined && !(*servers = option_keep(keep, text)))
        return reason_set(why, "out of memory");
    return true;
}

bool option_connect_to_several(struct options *o, const char *text, struct reason *why)
{
    if (o->route.listen)
        return reason_set(why, "--listen takes one PORT, or one HOST::PORT, not '%.200s'", text);
    if (route_is_relayed(&o->route))
        return reason_set(why, "several servers are reached straight: leave out --via, --ssh and "
                               "--repeater, or name one server");
    if (!candidates_parse(&o->candidates, text, why))
        return false;
    o->address = o->candidates.at[0];
    return true;
}
