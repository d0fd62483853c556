#include "viewer/servers/recent.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rfb/system/plain_file.h"
#include "viewer/state_file.h"

#define LINE_MAX_BYTES (RECENT_ADDRESS_MAX + RECENT_NAME_MAX + RECENT_WAY_MAX + 4)

/* ---- thumbnails ---- */

static int thumbnail_at_least_one(int64_t n)
{
    return n < 1 ? 1 : (int)n;
}

void thumbnail_size(int width, int height, int *w, int *h)
{
    *w = width;
    *h = height;
    if (*w > THUMBNAIL_W) {
        *h = thumbnail_at_least_one((int64_t)height * THUMBNAIL_W / width);
        *w = THUMBNAIL_W;
    }
    if (*h > THUMBNAIL_H) {
        *w = thumbnail_at_least_one((int64_t)width * THUMBNAIL_H / height);
        *h = THUMBNAIL_H;
    }
}

static uint32_t thumbnail_mean(const uint32_t *in, int width, int x0, int x1, int y0, int y1)
{
    uint64_t r = 0, g = 0, b = 0, count = (uint64_t)(x1 - x0) * (uint64_t)(y1 - y0);

    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++) {
            uint32_t p = in[(size_t)y * (size_t)width + (size_t)x];

            r += p >> 16 & 255;
            g += p >> 8 & 255;
            b += p & 255;
        }
    return (uint32_t)(r / count) << 16 | (uint32_t)(g / count) << 8 | (uint32_t)(b / count);
}

void thumbnail_make(const uint32_t *in, int width, int height, uint32_t *out, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            out[y * w + x] = thumbnail_mean(
                in, width, (int)((int64_t)x * width / w), (int)((int64_t)(x + 1) * width / w),
                (int)((int64_t)y * height / h), (int)((int64_t)(y + 1) * height / h));
}

/* ---- pictures ---- */

static uint64_t picture_hash(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (uint8_t)*text) * 0x100000001b3;
    return hash;
}

/* Pictures have numbers that follow from the address and the way (FNV-1a), so that none is
 * overwritten by another server's. */
static void picture_name(const struct recent_server *s, char out[48])
{
    uint64_t hash = picture_hash(0xcbf29ce484222325, s->address);

    if (*s->way)
        hash = picture_hash(picture_hash(hash, "\t"), s->way);
    snprintf(out, 48, "recent-%016llx.ppm", (unsigned long long)hash);
}

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
    struct reason never;
    FILE *f;

    picture_name(s, name);
    f = state_file_path(name, path) ? plain_file_open(path, &never) : NULL;
    if (!f)
        return;
    s->pixels = read_pixels(f, &s->width, &s->height);
    fclose(f);
}

static bool save_picture(const struct recent_server *s, const uint32_t *pixels, int width,
                         int height, struct reason *why)
{
    uint32_t small[THUMBNAIL_W * THUMBNAIL_H];
    struct whole_file n;
    char name[48];
    int w, h;

    thumbnail_size(width, height, &w, &h);
    thumbnail_make(pixels, width, height, small, w, h);
    picture_name(s, name);
    if (!state_file_open(&n, name, why))
        return false;
    fprintf(n.f, "P6\n%d %d\n255\n", w, h);
    for (int i = 0; i < w * h; i++) {
        uint8_t rgb[3] = {(uint8_t)(small[i] >> 16), (uint8_t)(small[i] >> 8), (uint8_t)small[i]};

        fwrite(rgb, 1, 3, n.f);
    }
    return whole_file_close(&n, why);
}

static void drop_picture(const struct recent_server *s)
{
    char name[48], path[PATH_MAX];

    picture_name(s, name);
    if (state_file_path(name, path))
        unlink(path);
}

/* ---- the list ---- */

/* False: the line is damaged. */
static bool recent_take_line(struct recent_server *s, char *line)
{
    size_t length = strcspn(line, "\n");
    char *name, *way;

    if (line[length] != '\n')
        return false;
    line[length] = '\0';
    name = strchr(line, '\t');
    if (!name)
        return false;
    *name++ = '\0';
    way = name + strcspn(name, "\t"); /* lines of older versions have none */
    if (*way)
        *way++ = '\0';
    if ((!*line && !*way) || strlen(line) >= sizeof s->address || strlen(name) >= sizeof s->name ||
        strlen(way) >= sizeof s->way || !is_sanitised(line) || !is_sanitised(name) ||
        !is_sanitised(way))
        return false;
    *s = (struct recent_server){0};
    strcpy(s->address, line);
    strcpy(s->name, name);
    strcpy(s->way, way);
    return true;
}

void recent_load(struct recent *r, bool pictures)
{
    char path[PATH_MAX], line[LINE_MAX_BYTES];
    struct reason never;
    FILE *f;

    *r = (struct recent){0};
    f = state_file_path("recent", path) ? plain_file_open(path, &never) : NULL;
    if (!f)
        return;
    while (r->count < RECENT_MAX && fgets(line, sizeof line, f))
        if (recent_take_line(&r->servers[r->count], line))
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

static bool recent_save(const struct recent *r, struct reason *why)
{
    struct whole_file n;

    if (!state_file_open(&n, "recent", why))
        return false;
    for (int i = 0; i < r->count; i++) {
        const struct recent_server *s = &r->servers[i];

        fprintf(n.f, "%s\t%s%s%s\n", s->address, s->name, *s->way ? "\t" : "", s->way);
    }
    return whole_file_close(&n, why);
}

/* Where this server stands; `count`: nowhere. */
static int recent_find(const struct recent *r, const struct recent_server *s)
{
    int at = 0;

    while (at < r->count && (strcmp(r->servers[at].address, s->address) != 0 ||
                             strcmp(r->servers[at].way, s->way) != 0))
        at++;
    return at;
}

/* Moves the server to the front; of a full list the last one goes. */
static void put_in_front(struct recent *r, const struct recent_server *first)
{
    int at = recent_find(r, first);

    if (at == r->count && r->count == RECENT_MAX)
        drop_picture(&r->servers[--at]);
    else if (at == r->count)
        r->count++;
    memmove(&r->servers[1], &r->servers[0], (size_t)at * sizeof r->servers[0]);
    r->servers[0] = *first;
}

/* False, with a reason: they are too long to be kept. */
static bool recent_name(struct recent_server *s, const char *address, const char *way,
                        struct reason *why)
{
    *s = (struct recent_server){0};
    if (strlen(address) >= sizeof s->address || strlen(way) >= sizeof s->way)
        return reason_set(why, "the address is too long");
    strcpy(s->address, address);
    strcpy(s->way, way);
    sanitise(s->address);
    sanitise(s->way);
    return true;
}

bool recent_remember(const char *address, const char *way, const char *name, const uint32_t *pixels,
                     int width, int height, struct reason *why)
{
    struct recent_server first;
    struct recent r;

    if (!recent_name(&first, address, way, why) || !state_file_make_folder(why))
        return false;
    snprintf(first.name, sizeof first.name, "%s", name);
    sanitise(first.name); /* it may have been cut inside a character */
    recent_load(&r, false);
    put_in_front(&r, &first);
    return recent_save(&r, why) && save_picture(&first, pixels, width, height, why);
}

bool recent_forget(const char *address, const char *way, struct reason *why)
{
    struct recent_server s;
    struct recent r;
    int at;

    if (!recent_name(&s, address, way, why))
        return false;
    recent_load(&r, false);
    at = recent_find(&r, &s);
    if (at == r.count)
        return true;
    drop_picture(&s);
    r.count--;
    memmove(&r.servers[at], &r.servers[at + 1], (size_t)(r.count - at) * sizeof r.servers[0]);
    return recent_save(&r, why);
}
