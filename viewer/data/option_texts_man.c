/* What the man page says of each option, for the macros of man(7). */
#include <string.h>

#include "viewer/data/option_texts.h"
#include "viewer/version.h"

/* A character that troff would take for something else. */
static void man_put(FILE *out, char c)
{
    switch (c) {
    case '\\':
        fputs("\\e", out);
        break;
    case '\'':
        fputs("\\(aq", out);
        break;
    case '~':
        fputs("\\(ti", out);
        break;
    case '^':
        fputs("\\(ha", out);
        break;
    default:
        putc(c, out);
    }
}

/* A name that is typed: its dashes must stay dashes when they are copied. */
static void put_literal(FILE *out, const char *text)
{
    for (; *text; text++)
        if (*text == '-')
            fputs("\\-", out);
        else
            man_put(out, *text);
}

/* Prose. Only a dash at the beginning of a word is one that is typed. */
static void put_prose(FILE *out, const char *text)
{
    char before = ' ';

    for (; *text; before = *text++)
        if (*text == '-' && strchr(" -(/\"'", before))
            fputs("\\-", out);
        else
            man_put(out, *text);
    putc('\n', out);
}

/* "auto|MS": words as they are typed, and names for something in italics. */
static void put_argument(FILE *out, const char *argument)
{
    fputs("\\fI", out);
    put_literal(out, argument);
    fputs("\\fR", out);
}

static void put_row(FILE *out, const struct option_entry *e)
{
    fputs(".TP\n\\fB", out);
    put_literal(out, e->kind == KEY ? "" : "--");
    put_literal(out, e->name);
    fputs("\\fR", out);
    if (e->argument) {
        putc(' ', out);
        put_argument(out, e->argument);
    }
    putc('\n', out);
    put_prose(out, e->help);
}

void write_man_title(FILE *out)
{
    fprintf(out, ".TH VNCHL 1 2026-11-22 \"vnchl %s\" \"User Commands\"\n", VNCHL_VERSION);
}

/* The heading above a row. A heading whose rows are keys alone has no options. */
static bool heads_options(const struct option_entry *heading)
{
    const struct option_entry *end = option_table + option_count;

    for (const struct option_entry *e = heading + 1; e < end && e->kind != HEADING; e++)
        if (option_is_typed(e))
            return true;
    return false;
}

void write_man_options(FILE *out)
{
    for (size_t i = 0; i < option_count; i++) {
        const struct option_entry *e = &option_table[i];

        if (e->kind == HEADING && heads_options(e))
            fprintf(out, ".SS %s\n", e->name);
        else if (option_is_typed(e))
            put_row(out, e);
    }
}

void write_man_keys(FILE *out)
{
    for (size_t i = 0; i < option_count; i++)
        if (option_table[i].kind == KEY)
            put_row(out, &option_table[i]);
}

void write_man_names(FILE *out)
{
    for (size_t i = 0; i < option_alias_count; i++) {
        fputs(".TP\n\\fB\\-", out);
        put_literal(out, option_aliases[i].alias);
        fputs("\\fR\n\\-\\-", out);
        put_literal(out, option_aliases[i].name);
        putc('\n', out);
    }
}
