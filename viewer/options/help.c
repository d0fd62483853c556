/* The text of --help, made from the table. */
#include <stdio.h>
#include <string.h>

#include "viewer/options/option_table.h"

#define HELP_COLUMN 24
#define HELP_WIDTH  80

static void print_wrapped(const char *text)
{
    int column = HELP_COLUMN;

    while (*text) {
        int word = (int)strcspn(text, " ");
        bool fits = column + 1 + word <= HELP_WIDTH;

        if (column > HELP_COLUMN && !fits) {
            printf("\n%*s", HELP_COLUMN, "");
            column = HELP_COLUMN;
        } else if (column > HELP_COLUMN) {
            putchar(' ');
            column++;
        }
        printf("%.*s", word, text);
        column += word;
        text += word;
        text += *text == ' ';
    }
    putchar('\n');
}

static void print_row(const char *left, const char *help)
{
    printf("%-*s", HELP_COLUMN, left);
    if (strlen(left) >= HELP_COLUMN)
        printf("\n%*s", HELP_COLUMN, "");
    print_wrapped(help);
}

void option_help(void)
{
    printf("Usage: vnchl [OPTIONS] ADDRESS...\n\n"
           "A VNC viewer that stays smooth over far links: it asks for pictures ahead of\n"
           "time instead of waiting a round trip for each.\n\n"
           "ADDRESS is HOST, HOST:DISPLAY (below 100), HOST:PORT, HOST::PORT, IPV6,\n"
           "[IPV6]:DISPLAY, [IPV6]::PORT, :DISPLAY on this machine, vnc://HOST:PORT, the path\n"
           "of a Unix socket (with a / in it), or a connection file (.tigervnc, .vnc).\n"
           "Of several (HOST:DISPLAY or HOST::PORT each) the first that answers is used, and\n"
           "when that one is lost the next one.\n\n"
           "OPTIONS stand before or after ADDRESS, with one dash or two. Case and dashes in\n"
           "a name do not count: -ViewOnly is --view-only. A value follows after a space or\n"
           "a =; an option without one can be told =on or =off. NAME=VALUE needs no dash.\n"
           "Given twice, the last one counts. -h is --help, -v is --version. The names of\n"
           "TigerVNC's options are understood.\n");
    for (size_t i = 0; i < option_count; i++) {
        const struct option_entry *e = &option_table[i];
        char left[64];

        if (e->kind == HEADING) {
            printf("\n%s:\n", e->name);
            continue;
        }
        snprintf(left, sizeof left, "  %s%s%s%s", e->kind == KEY ? "" : "--", e->name,
                 e->argument ? " " : "", e->argument ? e->argument : "");
        print_row(left, e->help);
    }
    printf("\nThe password comes from --passwd-file, else from the connection file, else from\n"
           "VNC_PASSWORD (and VNC_USERNAME) in the environment, else from the keyring\n"
           "(--save-password on), else it is asked for, in the window or on the terminal.\n"
           "VNC_PASSWORD, and the password file of a profile or of the defaults, do not go\n"
           "unasked to a server that a vnc:// link or a connection file names, nor to one\n"
           "that comes to --listen.\n\n"
           "Options that always count stand in $XDG_CONFIG_HOME/vnchl/defaults.conf (or in\n"
           "~/.config/vnchl), one a line without dashes: \"quality 6\". So do those of\n"
           "--profile NAME in NAME.conf, which may name a \"server\", too.\n");
}
