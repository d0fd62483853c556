/* libvncclient exports an old copy of the turbojpeg API under the same names. rfb/meson.build links
 * turbojpeg first, so these calls reach the real one (tests/unit/test_jpeg.cpp checks); only
 * functions that both have are used, so a build that gets it wrong still runs. */
#include "rfb/jpeg.h"

#include <stdlib.h>
#include <turbojpeg.h>

struct jpeg {
    tjhandle handle;
};

struct jpeg *jpeg_create(void)
{
    struct jpeg *j = calloc(1, sizeof *j);

    if (j && !(j->handle = tjInitDecompress())) {
        free(j);
        return NULL;
    }
    return j;
}

void jpeg_destroy(struct jpeg *j)
{
    if (!j)
        return;
    tjDestroy(j->handle);
    free(j);
}

bool jpeg_decode(struct jpeg *j, const uint8_t *data, size_t size, uint32_t *pixels, int stride,
                 struct rect r)
{
    /* the old prototypes take a pointer to non-const, but do not write through it */
    unsigned char *source = (unsigned char *)(uintptr_t)data;
    int width, height, subsampling;

    if (tjDecompressHeader2(j->handle, source, (unsigned long)size, &width, &height,
                            &subsampling) != 0 ||
        width != r.w || height != r.h)
        return false;
    return tjDecompress2(j->handle, source, (unsigned long)size,
                         (unsigned char *)(pixels + (size_t)r.y * (size_t)stride + (size_t)r.x),
                         r.w, stride * (int)sizeof *pixels, r.h, TJPF_BGRX, 0) == 0;
}
