#include "viewer/recent.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "viewer/thumbnail.h"

#define LINE_MAX_BYTES (RECENT_ADDRESS_MAX + RECENT_NAME_MAX + 4)

/* ---- files ---- */

/* FOLDER/name, or the folder itself. False: the environment does not tell. */
static bool path_of(const char *name, char out[PATH_MAX])
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int length;

    if (state && *state == '/')
        length = snprintf(out, PATH_MAX, "%s/vnchl%s%s", state, *name ? "/" : "", name);
    else if (home && *home == '/')
        length = snprintf(out, PATH_MAX, "%s/.local/state/vnchl%s%s", home, *name ? "/" : "", name);
    else
        return false;
    return length < PATH_MAX;
}

/* The folder and those above it. */
static bool make_folder(struct reason *why)
{
    char path[PATH_MAX];

    if (!path_of("", path))
        return reason_set(why, "neither XDG_STATE_HOME nor HOME names a folder");
    for (char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
        *p = '\0';
        mkdir(path, 0700); /* the last one tells what went wrong */
        *p = '/';
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST ||
           reason_set(why, "cannot make the folder %s: %s", path, strerror(errno));
}

/* Pictures have numbers that follow from the address (FNV-1a), so that none is overwritten by
 * another server's. */
static void picture_name(const char *address, char out[48])
{
    uint64_t hash = 0xcbf29ce484222325;

    for (; *address; address++)
        hash = (hash ^ (uint8_t)*address) * 0x100000001b3;
    snprintf(out, 48, "recent-%016llx.ppm", (unsigned long long)hash);
}

/* A file that only the user can read takes the name when it is whole: readers never see half. */
struct new_file {
    char path[PATH_MAX], temporary[PATH_MAX + 8];
    FILE *f;
};

static bool new_file_open(struct new_file *n, const char *name)
{
    int fd;

    if (!path_of(name, n->path))
        return false;
    snprintf(n->temporary, sizeof n->temporary, "%s.XXXXXX", n->path);
    fd = mkstemp(n->temporary); /* mode 0600 */
    n->f = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (fd >= 0 && !n->f)
        close(fd);
    return n->f;
}

static bool new_file_close(struct new_file *n, struct reason *why)
{
    bool ok = !ferror(n->f);

    ok = fclose(n->f) == 0 && ok && rename(n->temporary, n->path) == 0;
    if (!ok) {
        reason_set(why, "cannot write %s: %s", n->path, strerror(errno));
        unlink(n->temporary);
    }
    return ok;
}

/* ---- pictures ---- */

static uint32_t *read_pixels(FILE *f, int *width, int *height)
{
    uint8_t rgb[THUMBNAIL_W * 3];
    uint32_t *pixels;

    if (fscanf(f, "P6 %3d %3d 255", width, height) != 2 || fgetc(f) != '\n' || *width < 1 ||
        *width > THUMBNAIL_W || *height < 1 || *height > THUMBNAIL_H)
        return NULL;
    pixels = malloc((size_t)*width * (size_t)*height * sizeof *pixels);
    for (int y = 0; pixels && y < *height; y++) {
        if (fread(rgb, 3, (size_t)*width, f) != (size_t)*width) {
            free(pixels);
            return NULL;
        }
        for (int x = 0; x < *width; x++)
            pixels[y * *width + x] =
                (uint32_t)rgb[x * 3] << 16 | (uint32_t)rgb[x * 3 + 1] << 8 | rgb[x * 3 + 2];
    }
    return pixels;
}

static void load_picture(struct recent_server *s)
{
    char name[48], path[PATH_MAX];
    FILE *f;

    picture_name(s->address, name);
    f = path_of(name, path) ? fopen(path, "rb") : NULL;
    if (!f)
        return;
    s->pixels = read_pixels(f, &s->width, &s->height);
    fclose(f);
}

static bool save_picture(const char *address, const uint32_t *pixels, int width, int height,
                         struct reason *why)
{
    uint32_t small[THUMBNAIL_W * THUMBNAIL_H];
    struct new_file n;
    char name[48];
    int w, h;

    thumbnail_size(width, height, &w, &h);
    thumbnail_make(pixels, width, height, small, w, h);
    picture_name(address, name);
    if (!new_file_open(&n, name))
        return reason_set(why, "cannot write %s: %s", n.path, strerror(errno));
    fprintf(n.f, "P6\n%d %d\n255\n", w, h);
    for (int i = 0; i < w * h; i++) {
        uint8_t rgb[3] = {(uint8_t)(small[i] >> 16), (uint8_t)(small[i] >> 8), (uint8_t)small[i]};

        fwrite(rgb, 1, 3, n.f);
    }
    return new_file_close(&n, why);
}

static void drop_picture(const char *address)
{
    char name[48], path[PATH_MAX];

    picture_name(address, name);
    if (path_of(name, path))
        unlink(path);
}

/* ---- the list ---- */

/* False: the line is damaged. */
static bool take_line(struct recent_server *s, char *line)
{
    size_t length = strcspn(line, "\n");
    char *name;

    if (line[length] != '\n')
        return false;
    line[length] = '\0';
    name = strchr(line, '\t');
    if (!name)
        return false;
    *name++ = '\0';
    if (!*line || strlen(line) >= sizeof s->address || strlen(name) >= sizeof s->name ||
        !is_sanitised(line) || !is_sanitised(name))
        return false;
    *s = (struct recent_server){0};
    strcpy(s->address, line);
    strcpy(s->name, name);
    return true;
}

void recent_load(struct recent *r, bool pictures)
{
    char path[PATH_MAX], line[LINE_MAX_BYTES];
    FILE *f;

    *r = (struct recent){0};
    f = path_of("recent", path) ? fopen(path, "r") : NULL;
    if (!f)
        return;
    while (r->count < RECENT_MAX && fgets(line, sizeof line, f))
        if (take_line(&r->servers[r->count], line))
            r->count++;
    fclose(f);
    for (int i = 0; pictures && i < r->count; i++)
        load_picture(&r->servers[i]);
}

void recent_deinit(struct recent *r)
{
    for (int i = 0; i < r->count; i++)
        free(r->servers[i].pixels);
    *r = (struct recent){0};
}

static bool save(const struct recent *r, struct reason *why)
{
    struct new_file n;

    if (!new_file_open(&n, "recent"))
        return reason_set(why, "cannot write %s: %s", n.path, strerror(errno));
    for (int i = 0; i < r->count; i++)
        fprintf(n.f, "%s\t%s\n", r->servers[i].address, r->servers[i].name);
    return new_file_close(&n, why);
}

/* Moves the server to the front; of a full list the last one goes. */
static void put_in_front(struct recent *r, const struct recent_server *first)
{
    int at = 0;

    while (at < r->count && strcmp(r->servers[at].address, first->address) != 0)
        at++;
    if (at == r->count && r->count == RECENT_MAX)
        drop_picture(r->servers[--at].address);
    else if (at == r->count)
        r->count++;
    memmove(&r->servers[1], &r->servers[0], (size_t)at * sizeof r->servers[0]);
    r->servers[0] = *first;
}

bool recent_remember(const char *address, const char *name, const uint32_t *pixels, int width,
                     int height, struct reason *why)
{
    struct recent_server first = {0};
    struct recent r;

    if (strlen(address) >= sizeof first.address)
        return reason_set(why, "the address is too long");
    if (!make_folder(why))
        return false;
    strcpy(first.address, address);
    snprintf(first.name, sizeof first.name, "%s", name);
    sanitise(first.address);
    sanitise(first.name); /* it may have been cut inside a character */
    recent_load(&r, false);
    put_in_front(&r, &first);
    return save(&r, why) && save_picture(first.address, pixels, width, height, why);
}

bool recent_forget(const char *address, struct reason *why)
{
    struct recent r;
    int at = 0;

    recent_load(&r, false);
    while (at < r.count && strcmp(r.servers[at].address, address) != 0)
        at++;
    if (at == r.count)
        return true;
    drop_picture(address);
    r.count--;
    memmove(&r.servers[at], &r.servers[at + 1], (size_t)(r.count - at) * sizeof r.servers[0]);
    return save(&r, why);
}
