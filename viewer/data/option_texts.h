/* The program that writes the man page and what the shells complete, from the table of options
 * (viewer/options/options.c). It runs when vnchl is built, and is not installed.
 *
 * It copies a template. A line of the template that is "@NAME@" is replaced by what the writer of
 * that name prints, one piece for each option of the table. So neither the man page nor a
 * completion can know other options than the program.
 */
#ifndef VNCHL_OPTION_TEXTS_H
#define VNCHL_OPTION_TEXTS_H

#include <stdio.h>

#include "viewer/options/option_words.h"

/* What an option takes, as far as a shell can help. */
enum takes {
    TAKES_NOTHING,
    TAKES_WORDS, /* one of a few words */
    TAKES_FILE,
    TAKES_HOST,
    TAKES_OTHER,
};

/* `words` gets the words that the option takes, as option_words() has them. */
enum takes option_takes(const struct option_entry *e, char words[OPTION_WORDS_MAX]);

/* The first part of the option's help, without its default: a line for a list. */
int option_summary_length(const struct option_entry *e);

/* Whether the row is an option that can be typed. */
bool option_is_typed(const struct option_entry *e);

void write_man_title(FILE *out);
void write_man_options(FILE *out);
void write_man_keys(FILE *out);
void write_man_names(FILE *out);

void write_bash_names(FILE *out);
void write_bash_values(FILE *out);
void write_zsh_options(FILE *out);
void write_fish_options(FILE *out);

#endif
