/* Texts of options that live longer than what they were read from, and files as a whole. */
#include "viewer/options/files/option_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "viewer/options/files/setting.h"

struct option_text {
    struct option_text *next;
    char text[];
};

const char *option_keep(struct options *o, const char *text)
{
    size_t size = strlen(text) + 1;
    struct option_text *t = malloc(sizeof *t + size);

    if (!t)
        return NULL;
    memcpy(t->text, text, size);
    t->next = o->texts;
    o->texts = t;
    return t->text;
}

void option_keep_all(struct options *o, struct options *from)
{
    struct option_text **last = &o->texts;

    while (*last)
        last = &(*last)->next;
    *last = from->texts;
    from->texts = NULL;
}

void options_deinit(struct options *o)
{
    while (o->texts) {
        struct option_text *t = o->texts;

        o->texts = t->next;
        free(t);
    }
    explicit_bzero(o->password, sizeof o->password);
    o->has_password = false;
}

const char *option_keep_path(struct options *o, const char *text)
{
    const char *home = getenv("HOME");
    char path[OPTION_PATH_BYTES];

    if (strncmp(text, "~/", 2) != 0 || !home)
        return option_keep(o, text);
    snprintf(path, sizeof path, "%s%s", home, text + 1);
    return option_keep(o, path);
}

bool option_config_folder(char *out, size_t size)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    int length;

    if (config && *config == '/') /* another path is invalid (XDG base directories) */
        length = snprintf(out, size, "%s/vnchl", config);
    else if (home && *home)
        length = snprintf(out, size, "%s/.config/vnchl", home);
    else
        return false;
    return length > 0 && (size_t)length < size;
}

bool option_reason_at(const char *file, int line, struct reason *why)
{
    struct reason what = *why;

    if (!file)
        return false;
    if (line > 0)
        return reason_set(why, "%.150s:%d: %.240s", file, line, what.text);
    return reason_set(why, "%.150s: %.240s", file, what.text);
}

char *option_read_text(const char *file, size_t *size, bool *missing, struct reason *why)
{
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char *text = NULL;
    struct stat status;
    ssize_t got = -1;

    *missing = fd < 0 && errno == ENOENT;
    if (fd < 0) {
        reason_set(why, "cannot read %s: %s", file, strerror(errno));
        return NULL;
    }
    if (fstat(fd, &status) == 0 && !S_ISREG(status.st_mode))
        reason_set(why, "cannot read %s: it is no file", file);
    else if (!(text = malloc(SETTINGS_FILE_MAX + 1)))
        reason_set(why, "out of memory");
    else if ((got = read(fd, text, SETTINGS_FILE_MAX + 1)) < 0)
        reason_set(why, "cannot read %s: %s", file, strerror(errno));
    else if (got > SETTINGS_FILE_MAX)
        reason_set(why, "%s is too long for a file of options", file);
    close(fd);
    if (got >= 0 && got <= SETTINGS_FILE_MAX) {
        *size = (size_t)got;
        return text;
    }
    free(text);
    return NULL;
}
