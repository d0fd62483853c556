/* A form of options: a field for each option in form_rows, made of the table of options. What is
 * changed in it counts as if it had been typed on the command line, behind all that was typed.
 *
 * Pure but for options_said(), which reads the files that the command line reads. A value type.
 */
#ifndef VNCHL_OPTION_FORM_H
#define VNCHL_OPTION_FORM_H

#include "viewer/options/option_words.h"
#include "viewer/options/way.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FORM_FIELDS_MAX 16
#define FORM_VALUE_MAX  512 /* bytes with the NUL; more is cut */

enum form_kind {
    FORM_SWITCH,      /* "on" or "off" */
    FORM_CHOICE,      /* one of `words` */
    FORM_OPEN_CHOICE, /* the same, or another text */
    FORM_SET,         /* some of `words`, with commas between them */
    FORM_TEXT,        /* any text; empty: the option is not said */
};

/* Which options are in the form, and how people call them. */
struct form_row {
    const char *option, *label;
};

extern const struct form_row form_rows[];
extern const size_t form_row_count;

struct form_field {
    const struct option_entry *option;
    const char *label;
    enum form_kind kind;
    char words[OPTION_WORDS_MAX]; /* with spaces between them */
    char value[FORM_VALUE_MAX];   /* in the field */
    char before[FORM_VALUE_MAX];  /* what counts without the form */
    bool said;                    /* the form said it before */
};

struct option_form {
    struct form_field fields[FORM_FIELDS_MAX];
    int count;
};

/* What an option is set to, as it would be typed; empty: it is not said. False: this kind of option
 * cannot be written. */
bool option_value_text(const struct options *o, const struct option_entry *e, char *out,
                       size_t size);

/* A form of what these options are set to. */
void option_form_init(struct option_form *f, const struct options *o);

/* The field of the option of this name; NULL: there is none. */
struct form_field *option_form_field(struct option_form *f, const char *option);

/* Puts what `said` has said before into the fields. */
void option_form_repeat(struct option_form *f, const struct option_form *said);

/* From now on all that was changed has been said. */
void option_form_say(struct option_form *f);

/* Whether the form says something about its option. */
bool form_field_is_said(const struct form_field *f);

/* The way that stands in the form (way.h), and whether the form says it. False, with a reason:
 * there are two. */
bool option_form_way(const struct option_form *f, char out[WAY_TEXT_MAX], bool *said,
                     struct reason *why);

/* The first field whose value its option does not take; NULL: there is none. */
const struct form_field *option_form_wrong(const struct option_form *f, struct reason *why);

/* Sets what the form says in *o, option by option. Only where nothing is wrong. */
void option_form_apply(const struct option_form *f, struct options *o);

/* Reads the command line as if what the form says had been typed at its end. `choice`, as in
 * options_choose_for(), or NULL: of the server that the command line names, if it names one. `base`
 * is what the command line alone has said. A field that was emptied cannot take away what a file
 * says; with CHOICE_SAVE it can take away what the profile says. *o is to be freed with
 * options_deinit() in both cases. */
bool options_said(struct options *o, const struct options *base, int argc, char **argv,
                  const struct options_choice *choice, const struct option_form *form,
                  enum choice_purpose purpose, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
