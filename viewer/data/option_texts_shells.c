/* What shells complete: the options, and the words that they take. */
#include <string.h>

#include "viewer/data/option_texts.h"

/* Text inside of '...' in a shell; `escaped` get a backslash in front. */
static void put_quoted(FILE *out, const char *text, int length, const char *quote,
                       const char *escaped)
{
    for (int i = 0; i < length; i++) {
        if (text[i] == '\'') {
            fputs(quote, out);
            continue;
        }
        if (strchr(escaped, text[i]))
            putc('\\', out);
        putc(text[i], out);
    }
}

static void put_summary(FILE *out, const struct option_entry *e, const char *quote,
                        const char *escaped)
{
    put_quoted(out, e->help, option_summary_length(e), quote, escaped);
}

/* ---- bash ---- */

void write_bash_names(FILE *out)
{
    for (size_t i = 0; i < option_count; i++)
        if (option_is_typed(&option_table[i]))
            fprintf(out, "        --%s\n", option_table[i].name);
}

void write_bash_values(FILE *out)
{
    char words[OPTION_WORDS_MAX];

    for (size_t i = 0; i < option_count; i++) {
        const struct option_entry *e = &option_table[i];

        if (!option_is_typed(e))
            continue;
        switch (option_takes(e, words)) {
        case TAKES_NOTHING:
            break;
        case TAKES_WORDS:
            fprintf(out, "    --%s) _vnchl_words '%s' ;;\n", e->name, words);
            break;
        case TAKES_FILE:
            fprintf(out, "    --%s) _vnchl_files ;;\n", e->name);
            break;
        case TAKES_HOST:
            fprintf(out, "    --%s) _vnchl_hosts ;;\n", e->name);
            break;
        default:
            fprintf(out, "    --%s) ;;\n", e->name);
        }
    }
}

/* ---- zsh ---- */

/* "'--name=[what it does]:ARGUMENT:(words)'": a second colon makes the value optional. */
static void zsh_option(FILE *out, const struct option_entry *e)
{
    char words[OPTION_WORDS_MAX];
    enum takes takes = option_takes(e, words);

    fprintf(out, "    '--%s%s[", e->name, takes == TAKES_NOTHING ? "" : "=");
    put_summary(out, e, "'\\''", "[]");
    putc(']', out);
    if (takes != TAKES_NOTHING) {
        fputs(e->kind == ON_OFF ? "::" : ":", out);
        put_quoted(out, e->argument, (int)strlen(e->argument), "'\\''", ":");
        putc(':', out);
    }
    if (takes == TAKES_WORDS)
        fprintf(out, "(%s)", words);
    else if (takes == TAKES_FILE)
        fputs("_files", out);
    else if (takes == TAKES_HOST)
        fputs("_hosts", out);
    fputs("' \\\n", out);
}

void write_zsh_options(FILE *out)
{
    for (size_t i = 0; i < option_count; i++)
        if (option_is_typed(&option_table[i]))
            zsh_option(out, &option_table[i]);
}

/* ---- fish ---- */

static void fish_option(FILE *out, const struct option_entry *e)
{
    char words[OPTION_WORDS_MAX];
    enum takes takes = option_takes(e, words);

    fprintf(out, "complete -c vnchl -l %s", e->name);
    if (takes == TAKES_WORDS)
        fprintf(out, " -%sa '%s'", e->kind == ON_OFF ? "f" : "x", words);
    else if (takes == TAKES_FILE)
        fputs(" -rF", out);
    else if (takes == TAKES_HOST)
        fputs(" -xa '(__fish_print_hostnames)'", out);
    else if (takes == TAKES_OTHER)
        fputs(" -x", out);
    fputs(" -d '", out);
    put_summary(out, e, "\\'", "\\");
    fputs("'\n", out);
}

void write_fish_options(FILE *out)
{
    for (size_t i = 0; i < option_count; i++)
        if (option_is_typed(&option_table[i]))
            fish_option(out, &option_table[i]);
}
