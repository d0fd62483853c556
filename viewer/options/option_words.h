/* The words that an option takes as its value, as its row in the table has them.
 *
 * Pure. For what offers them: the completions of shells, and the form (option_form.h).
 */
#ifndef VNCHL_OPTION_WORDS_H
#define VNCHL_OPTION_WORDS_H

#include "viewer/options/option_table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that hold the words of any option, with the NUL. */
#define OPTION_WORDS_MAX 200

/* Of the argument "auto|0..3|RATIO" it writes "auto 0 1 2 3": what is in capitals stands for
 * something else. Returns whether the words are all that the option takes. */
bool option_words(const struct option_entry *e, char words[OPTION_WORDS_MAX]);

#ifdef __cplusplus
}
#endif
#endif
