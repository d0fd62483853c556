/* The command line with what a form says at its end (option_form.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "viewer/options/files/option_files.h"
#include "viewer/options/form/option_form.h"
#include "viewer/options/form/profile_file.h"

/* Beside the typed words: "--" and the address. */
#define MORE_WORDS 2

struct said_words {
    char **argv;
    int argc;
    struct options kept; /* keeps the texts that are new */
    bool failed;
};

static void said_add(struct said_words *w, const char *text)
{
    const char *word = option_keep(&w->kept, text);

    w->failed = w->failed || !word;
    w->argv[w->argc++] = (char *)word;
}

static bool said_replaces(const struct option_form *form, const struct option_entry *e)
{
    for (int i = 0; i < form->count; i++)
        if (form->fields[i].option == e)
            return form_field_is_said(&form->fields[i]);
    return false;
}

/* The typed words but the address, and but those that the form takes the place of. */
static void said_copy(struct said_words *w, const struct option_form *form, int argc, char **argv)
{
    struct option_parser p = {.argc = argc, .argv = argv, .next = 1};
    const struct option_entry *e;
    const char *value;
    enum option_word word;
    struct reason never;

    w->argv[w->argc++] = argv[0];
    for (int from = 1; (word = option_parse(&p, &e, &value, &never)) != WORD_END; from = p.next) {
        if (word != WORD_ADDRESS && (word != WORD_OPTION || !said_replaces(form, e)))
            while (from < p.next)
                w->argv[w->argc++] = argv[from++];
    }
}

static bool said_make(struct said_words *w, const struct option_form *form, int argc, char **argv)
{
    const char *address;
    struct reason never;

    w->argv = calloc((size_t)argc + (size_t)form->count + MORE_WORDS, sizeof *w->argv);
    if (!w->argv)
        return false;
    if (!option_servers(&w->kept, argc, argv, &address, &never))
        return false;
    said_copy(w, form, argc, argv);
    for (int i = 0; i < form->count; i++) {
        const struct form_field *f = &form->fields[i];
        char word[FORM_VALUE_MAX + 40];

        snprintf(word, sizeof word, "--%s=%s", f->option->name, f->value);
        if (form_field_is_said(f) && *f->value)
            said_add(w, word);
    }
    if (address) {
        said_add(w, "--");
        said_add(w, address);
    }
    return !w->failed;
}

/* Whether it is only the profile that says it. NULL: there is none. */
static bool said_by_profile(const char *profile, const struct option_entry *e)
{
    return profile && profile_says(profile, e) && !profile_says("defaults", e);
}

/* A field that was emptied says nothing. So what a file says would count again, but for the lines
 * of `saved`, the profile that is saved without them (NULL: none is). */
static bool said_check_emptied(const struct options *o, const struct option_form *form,
                               const char *saved, struct reason *why)
{
    for (int i = 0; i < form->count; i++) {
        const struct form_field *f = &form->fields[i];
        char now[FORM_VALUE_MAX];

        if (!*f->value && form_field_is_said(f) &&
            option_value_text(o, f->option, now, sizeof now) && *now &&
            !said_by_profile(saved, f->option))
            return reason_set(why,
                              "--%s %.200s stands in a file (defaults.conf, a profile or a "
                              "connection file): it has to be taken out there",
                              f->option->name, now);
    }
    return true;
}

bool options_said(struct options *o, const struct options *base, int argc, char **argv,
                  const struct options_choice *choice, const struct option_form *form,
                  enum choice_purpose purpose, struct reason *why)
{
    const char *profile = options_profile(base, choice);
    struct said_words w = {0};
    struct options_choice own;
    char way[WAY_TEXT_MAX];
    bool ok, said = false;

    *o = (struct options){0};
    if (option_form_wrong(form, why))
        return false;
    if (choice && choice->profile && !choice->way) { /* no typed way leads to its server */
        if (!option_form_way(form, way, &said, why) && said)
            return false;
        own = *choice;
        own.way = said && *way ? way : NULL;
        choice = &own;
    }
    if (!said_make(&w, form, argc, argv))
        ok = reason_set(why, "out of memory");
    else if (choice)
        ok = options_choose_for(o, base, w.argc, w.argv, choice, purpose, why);
    else {
        ok = options_parse_again(o, w.argc, w.argv, FILES_WAY_ALL, why) == OPTIONS_RUN;
        options_part_from_other_way(o, base, NULL);
    }
    /* a list of boxes names what nobody has typed: only the command line itself counts */
    o->typed.security &= base->typed.security;
    ok = ok && said_check_emptied(o, form, purpose == CHOICE_SAVE ? profile : NULL, why);
    free(w.argv);
    option_keep_all(o, &w.kept);
    return ok;
}
