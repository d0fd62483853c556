/* What the parts of the command line share: the table of options (options.c), what parses it
 * (option_parser.c), takes values (option_values.c) and shows it (help.c).
 */
#ifndef VNCHL_OPTION_TABLE_H
#define VNCHL_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "viewer/options/options.h"

enum option_kind {
    SET,       /* bool: true */
    CLEAR,     /* bool: false */
    ON_OFF,    /* bool */
    TEXT,      /* const char *: not empty */
    LEVEL,     /* int: 0..9, or LEVEL_AUTO */
    SECONDS,   /* double: above 0, at most a year */
    DELAY,     /* double: 0 s or more, at most a day */
    PERIOD,    /* double: 10..60000 ms, 0 for never */
    FPS,       /* double: 0.1..240 */
    RATE,      /* double: bits per second */
    PRP,       /* auto, off or ms */
    PUSH,      /* bool: on; auto and off are not */
    WINDOW,    /* auto or bytes */
    ENCODINGS, /* list of names */
    SECURITY,  /* security_set: list of names */
    CLIPBOARD, /* both, send, receive or off */
    PRIMARY,   /* on or off */
    HELP,
    VERSION,
    HEADING, /* no option: a line of --help */
};

struct option_entry {
    const char *name, *argument, *help; /* no argument: a flag */
    enum option_kind kind;
    size_t field; /* offset in struct options */
};

/* Another name of an option, as other viewers call it. */
struct option_alias {
    const char *alias, *name;
};

extern const struct option_entry option_table[];
extern const size_t option_count;
extern const struct option_alias option_aliases[];
extern const size_t option_alias_count;

/* Reads argv from left to right. */
struct option_parser {
    int argc;
    char **argv;
    int next;   /* in argv; begins with 1 */
    bool ended; /* "--" was there: only addresses follow */
};

enum option_word {
    WORD_OPTION,  /* *entry, and *value or NULL */
    WORD_ADDRESS, /* *value */
    WORD_END,
    WORD_BAD, /* `why` says what is not understood */
};

enum option_word option_parse(struct option_parser *p, const struct option_entry **entry,
                              const char **value, struct reason *why);

/* Sets what the option says. `value` is NULL only for a flag. */
bool option_apply(struct options *o, const struct option_entry *e, const char *value,
                  struct reason *why);

/* The text of --help, on standard output. */
void option_help(void);

#endif
