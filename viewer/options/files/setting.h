/* What a file or a link asks for, one setting after the other: a profile of ours
 * (profile_parse()), a connection file of another viewer (connection_file.h), the parameters of a
 * vnc:// link (uri.h).
 *
 * Pure: the text is in memory, and every setting is handed to the caller as it is read. A text may
 * come from anywhere. What is too long, or no text, is refused.
 */
#ifndef VNCHL_SETTING_H
#define VNCHL_SETTING_H

#include <stdbool.h>
#include <stddef.h>

#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SETTINGS_FILE_MAX (64 * 1024) /* bytes of a file */
#define SETTINGS_LINE_MAX 1024        /* bytes of a line */

/* Lives as long as the call that hands it over. */
struct setting {
    const char *name;
    const char *value; /* NULL: none was given */
    int line;          /* of the file, from 1; 0: not from a file */
};

/* Takes one setting. False, with a reason, ends the reading. */
typedef bool (*setting_taker)(void *user, const struct setting *setting, struct reason *why);

/* Lines of a text file. */
struct setting_lines {
    const char *text;
    size_t size, at;
    int number;                   /* of the line read last, from 1 */
    char line[SETTINGS_LINE_MAX]; /* without its end and the blanks around it */
};

/* At the beginning of a text; the mark that some editors of Windows put there is skipped. */
struct setting_lines setting_lines_of(const char *text, size_t size);

enum setting_line { LINE_READ, LINE_END, LINE_BAD };

/* Reads the next line. LINE_BAD: `why` says what is wrong with it. */
enum setting_line setting_next_line(struct setting_lines *lines, struct reason *why);

/* Splits "name = value" in place: the name and what follows the '='; NULL without one. */
char *setting_split(char *line);

/* Its name without the one or two dashes of the command line. */
const char *setting_bare_name(const struct setting *set);

/* Whether it names a way to the server. Where none is named the address leads straight there. */
bool setting_is_way(const char *name);

/* A profile: an option a line, as on the command line, with or without dashes: "view-only",
 * "quality 3", "quality = 3". Lines that begin with # are comments. */
bool profile_parse(const char *text, size_t size, setting_taker take, void *user,
                   struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
