#include "viewer/servers/server_marks.h"

#include <stdio.h>
#include <string.h>

#include "rfb/system/log.h"
#include "viewer/servers/server_key.h"
#include "viewer/state_file.h"

#define SERVER_MARKS_LINE_MAX (SERVER_KEY_MAX + 16)

static const char *const server_marks_files[] = {
    [SERVER_MARK_PASSWORD] = "remembered",
    [SERVER_MARK_SYSTEM_SCALE] = "system-scale",
};

/* The next line that names a server. False: there is no more. */
static bool server_marks_next(FILE *f, char key[SERVER_KEY_MAX], unsigned *port)
{
    char line[SERVER_MARKS_LINE_MAX];

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

static FILE *server_marks_open(enum server_mark mark)
{
    char path[PATH_MAX];

    return state_file_path(server_marks_files[mark], path) ? fopen(path, "re") : NULL;
}

bool server_marks_has(enum server_mark mark, const char *key, unsigned port)
{
    char known[SERVER_KEY_MAX];
    FILE *f = server_marks_open(mark);
    bool found = false;
    unsigned at;

    while (f && !found && server_marks_next(f, known, &at))
        found = at == port && server_key_is(known, key);
    if (f)
        fclose(f);
    return found;
}

/* All but this server. */
static void server_marks_copy(FILE *from, FILE *to, const char *key, unsigned port)
{
    char known[SERVER_KEY_MAX];
    unsigned at;

    for (int i = 1; i < SERVER_MARKS_MAX && server_marks_next(from, known, &at); i++)
        if (at != port || !server_key_is(known, key))
            fprintf(to, "%u %s\n", at, known);
}

bool server_marks_note(enum server_mark mark, const char *key, unsigned port, bool on,
                       struct reason *why)
{
    struct whole_file file;
    FILE *before;

    if (on == server_marks_has(mark, key, port))
        return true;
    if (!state_file_make_folder(why) || !state_file_open(&file, server_marks_files[mark], why))
        return false;
    if (on)
        fprintf(file.f, "%u %s\n", port, key);
    before = server_marks_open(mark);
    if (before) {
        server_marks_copy(before, file.f, key, port);
        fclose(before);
    }
    return whole_file_close(&file, why);
}

static bool system_scale_names_server(const struct route *route)
{
    return !route->listen && !*route->play;
}

bool system_scale_recall(const struct address *a, const struct route *route)
{
    char key[SERVER_KEY_MAX];
    unsigned port = server_key_of(a, route, key);

    return system_scale_names_server(route) &&
           server_marks_has(SERVER_MARK_SYSTEM_SCALE, key, port);
}

void system_scale_note(const struct address *a, const struct route *route, bool on)
{
    char key[SERVER_KEY_MAX];
    unsigned port = server_key_of(a, route, key);
    struct reason why;

    if (system_scale_names_server(route) &&
        !server_marks_note(SERVER_MARK_SYSTEM_SCALE, key, port, on, &why))
        log_line("the size of the picture is not remembered: %s", why.text);
}
