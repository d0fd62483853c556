#include "viewer/options/files/profiles.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "rfb/texts/reason.h"
#include "viewer/options/files/option_files.h"
#include "viewer/options/files/setting.h"

#define ENDING ".conf"

static bool profiles_take(void *user, const struct setting *s, struct reason *why)
{
    const char *name = s->name + strspn(s->name, "-");
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
