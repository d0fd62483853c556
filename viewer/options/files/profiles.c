#include "viewer/options/files/profiles.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "rfb/texts/reason.h"
#include "viewer/options/files/option_files.h"
#include "viewer/options/files/setting.h"

/* ---- one that is read: it may say whatever the command line may ---- */

struct profile {
    struct options *o;
    const char *file;
    bool said; /* the reason names the file already */
};

static bool take_option(struct profile *s, const struct setting *set, struct reason *why)
{
    const struct option_entry *e = option_named(setting_bare_name(set));
    const char *value = set->value;

    if (!e)
        return option_unknown(set->name, why);
    if (e->kind == HELP || e->kind == VERSION || e->field == offsetof(struct options, profile))
        return reason_set(why, "'%s' has no place in a file", set->name);
    if (e->kind == ON_OFF && !value)
        value = "on";
    if (e->argument && !value)
        return reason_set(why, "option '%s' needs a value", set->name);
    if (value && !(value = option_keep_path(s->o, value)))
        return reason_set(why, "out of memory");
    return option_apply(s->o, e, value, why);
}

static bool profile_take_server(struct profile *s, const struct setting *set, struct reason *why)
{
    struct options *o = s->o;

    if (!set->value || !*set->value)
        return reason_set(why, "'server' needs an address");
    o->server = option_keep(o, set->value);
    o->server_file = option_keep(o, s->file);
    o->server_line = set->line;
    return (o->server && o->server_file) || reason_set(why, "out of memory");
}

/* What is behind a value counts as a part of it. */
static void profile_explain(const char *value, struct reason *why)
{
    struct reason what = *why;

    if (value && (strstr(value, " #") || strstr(value, "\t#")))
        reason_set(why, "%.500s (a comment needs a line of its own)", what.text);
}

bool option_blame_profile(const struct options *o, struct reason *why)
{
    if (!o->server || !o->server_file)
        return false;
    profile_explain(o->server, why);
    return option_reason_at(o->server_file, o->server_line, why);
}

static bool take_profile(void *user, const struct setting *set, struct reason *why)
{
    struct profile *s = user;

    if (strcasecmp(setting_bare_name(set), "server") == 0 ? profile_take_server(s, set, why)
                                                          : take_option(s, set, why))
        return true;
    s->said = true;
    profile_explain(set->value, why);
    return option_reason_at(s->file, set->line, why);
}

/* False: nobody knows where our files are. */
static bool config_file(const char *name, char *out, size_t size)
{
    char folder[OPTION_PATH_BYTES];
    int length;

    if (!option_config_folder(folder, sizeof folder))
        return false;
    length = snprintf(out, size, "%s/%s.conf", folder, name);
    return length > 0 && (size_t)length < size;
}

static bool read_profile(struct options *o, const char *name, bool needed, struct reason *why)
{
    char file[OPTION_PATH_BYTES];
    struct profile s = {.o = o, .file = file};
    bool missing, ok;
    size_t size;
    char *text;

    if (!config_file(name, file, sizeof file))
        return !needed || reason_set(why,
                                     "neither XDG_CONFIG_HOME nor HOME says where the profile "
                                     "'%s' is",
                                     name);
    text = option_read_text(file, &size, &missing, why);
    if (!text && missing)
        return !needed ||
               reason_set(why, "there is no profile '%s': it would be the file %s", name, file);
    if (!text)
        return false;
    ok = profile_parse(text, size, take_profile, &s, why);
    free(text);
    if (ok || s.said)
        return ok;
    return option_reason_at(file, 0, why);
}

bool option_read_defaults(struct options *o, struct reason *why)
{
    return read_profile(o, "defaults", false, why);
}

bool option_read_profile(struct options *o, const char *name, struct reason *why)
{
    if (strchr(name, '/') || name[0] == '.')
        return reason_set(why,
                          "'%s' is no name of a profile: it must not hold a '/' or begin with "
                          "a '.'",
                          name);
    return read_profile(o, name, true, why);
}

/* ---- those there are ---- */

#define ENDING ".conf"

static bool profiles_take(void *user, const struct setting *s, struct reason *why)
{
    const char *name = setting_bare_name(s);
    struct profile_entry *e = user;

    (void)why;
    if (strcasecmp(name, "server") == 0 && s->value && strlen(s->value) < sizeof e->server)
        strcpy(e->server, s->value);
    if (setting_is_way(name))
        e->straight = false;
    return true;
}

static void read_server(const char *folder, struct profile_entry *e)
{
    char file[OPTION_PATH_BYTES + sizeof e->name + sizeof ENDING];
    struct reason why;
    bool missing;
    size_t size;
    char *text;

    snprintf(file, sizeof file, "%s/%s%s", folder, e->name, ENDING);
    text = option_read_text(file, &size, &missing, &why);
    if (text && !profile_parse(text, size, profiles_take, e, &why))
        e->server[0] = '\0';
    free(text);
    sanitise(e->server);
}

/* False: it is no profile, or not one to be shown. */
static bool take_name(struct profile_entry *e, const char *file)
{
    size_t length = strlen(file), ending = strlen(ENDING);

    if (file[0] == '.' || length <= ending || length - ending >= sizeof e->name ||
        strcmp(file + length - ending, ENDING) != 0 || !is_sanitised(file))
        return false;
    *e = (struct profile_entry){.straight = true};
    memcpy(e->name, file, length - ending);
    return strcmp(e->name, "defaults") != 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct profile_entry *)a)->name, ((const struct profile_entry *)b)->name);
}

void profiles_load(struct profiles *p)
{
    char folder[OPTION_PATH_BYTES];
    struct dirent *entry;
    DIR *files;

    p->count = 0;
    files = option_config_folder(folder, sizeof folder) ? opendir(folder) : NULL;
    if (!files)
        return;
    while (p->count < PROFILES_MAX && (entry = readdir(files)))
        if (take_name(&p->profiles[p->count], entry->d_name))
            read_server(folder, &p->profiles[p->count++]);
    closedir(files);
    qsort(p->profiles, (size_t)p->count, sizeof p->profiles[0], by_name);
}
