#include "tools/lab/eye/xwd.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <X11/X.h>
#include <X11/Xmd.h>

#include <X11/XWDFile.h>

#include "tools/lab/eye/options.h"

#define MAX_SIDE   32767 /* what X itself allows */
#define MAX_COLORS 65536

/* The fields are big-endian, all of 32 bits. */
static void to_host(XWDFileHeader *h)
{
    uint32_t fields[sizeof *h / sizeof(uint32_t)];

    memcpy(fields, h, sizeof fields);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        fields[i] = be32toh(fields[i]);
    memcpy(h, fields, sizeof fields);
}

/* What is wrong with the header; NULL: nothing. */
static const char *xwd_refuse(const XWDFileHeader *h, size_t size, size_t *pixels_at)
{
    if (h->file_version != XWD_FILE_VERSION)
        return "it is no X window dump";
    if (h->header_size < sz_XWDheader || h->header_size > size || h->header_size % 4 ||
        h->ncolors > MAX_COLORS)
        return "its header is damaged";
    if (h->pixmap_format != ZPixmap || h->bits_per_pixel != 32 || h->byte_order != LSBFirst ||
        h->red_mask != 0xff0000 || h->green_mask != 0xff00 || h->blue_mask != 0xff)
        return "its pixels are not 32 bits 0xRRGGBB; start Xvfb with -screen 0 WIDTHxHEIGHTx24";
    if (h->pixmap_width < 1 || h->pixmap_width > MAX_SIDE || h->pixmap_height < 1 ||
        h->pixmap_height > MAX_SIDE || h->bytes_per_line % 4 ||
        h->bytes_per_line / 4 < h->pixmap_width || h->bytes_per_line / 4 > 2 * MAX_SIDE)
        return "its size makes no sense";
    *pixels_at = h->header_size + (size_t)h->ncolors * sz_XWDColor;
    if (*pixels_at > size || (size - *pixels_at) / h->bytes_per_line < h->pixmap_height)
        return "it is shorter than its header says";
    return NULL;
}

static bool xwd_fail(const char *file, const char *why)
{
    eye_error("--frame-buffer: cannot use %.200s: %s", file, why);
    return false;
}

static bool xwd_use(struct xwd *x, const char *file)
{
    XWDFileHeader h;
    size_t pixels_at = 0;
    const char *why;

    memcpy(&h, x->map, sizeof h);
    to_host(&h);
    why = xwd_refuse(&h, x->size, &pixels_at);
    if (why)
        return xwd_fail(file, why);
    /* nobody writes there; mark_read() and mark_find() only read */
    x->picture.pixels = (uint32_t *)((uintptr_t)x->map + pixels_at);
    x->picture.width = (int)h.pixmap_width;
    x->picture.height = (int)h.pixmap_height;
    x->picture.stride = (int)(h.bytes_per_line / 4);
    return true;
}

bool xwd_open(struct xwd *x, const char *file)
{
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    struct stat st;
    void *map;

    memset(x, 0, sizeof *x);
    if (fd < 0)
        return xwd_fail(file, strerror(errno));
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size < (off_t)sizeof(XWDFileHeader)) {
        close(fd);
        return xwd_fail(file, "it is no X window dump");
    }
    map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
    close(fd);
    if (map == MAP_FAILED)
        return xwd_fail(file, strerror(errno));
    x->map = map;
    x->size = (size_t)st.st_size;
    if (xwd_use(x, file))
        return true;
    xwd_close(x);
    return false;
}

void xwd_close(struct xwd *x)
{
    if (x->map)
        munmap((void *)(uintptr_t)x->map, x->size);
    memset(x, 0, sizeof *x);
}
