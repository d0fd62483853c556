/* What the parts of the command line share: the table of options, TigerVNC's options
 * beside them (option_rows.c), what parses it (option_parser.c), takes values (option_values.c),
 * reads files (files/) and shows it (help.c).
 */
#ifndef VNCHL_OPTION_TABLE_H
#define VNCHL_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "viewer/options/options.h"

#ifdef __cplusplus
extern "C" {
#endif

enum option_kind {
    SET,       /* bool: true */
    CLEAR,     /* bool: false */
    ON_OFF,    /* bool; alone it is on */
    TEXT,      /* const char *: not empty */
    LEVEL,     /* int: 0..9, or LEVEL_AUTO */
    SECONDS,   /* double: above 0, at most a year */
    DELAY,     /* double: 0 s or more, at most a day */
    PERIOD,    /* double: 10..60000 ms, 0 for never */
    FPS,       /* double: 0.1..240 */
    RATE,      /* double: bits per second */
    PRP,       /* auto, off or ms */
    REQUESTS,  /* bool: thesis; guarded is not */
    PUSH,      /* bool: on; auto and off are not */
    DATAGRAMS, /* bool: auto; off is not */
    KEEP,      /* unsigned: seconds, or off */
    MEMORY,    /* unsigned: 0..KEPT_MIB_MOST MiB */
    WINDOW,    /* auto or bytes */
    ENCODINGS, /* list of names */
    SECURITY,  /* security_set: list of names */
    FINGERPRINT,
    GATEWAY,              /* struct gateway */
    REPEATER,             /* struct address */
    SPEED,                /* double: PLAYBACK_MAX, or how many times faster */
    LOG_FILE,             /* const char *: a file name, or TigerVNC's NAME:stderr:LEVEL */
    GEOMETRY,             /* struct window_place */
    SCALE,                /* struct scale */
    DESKTOP_SIZE,         /* WxH; nothing: the server's own */
    FULL_SCREEN_MODE,     /* enum full_screen_mode */
    FULL_SCREEN_MONITORS, /* uint32_t: a list of numbers */
    /* TigerVNC's, whose values are not ours */
    AUTO_SELECT,  /* enum auto_select */
    PREFERRED,    /* the encoding that comes first */
    ALL_MONITORS, /* a flag for --full-screen-mode all */
    MUST_BE_ON,   /* what this program does: only that is accepted */
    MUST_BE_OFF,  /* what it does not */
    ONE_OF,       /* only the values in `argument` are accepted; they change nothing */
    NOT_HERE,     /* refused, whatever its value */
    CLIPBOARD,    /* both, send, receive or off */
    PRIMARY,      /* on or off */
    THEME,
    SOUND,    /* enum sound_wish */
    MENU_KEY, /* struct menu_key */
    ASK,
    SANDBOX, /* enum sandbox */
    HELP,
    VERSION,
    HEADING, /* no option: a line of --help */
    KEY,     /* no option: a key of the window, for --help */
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

/* An option of TigerVNC's viewer that has no namesake here. Not in --help. `help` says why it is
 * refused. */
struct foreign_option {
    struct option_entry entry;
    const char *preset; /* what TigerVNC writes into a file when nobody has asked for anything */
};

extern const struct foreign_option foreign_options[];
extern const size_t foreign_option_count;

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

/* The option of this name, which may be another viewer's; without dashes in front. NULL: none. */
const struct option_entry *option_named(const char *name);

/* Fails with a line that suggests the option that was meant, if one is near. */
bool option_unknown(const char *name, struct reason *why);

/* Sets what the option says. `value` is NULL only for a flag. */
bool option_apply(struct options *o, const struct option_entry *e, const char *value,
                  struct reason *why);

/* Reads the file of options that count always (defaults.conf), if there is one. */
bool option_read_defaults(struct options *o, struct reason *why);

/* Reads the options of the profile. */
bool option_read_profile(struct options *o, const char *name, struct reason *why);

/* Adds to a reason against the address of a profile where that stands. False. */
bool option_blame_profile(const struct options *o, struct reason *why);

/* Whether the address asks for more than a server: a link, or the name of a connection file. */
bool option_asks(const char *address);

/* What the command line names, if it is understood: one address as it is typed, or several as
 * "A, B". *servers is NULL where it names none; what is new lives as long as `keep`. */
bool option_servers(struct options *keep, int argc, char **argv, const char **servers,
                    struct reason *why);

/* Takes such a text of several servers. */
bool option_connect_to_several(struct options *o, const char *text, struct reason *why);

/* A copy of the text that lives as long as the options; NULL: out of memory. */
const char *option_keep(struct options *o, const char *text);

/* "on", "0", "yes" and their like. */
bool option_is_bool(const char *text);

/* The text of --help, on standard output. */
void option_help(void);

#ifdef __cplusplus
}
#endif
#endif
