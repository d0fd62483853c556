#include "viewer/remembered.h"

#include <stdio.h>
#include <string.h>

#include "viewer/server_key.h"
#include "viewer/state_file.h"

#define REMEMBERED_FILE     "remembered"
#define REMEMBERED_LINE_MAX (SERVER_KEY_MAX + 16)

/* The next line that names a server. False: there is no more. */
static bool remembered_next(FILE *f, char key[SERVER_KEY_MAX], unsigned *port)
{
    char line[REMEMBERED_LINE_MAX];

    while (fgets(line, sizeof line, f)) {
        int begin = 0;

        line[strcspn(line, "\n")] = '\0';
        if (sscanf(line, "%5u %n", port, &begin) == 1 && begin > 0 && line[begin] &&
            strlen(line + begin) < SERVER_KEY_MAX) {
            strcpy(key, line + begin);
            return true;
        }
    }
    return false;
}

static FILE *remembered_open(void)
{
    char path[PATH_MAX];

    return state_file_path(REMEMBERED_FILE, path) ? fopen(path, "re") : NULL;
}

bool remembered_has(const char *key, unsigned port)
{
    char known[SERVER_KEY_MAX];
    FILE *f = remembered_open();
    bool found = false;
    unsigned at;

    while (f && !found && remembered_next(f, known, &at))
        found = at == port && server_key_is(known, key);
    if (f)
        fclose(f);
    return found;
}

/* All but this server. */
static void remembered_copy(FILE *from, FILE *to, const char *key, unsigned port)
{
    char known[SERVER_KEY_MAX];
    unsigned at;

    for (int i = 1; i < REMEMBERED_MAX && remembered_next(from, known, &at); i++)
        if (at != port || !server_key_is(known, key))
            fprintf(to, "%u %s\n", at, known);
}

bool remembered_note(const char *key, unsigned port, bool on, struct reason *why)
{
    struct whole_file file;
    FILE *before;

    if (on == remembered_has(key, port))
        return true;
    if (!state_file_make_folder(why) || !state_file_open(&file, REMEMBERED_FILE, why))
        return false;
    if (on)
        fprintf(file.f, "%u %s\n", port, key);
    before = remembered_open();
    if (before) {
        remembered_copy(before, file.f, key, port);
        fclose(before);
    }
    return whole_file_close(&file, why);
}
