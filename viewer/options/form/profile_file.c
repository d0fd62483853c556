#include "viewer/options/form/profile_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "viewer/options/files/option_files.h"
#include "viewer/options/files/profiles.h"
#include "viewer/options/way.h"
#include "viewer/whole_file.h"

/* Chosen: more than there are options. */
#define PROFILE_LINES_MAX 128

struct profile_lines {
    const char *server; /* that the profile names; NULL: none */
    struct {
        const struct option_entry *option;
        const char *value; /* NULL: an option alone */
    } lines[PROFILE_LINES_MAX];
    int count;
    struct options kept; /* keeps the texts that are new */
};

/* ---- the name ---- */

static bool profile_check_name(const char *name, struct reason *why)
{
    const size_t most = sizeof((struct profile_entry *)NULL)->name;

    if (!*name)
        return reason_set(why, "the connection needs a name to be saved");
    if (strchr(name, '/') || name[0] == '.' || strcmp(name, "defaults") == 0 ||
        !is_sanitised(name) || strlen(name) >= most)
        return reason_set(why,
                          "'%.80s' is no name for a connection: it must not hold a '/', begin with "
                          "a '.', be 'defaults' or be longer than %zu bytes",
                          name, most - 1);
    return true;
}

/* Also of the defaults. */
static bool profile_file_named(const char *name, char path[PATH_MAX], struct reason *why)
{
    char folder[OPTION_PATH_BYTES];

    if (!option_config_folder(folder, sizeof folder))
        return reason_set(why, "neither XDG_CONFIG_HOME nor HOME says where profiles are");
    return snprintf(path, PATH_MAX, "%s/%s.conf", folder, name) < PATH_MAX ||
           reason_set(why, "cannot write the profile '%.60s': %s", name, strerror(ENAMETOOLONG));
}

bool profile_path(const char *name, char path[PATH_MAX], struct reason *why)
{
    return profile_check_name(name, why) && profile_file_named(name, path, why);
}

/* ---- which options ---- */

/* What is about a connection and its window, and not about the program or a run of it. */
static bool profile_is_part(const struct option_entry *e)
{
    static const char *const parts[] = {"Connection", "Window", "Picture", "Pre-requesting"};
    static const char *const others[] = {"profile", "theme", "no-vsync"};
    const char *part = "";

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(e->name, others[i]) == 0)
            return false;
    for (size_t i = 0; i < option_count; i++) {
        if (option_table[i].kind == HEADING)
            part = option_table[i].name;
        if (&option_table[i] != e)
            continue;
        for (size_t n = 0; n < sizeof parts / sizeof *parts; n++)
            if (strcmp(part, parts[n]) == 0)
                return true;
        return false;
    }
    /* TigerVNC's: those that change something */
    return e->kind != MUST_BE_ON && e->kind != MUST_BE_OFF && e->kind != ONE_OF;
}

/* The name of a file counts from the folder in which it was typed. */
static const char *profile_absolute(struct profile_lines *l, const char *value)
{
    char *whole = *value != '/' && strncmp(value, "~/", 2) != 0 ? realpath(value, NULL) : NULL;
    const char *kept = whole ? option_keep(&l->kept, whole) : value;

    free(whole);
    return kept ? kept : value;
}

static void profile_forget(struct profile_lines *l, const struct option_entry *e)
{
    int kept = 0;

    for (int i = 0; i < l->count; i++)
        if (l->lines[i].option != e)
            l->lines[kept++] = l->lines[i];
    l->count = kept;
}

/* In place of what was said of this option before. */
static bool profile_put(struct profile_lines *l, const struct option_entry *e, const char *value,
                        struct reason *why)
{
    if (value && !is_sanitised(value))
        return reason_set(why, "the value of --%s cannot stand in a file", e->name);
    profile_forget(l, e);
    if (l->count == PROFILE_LINES_MAX)
        return reason_set(why, "too many options for a profile");
    if (value && e->argument && strcmp(e->argument, "FILE") == 0)
        value = profile_absolute(l, value);
    l->lines[l->count].option = e;
    l->lines[l->count++].value = value;
    return true;
}

static bool profile_add(struct profile_lines *l, const struct option_entry *e, const char *value,
                        struct reason *why)
{
    return !profile_is_part(e) || profile_put(l, e, value, why);
}

/* ---- where they come from ---- */

/* All that the profile says stays in its copy, also what is about the program. */
static bool profile_take_setting(void *user, const struct setting *s, struct reason *why)
{
    struct profile_lines *l = user;
    const struct option_entry *e = option_named(setting_bare_name(s));
    const char *value = s->value ? option_keep(&l->kept, s->value) : NULL;

    if (s->value && !value)
        return reason_set(why, "out of memory");
    if (strcasecmp(setting_bare_name(s), "server") == 0) {
        l->server = value && is_sanitised(value) ? value : NULL;
        return true;
    }
    return !e || profile_put(l, e, value, why);
}

/* The profile that the connection was begun with. */
static bool profile_take_profile(struct profile_lines *l, const char *name, struct reason *why)
{
    char path[PATH_MAX];
    bool missing, ok;
    size_t size;
    char *text;

    if (!profile_file_named(name, path, why) ||
        !(text = option_read_text(path, &size, &missing, why)))
        return false;
    ok = profile_parse(text, size, profile_take_setting, l, why);
    free(text);
    return ok || option_reason_at(path, 0, why);
}

bool profile_says(const char *name, const struct option_entry *e)
{
    struct profile_lines lines = {.count = 0};
    struct reason never;
    bool says = false;

    profile_take_profile(&lines, name, &never);
    for (int i = 0; i < lines.count; i++)
        says = says || lines.lines[i].option == e;
    options_deinit(&lines.kept);
    return says;
}

bool profile_names_server(const char *name, char server[SETTINGS_LINE_MAX])
{
    struct profile_lines lines = {.count = 0};
    struct reason never;
    bool names;

    profile_take_profile(&lines, name, &never);
    names = lines.server;
    if (names && server)
        snprintf(server, SETTINGS_LINE_MAX, "%s", lines.server);
    options_deinit(&lines.kept);
    return names;
}

/* But for a way that does not count for this choice. It names a server, so nobody waits for one. */
static bool profile_take_words(struct profile_lines *l, const struct profile_source *from,
                               struct reason *why)
{
    const struct options_choice *c = from->choice;
    const bool own_way = c && options_has_way(c);
    /* a password file of the command line is for the server there */
    const bool secret =
        !c || (from->base->start && !c->nearby) || options_is_same_server(from->base, c);
    struct option_parser p = {.argc = from->argc, .argv = from->argv, .next = 1};
    const struct option_entry *e;
    enum option_word word;
    const char *value;

    while ((word = option_parse(&p, &e, &value, why)) != WORD_END)
        if (word == WORD_OPTION && !(own_way && setting_is_way(e->name)) &&
            !(c && strcmp(e->name, "listen") == 0) &&
            (secret || strcmp(e->name, "passwd-file") != 0) && !profile_add(l, e, value, why))
            return false;
    return true;
}

/* A profile cannot take back what the defaults say of the way. */
static bool profile_may_have_way(const char *way, struct reason *why)
{
    static const char *const ways[] = {"via", "ssh", "repeater", "listen"};

    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (!way_value(way, ways[i]) && profile_says("defaults", option_named(ways[i])))
            return reason_set(why,
                              "--%s stands in defaults.conf, and would count for the saved "
                              "connection, too: it has to be taken out there",
                              ways[i]);
    return true;
}

/* In place of every way, and of the server, that the profile has. */
static bool profile_take_way(struct profile_lines *l, const char *way, struct reason *why)
{
    static const char *const names[] = {"via", "ssh"};

    if (!way)
        return true;
    if (!profile_may_have_way(way, why))
        return false;
    for (int i = l->count - 1; i >= 0; i--)
        if (setting_is_way(l->lines[i].option->name))
            profile_forget(l, l->lines[i].option);
    l->server = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = way_value(way, names[i]);

        if (value)
            return profile_add(l, option_named(names[i]), value, why);
    }
    return true;
}

static bool profile_take_box(struct profile_lines *l, const char *option, bool on, bool before,
                             struct reason *why)
{
    return on == before || profile_add(l, option_named(option), on ? "on" : "off", why);
}

static bool profile_take_choice(struct profile_lines *l, const struct profile_source *from,
                                struct reason *why)
{
    const struct options_choice *c = from->choice;
    const struct options *base = from->base;

    return !c || (profile_take_way(l, c->way, why) &&
                  profile_take_box(l, "view-only", c->view_only, options_view_only_before(base, c),
                                   why) &&
                  profile_take_box(l, "full-screen", c->full_screen, base->full_screen, why) &&
                  profile_take_box(l, "shared", c->shared, base->shared, why));
}

static bool profile_take_form(struct profile_lines *l, const struct option_form *form,
                              struct reason *why)
{
    for (int i = 0; i < form->count; i++) {
        const struct form_field *f = &form->fields[i];

        if (!form_field_is_said(f))
            continue;
        if (!*f->value)
            profile_forget(l, f->option);
        else if (!profile_add(l, f->option, f->value, why))
            return false;
    }
    return true;
}

static bool profile_gather(struct profile_lines *l, const struct profile_source *from,
                           struct reason *why)
{
    const char *begun = options_profile(from->base, from->choice);

    if (begun && !profile_take_profile(l, begun, why))
        return false;
    if (from->readdressed) /* the password was for the server before */
        profile_forget(l, option_named("passwd-file"));
    return profile_take_words(l, from, why) && profile_take_choice(l, from, why) &&
           profile_take_form(l, from->form, why);
}

/* ---- the file ---- */

static void profile_write(FILE *f, const struct profile_lines *l, const char *server)
{
    fprintf(f, "# a connection, as vnchl has saved it\n");
    if (server && *server)
        fprintf(f, "server = %s\n", server);
    for (int i = 0; i < l->count; i++) {
        const char *value = l->lines[i].value;

        fprintf(f, "%s%s%s\n", l->lines[i].option->name, value ? " = " : "", value ? value : "");
    }
}

/* What is written has to be read again. */
static bool profile_check_line(const char *name, const char *value, struct reason *why)
{
    size_t length = strlen(name) + strlen(" = ") + (value ? strlen(value) : 0);

    return length < SETTINGS_LINE_MAX ||
           reason_set(why, "the line of '%s' would be too long: %zu bytes, more than %d", name,
                      length, SETTINGS_LINE_MAX - 1);
}

static bool profile_check_lines(const struct profile_lines *l, const char *server,
                                struct reason *why)
{
    bool ok = profile_check_line("server", server, why);

    for (int i = 0; ok && i < l->count; i++)
        ok = profile_check_line(l->lines[i].option->name, l->lines[i].value, why);
    return ok;
}

static bool profile_replace(const char *path, const struct profile_lines *l, const char *server,
                            struct reason *why)
{
    struct whole_file file;

    if (!profile_check_lines(l, server, why))
        return false;
    if (!whole_file_make_folder(path, why) || !whole_file_open(&file, path, why))
        return false;
    profile_write(file.f, l, server);
    return whole_file_close(&file, why);
}

/* A connection file or a socket that was named from the folder of the program. */
static bool profile_is_file(const char *server)
{
    return !strstr(server, "://") && access(server, F_OK) == 0 &&
           (strchr(server, '/') || option_asks(server));
}

/* NULL: none. */
static const char *profile_server(struct profile_lines *l, const struct profile_source *from)
{
    const char *server = from->server;

    if (!server || !*server)
        return from->readdressed ? NULL : l->server;
    return profile_is_file(server) ? profile_absolute(l, server) : server;
}

enum profile_saved profile_save(const char *name, const struct profile_source *from, bool replace,
                                char path[PATH_MAX], struct reason *why)
{
    struct profile_lines lines = {.count = 0};
    enum profile_saved result = PROFILE_FAILED;

    if (!profile_path(name, path, why))
        return PROFILE_FAILED;
    if (!replace && access(path, F_OK) == 0) {
        reason_set(why, "there is a profile '%s' already", name);
        return PROFILE_THERE;
    }
    if (from->server && !is_sanitised(from->server))
        reason_set(why, "this address cannot stand in a file");
    else if (profile_gather(&lines, from, why) &&
             profile_replace(path, &lines, profile_server(&lines, from), why))
        result = PROFILE_SAVED;
    options_deinit(&lines.kept);
    return result;
}

bool profile_delete(const char *name, struct reason *why)
{
    char path[PATH_MAX];
    struct stat status;

    if (!profile_path(name, path, why))
        return false;
    if (lstat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode))
        return reason_set(why, "the profile '%s' is not deleted: %s is no file", name, path);
    return unlink(path) == 0 ||
           reason_set(why, "cannot delete the profile '%s', %s: %s", name, path, strerror(errno));
}
