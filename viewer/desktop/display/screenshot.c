#include "viewer/desktop/display/screenshot.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rfb/system/plain_file.h"

/* Bytes of the desktop's name that are taken. */
#define DESKTOP_MAX 60
/* So many pictures of one second are told apart. */
#define SAME_NAME_MAX 99
#define USER_DIRS_MAX (64 << 10)

/* ---- the name ---- */

static bool is_plain(char c)
{
    return isalnum((unsigned char)c) || c == '.' || c == '_';
}

void screenshot_name(const char *desktop, const struct tm *when, char out[SCREENSHOT_NAME_MAX])
{
    char name[DESKTOP_MAX + 1], date[40];
    size_t used = 0;

    for (; *desktop && used < DESKTOP_MAX; desktop++) {
        if (is_plain(*desktop))
            name[used++] = *desktop;
        else if (used > 0 && name[used - 1] != '-')
            name[used++] = '-';
    }
    while (used > 0 && name[used - 1] == '-')
        used--;
    name[used] = '\0';
    if (strftime(date, sizeof date, "%Y-%m-%d-%H%M%S", when) == 0)
        date[0] = '\0';
    snprintf(out, SCREENSHOT_NAME_MAX, "vnchl-%s%s%s.png", name, used > 0 ? "-" : "", date);
}

/* ---- the folder ---- */

/* A quoted path with backslashes, absolute or below "$HOME/". */
static bool screenshot_unquote(const char *from, const char *home, char out[PATH_MAX])
{
    const char in_home[] = "$HOME";
    size_t used = 0;

    if (*from++ != '"')
        return false;
    if (strncmp(from, in_home, strlen(in_home)) == 0) {
        used = (size_t)snprintf(out, PATH_MAX, "%s", home);
        from += strlen(in_home);
    } else if (*from != '/') {
        return false;
    }
    for (; *from && *from != '"' && *from != '\n' && used + 1 < PATH_MAX; from++) {
        if (*from == '\\' && from[1] && from[1] != '\n')
            from++;
        out[used++] = *from;
    }
    if (*from != '"')
        return false;
    out[used] = '\0';
    return out[0] == '/';
}

bool screenshot_user_dir(const char *text, const char *home, char out[PATH_MAX])
{
    const char key[] = "XDG_PICTURES_DIR=";
    bool found = false;

    if (strlen(home) >= PATH_MAX)
        return false;
    for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        line += strspn(line, " \t");
        if (strncmp(line, key, strlen(key)) == 0)
            found = screenshot_unquote(line + strlen(key), home, out);
    }
    return found;
}

static bool is_folder(const char *path)
{
    struct stat status;

    return *path == '/' && stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool read_user_dirs(const char *home, char out[PATH_MAX])
{
    const char *config = getenv("XDG_CONFIG_HOME");
    bool absolute = config && *config == '/', found;
    char path[PATH_MAX + 32];
    char *text = malloc(USER_DIRS_MAX + 1);
    struct reason never;
    FILE *f;

    snprintf(path, sizeof path, "%s%s/user-dirs.dirs", absolute ? config : home,
             absolute ? "" : "/.config");
    f = text ? plain_file_open(path, &never) : NULL;
    if (f) {
        text[fread(text, 1, USER_DIRS_MAX, f)] = '\0';
        fclose(f);
    }
    found = f && screenshot_user_dir(text, home, out);
    free(text);
    return found;
}

bool screenshot_folder(char out[PATH_MAX], struct reason *why)
{
    const char *home = getenv("HOME"), *pictures = getenv("XDG_PICTURES_DIR");

    if (pictures && strlen(pictures) < PATH_MAX && is_folder(pictures)) {
        strcpy(out, pictures);
        return true;
    }
    if (!home || *home != '/' || strlen(home) >= PATH_MAX)
        return reason_set(why, "neither XDG_PICTURES_DIR nor HOME names a folder");
    if (!read_user_dirs(home, out) || !is_folder(out))
        strcpy(out, home);
    return true;
}

/* ---- the file ---- */

/* A new file, or NULL with errno. */
static FILE *screenshot_create_file(const char *folder, const char *name, char path[PATH_MAX])
{
    const char *ending = strrchr(name, '.');
    int stem = ending ? (int)(ending - name) : (int)strlen(name), fd = -1;
    FILE *f;

    for (int n = 1; fd < 0 && n <= SAME_NAME_MAX; n++) {
        char number[16] = "";

        if (n > 1)
            snprintf(number, sizeof number, "-%d", n);
        if (snprintf(path, PATH_MAX, "%s/%.*s%s%s", folder, stem, name, number, name + stem) >=
            PATH_MAX) {
            errno = ENAMETOOLONG;
            return NULL;
        }
        fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (fd < 0 && errno != EEXIST)
            return NULL;
    }
    f = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (fd >= 0 && !f)
        close(fd);
    return f;
}

static uint8_t *rgb_of(const uint32_t *pixels, size_t count)
{
    uint8_t *rgb = malloc(count * 3);

    for (size_t i = 0; rgb && i < count; i++) {
        rgb[3 * i] = (uint8_t)(pixels[i] >> 16);
        rgb[3 * i + 1] = (uint8_t)(pixels[i] >> 8);
        rgb[3 * i + 2] = (uint8_t)pixels[i];
    }
    return rgb;
}

bool screenshot_save(const char *folder, const char *name, const uint32_t *pixels, int width,
                     int height, char out[PATH_MAX], struct reason *why)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = PNG_FORMAT_RGB,
                       .flags = PNG_IMAGE_FLAG_FAST};
    uint8_t *rgb = rgb_of(pixels, (size_t)width * (size_t)height);
    FILE *f = rgb ? screenshot_create_file(folder, name, out) : NULL;
    bool ok = f;
    int fault = rgb ? errno : ENOMEM;

    if (f) {
        ok = png_image_write_to_stdio(&image, f, 0, rgb, 0, NULL) && fflush(f) == 0;
        fault = errno;
        if (fclose(f) != 0 && ok) {
            ok = false;
            fault = errno;
        }
        if (!ok)
            unlink(out);
    }
    free(rgb);
    return ok || reason_set(why, "cannot save a picture in %s: %s", folder, strerror(fault));
}

/* ---- all of it ---- */

/* A copy of the picture; the caller frees it. NULL: there is none. */
static uint32_t *screenshot_copy(struct framebuffer_reader *picture, int *width, int *height)
{
    struct framebuffer_view view;
    uint32_t *pixels = NULL;
    size_t size;

    if (!picture || !framebuffer_lock(picture, &view, false))
        return NULL;
    size = (size_t)view.width * (size_t)view.height * sizeof *pixels;
    pixels = size > 0 ? malloc(size) : NULL;
    if (pixels)
        memcpy(pixels, view.pixels, size);
    *width = view.width;
    *height = view.height;
    framebuffer_unlock(picture);
    return pixels;
}

bool screenshot_take(struct framebuffer_reader *picture, const char *desktop, char out[PATH_MAX],
                     struct reason *why)
{
    char folder[PATH_MAX], name[SCREENSHOT_NAME_MAX];
    int width, height;
    uint32_t *pixels;
    struct tm when;
    time_t now = time(NULL);
    bool ok;

    if (!screenshot_folder(folder, why))
        return false;
    pixels = screenshot_copy(picture, &width, &height);
    if (!pixels)
        return reason_set(why, "there is no picture to save yet");
    screenshot_name(desktop, localtime_r(&now, &when), name);
    ok = screenshot_save(folder, name, pixels, width, height, out, why);
    free(pixels);
    return ok;
}
