#include "viewer/servers/picture_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "rfb/system/log.h"
#include "viewer/servers/server_key.h"
#include "viewer/state_file.h"

#define PICTURE_FILE_MAGIC  "vnchl picture 1"
#define PICTURE_FILE_PREFIX "picture-"
#define PICTURE_FILE_NAME   32 /* bytes of a file's name, with its NUL */
#define PICTURE_FILE_LINE   (SERVER_KEY_MAX + 2)
#define PICTURE_FILE_COLOUR 3 /* bytes of a pixel */
/* Fast: a picture is written while the user waits for the end. */
#define PICTURE_FILE_LEVEL "wb1"

/* Its server, and its file. */
struct picture_file_place {
    char key[SERVER_KEY_MAX];
    unsigned port;
    char name[PICTURE_FILE_NAME];
};

/* FNV-1a: a name of a file for every key. */
static struct picture_file_place picture_file_place(const struct address *a,
                                                    const struct route *route)
{
    uint64_t hash = 0xcbf29ce484222325;
    struct picture_file_place p;

    p.port = server_key_of(a, route, p.key);
    for (const char *at = p.key; *at; at++)
        hash = (hash ^ (uint8_t)*at) * 0x100000001b3;
    hash = (hash ^ p.port) * 0x100000001b3;
    snprintf(p.name, sizeof p.name, PICTURE_FILE_PREFIX "%016llx", (unsigned long long)hash);
    return p;
}

/* ---- written ---- */

static bool picture_file_write_head(gzFile gz, const struct picture_file_place *p,
                                    const struct session_stats *s, int width, int height)
{
    char sha256[FINGERPRINT_TEXT] = "-";

    if (s->fingerprinted)
        fingerprint_text(s->sha256, sha256);
    return gzprintf(gz, "%s\n%s\n%u %d %d %d %d %s\n", PICTURE_FILE_MAGIC, p->key, p->port,
                    (int)s->memory.security, (int)s->memory.subtype, width, height, sha256) > 0;
}

static bool picture_file_write_row(gzFile gz, const uint32_t *pixels, int width)
{
    uint8_t row[FRAMEBUFFER_MAX_SIDE * PICTURE_FILE_COLOUR], *to = row;

    for (int x = 0; x < width; x++) {
        *to++ = (uint8_t)(pixels[x] >> 16);
        *to++ = (uint8_t)(pixels[x] >> 8);
        *to++ = (uint8_t)pixels[x];
    }
    return gzwrite(gz, row, (unsigned)(to - row)) == (int)(to - row) &&
           gzoffset(gz) <= PICTURE_FILE_BYTES;
}

/* The session is at its end: who draws waits. */
static bool picture_file_write_picture(gzFile gz, const struct picture_file_place *p,
                                       const struct session_stats *s,
                                       struct framebuffer_reader *picture)
{
    struct framebuffer_view view;
    bool ok;

    if (!framebuffer_lock(picture, &view, false))
        return false;
    ok = picture_file_write_head(gz, p, s, view.width, view.height);
    for (int y = 0; ok && y < view.height; y++)
        ok = picture_file_write_row(gz, view.pixels + (size_t)y * (size_t)view.width, view.width);
    framebuffer_unlock(picture);
    return ok;
}

static bool picture_file_write(FILE *f, const struct picture_file_place *p,
                               const struct session_stats *s, struct framebuffer_reader *picture)
{
    int fd = dup(fileno(f));
    gzFile gz = fd < 0 ? NULL : gzdopen(fd, PICTURE_FILE_LEVEL);
    bool ok;

    if (!gz) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    ok = picture_file_write_picture(gz, p, s, picture);
    return gzclose(gz) == Z_OK && ok;
}

/* The oldest file, if there are too many. */
static bool picture_file_find_oldest(DIR *folder, char out[NAME_MAX + 1])
{
    struct timespec oldest = {0};
    const struct dirent *entry;
    struct stat status;
    int files = 0;

    while ((entry = readdir(folder))) {
        if (strncmp(entry->d_name, PICTURE_FILE_PREFIX, strlen(PICTURE_FILE_PREFIX)) != 0 ||
            fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (files++ == 0 || status.st_mtim.tv_sec < oldest.tv_sec ||
            (status.st_mtim.tv_sec == oldest.tv_sec && status.st_mtim.tv_nsec < oldest.tv_nsec)) {
            oldest = status.st_mtim;
            snprintf(out, NAME_MAX + 1, "%s", entry->d_name);
        }
    }
    return files > PICTURE_FILES_MOST;
}

/* Also what a viewer has left that was killed while it wrote. */
static void picture_file_drop_oldest(void)
{
    char path[PATH_MAX], name[NAME_MAX + 1];
    DIR *folder = state_file_path("", path) ? opendir(path) : NULL;

    if (!folder)
        return;
    while (picture_file_find_oldest(folder, name) && unlinkat(dirfd(folder), name, 0) == 0)
        rewinddir(folder);
    closedir(folder);
}

bool picture_file_save(const struct address *a, const struct route *route,
                       const struct session_stats *s, struct framebuffer_reader *picture,
                       struct reason *why)
{
    const struct picture_file_place p = picture_file_place(a, route);
    struct whole_file w;
    bool ok;

    if (!state_file_make_folder(why) || !state_file_open(&w, p.name, why))
        return false;
    if (!picture_file_write(w.f, &p, s, picture)) {
        whole_file_drop(&w);
        return reason_set(why, "it cannot be read, or written, or has more than %d MiB",
                          PICTURE_FILE_BYTES >> 20);
    }
    ok = whole_file_close(&w, why);
    picture_file_drop_oldest();
    return ok;
}

/* ---- read ---- */

static bool picture_file_read_line(gzFile gz, char line[PICTURE_FILE_LINE])
{
    size_t length;

    if (!gzgets(gz, line, PICTURE_FILE_LINE))
        return false;
    length = strcspn(line, "\n");
    if (line[length] != '\n')
        return false;
    line[length] = '\0';
    return true;
}

static bool picture_file_read_numbers(const char *line, const struct picture_file_place *p,
                                      struct session_stats *s)
{
    unsigned port, security, subtype;
    char sha256[FINGERPRINT_TEXT];

    if (sscanf(line, "%5u %5u %5u %5d %5d %95s", &port, &security, &subtype, &s->width, &s->height,
               sha256) != 6 ||
        port != p->port || s->width < 1 || s->width > FRAMEBUFFER_MAX_SIDE || s->height < 1 ||
        s->height > FRAMEBUFFER_MAX_SIDE)
        return false;
    s->memory.security = (enum security_number)security;
    s->memory.subtype = (enum security_number)subtype;
    s->fingerprinted = strcmp(sha256, "-") != 0;
    s->pushed = s->accelerated = true;
    return !s->fingerprinted || fingerprint_parse(sha256, s->sha256);
}

static bool picture_file_read_head(gzFile gz, const struct picture_file_place *p,
                                   struct session_stats *s)
{
    char line[PICTURE_FILE_LINE];

    return picture_file_read_line(gz, line) && strcmp(line, PICTURE_FILE_MAGIC) == 0 &&
           picture_file_read_line(gz, line) && strcmp(line, p->key) == 0 &&
           picture_file_read_line(gz, line) && picture_file_read_numbers(line, p, s);
}

static bool picture_file_read_row(gzFile gz, uint32_t *pixels, int width)
{
    uint8_t row[FRAMEBUFFER_MAX_SIDE * PICTURE_FILE_COLOUR];
    const uint8_t *from = row;

    if (gzread(gz, row, (unsigned)width * PICTURE_FILE_COLOUR) != width * PICTURE_FILE_COLOUR)
        return false;
    for (int x = 0; x < width; x++, from += PICTURE_FILE_COLOUR)
        pixels[x] = (uint32_t)from[0] << 16 | (uint32_t)from[1] << 8 | from[2];
    return true;
}

/* To the end, where the sum of all bytes is. */
static bool picture_file_read_pixels(gzFile gz, uint32_t *pixels, int width, int height)
{
    uint8_t more;

    for (int y = 0; y < height; y++)
        if (!picture_file_read_row(gz, pixels + (size_t)y * (size_t)width, width))
            return false;
    return gzread(gz, &more, 1) == 0;
}

/* In memory that a session's process can map. */
static struct framebuffer_reader *picture_file_read_picture(gzFile gz, int width, int height)
{
    struct framebuffer_reader *picture = NULL;
    int fd = picture_memory_create();
    size_t size = 0;
    struct picture_header *h = fd < 0 ? NULL : picture_memory_map(fd, &size);

    if (h && picture_file_read_pixels(gz, picture_set_size(h, width, height), width, height))
        picture = framebuffer_map(fd);
    picture_memory_unmap(h, size);
    if (fd >= 0)
        close(fd);
    return picture;
}

/* NULL: it is no file of ours. Without a file there is nothing to say. */
static gzFile picture_file_open(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    gzFile gz = NULL;
    struct stat status;

    if (fd < 0)
        return NULL;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_size <= 2 * (off_t)PICTURE_FILE_BYTES)
        gz = gzdopen(fd, "rb");
    if (!gz)
        close(fd);
    return gz;
}

void picture_file_load(const struct address *a, const struct route *route, struct picture_file *out)
{
    const struct picture_file_place p = picture_file_place(a, route);
    char path[PATH_MAX];
    gzFile gz = state_file_path(p.name, path) ? picture_file_open(path) : NULL;

    *out = (struct picture_file){.picture = NULL};
    if (!gz)
        return;
    if (!gzdirect(gz) && picture_file_read_head(gz, &p, &out->was))
        out->picture = picture_file_read_picture(gz, out->was.width, out->was.height);
    if (gzclose(gz) != Z_OK) /* it ends too soon */
        picture_file_deinit(out);
    if (!out->picture)
        log_debug("the kept picture is of another server, or damaged");
}

void picture_file_deinit(struct picture_file *k)
{
    framebuffer_unmap(k->picture);
    k->picture = NULL;
}

void picture_file_forget(const struct address *a, const struct route *route)
{
    const struct picture_file_place p = picture_file_place(a, route);
    char path[PATH_MAX];

    if (state_file_path(p.name, path) && unlink(path) != 0 && errno != ENOENT && errno != ENOTDIR)
        log_line("the kept picture is not forgotten: %s: %s", path, strerror(errno));
}
