#include "tools/lab/content/raw.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/demo/demo_common.h"

bool raw_write(struct scene *s, uint32_t count)
{
    struct scene_change change;
    size_t width = (size_t)s->width;

    signal(SIGPIPE, SIG_IGN);
    for (uint32_t n = 0; n < count; n++) {
        if (n) {
            scene_next(s, &change);
            scene_stamp(s, 0, &change);
        }
        for (int y = 0; y < s->height; y++) {
            const uint32_t *row = s->canvas.pixels + (long)y * s->canvas.width;

            if (fwrite(row, sizeof *row, width, stdout) != width) {
                demo_error("cannot write frame %u to stdout: %s", n, strerror(errno));
                return false;
            }
        }
    }
    if (fflush(stdout)) {
        demo_error("cannot write to stdout: %s", strerror(errno));
        return false;
    }
    return true;
}

bool raw_check(const struct scene *s, uint32_t count)
{
    size_t size = (size_t)s->width * (size_t)s->height;
    uint32_t *pixels = calloc(size, sizeof *pixels);
    struct mark_picture p = {pixels, s->width, s->height, s->width};
    bool good = pixels != NULL;

    if (!pixels)
        demo_error("no memory for a frame of %dx%d", s->width, s->height);
    for (uint32_t n = 0; good && n < count; n++) {
        struct mark first = {0}, last = {0};

        good = fread(pixels, sizeof *pixels, size, stdin) == size;
        if (!good) {
            demo_error("stdin ended after %u of %u frames of %dx%d", n, count, s->width, s->height);
            break;
        }
        good = mark_read(&p, s->frame_at.x, s->frame_at.y, &first) &&
               mark_read(&p, s->end_at.x, s->end_at.y, &last) && first.kind == MARK_FRAME &&
               last.kind == MARK_FRAME_END && first.number == n && last.number == n;
        if (!good)
            demo_error("the marks of frame %u cannot be read: encode with a higher bit rate", n);
    }
    if (good && getchar() != EOF) {
        demo_error("stdin goes on after %u frames of %dx%d", count, s->width, s->height);
        good = false;
    }
    free(pixels);
    return good;
}
