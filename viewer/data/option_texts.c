#include "viewer/data/option_texts.h"

#include <stdlib.h>
#include <string.h>

#define LINE_MAX_BYTES 1024

static const struct {
    const char *line;
    void (*write)(FILE *out);
} writers[] = {
    {"@MAN-TITLE@", write_man_title},     {"@MAN-OPTIONS@", write_man_options},
    {"@MAN-KEYS@", write_man_keys},       {"@MAN-NAMES@", write_man_names},
    {"@BASH-NAMES@", write_bash_names},   {"@BASH-VALUES@", write_bash_values},
    {"@ZSH-OPTIONS@", write_zsh_options}, {"@FISH-OPTIONS@", write_fish_options},
};

bool option_is_typed(const struct option_entry *e)
{
    return e->kind != HEADING && e->kind != KEY;
}

int option_summary_length(const struct option_entry *e)
{
    const char *more = strstr(e->help, "; "), *preset = strstr(e->help, " [");
    size_t length = strlen(e->help);

    if (more)
        length = (size_t)(more - e->help);
    if (preset && (size_t)(preset - e->help) < length)
        length = (size_t)(preset - e->help);
    return (int)length;
}

enum takes option_takes(const struct option_entry *e, char words[OPTION_WORDS_MAX])
{
    if (!e->argument)
        return TAKES_NOTHING;
    option_words(e, words);
    if (words[0])
        return TAKES_WORDS;
    if (strcmp(e->argument, "FILE") == 0)
        return TAKES_FILE;
    return strstr(e->argument, "HOST") ? TAKES_HOST : TAKES_OTHER;
}

static void copy_line(const char *line, FILE *out)
{
    size_t length = strcspn(line, "\n");

    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
        if (strlen(writers[i].line) == length && strncmp(line, writers[i].line, length) == 0) {
            writers[i].write(out);
            return;
        }
    fputs(line, out);
}

int main(int argc, char **argv)
{
    FILE *template, *out;
    char line[LINE_MAX_BYTES];

    if (argc != 3) {
        fprintf(stderr, "usage: option_texts TEMPLATE OUT\n");
        return EXIT_FAILURE;
    }
    template = fopen(argv[1], "r");
    out = fopen(argv[2], "w");
    if (!template || !out) {
        perror("option_texts");
        return EXIT_FAILURE;
    }
    while (fgets(line, sizeof line, template))
        copy_line(line, out);
    fclose(template);
    if (ferror(out) || fclose(out) != 0) {
        perror("option_texts");
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
