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

enum marker { MARKER = 0xff, STUFFED = 0x00, RESTART_0 = 0xd0, START_OF_SCAN = 0xda };

/* The scans in an image (ITU-T T.81, annex B): how often the decoder goes over all its pixels. */
static size_t count_scans(const uint8_t *data, size_t size)
{
    size_t scans = 0, i = 2; /* behind start of image, which has no length */

    while (i + 4 <= size) {
        uint8_t code = data[i + 1];

        /* a marker that is none belongs to the pixels of a scan */
        if (data[i] != MARKER || code == STUFFED || code == MARKER ||
            (code >= RESTART_0 && code < RESTART_0 + 10)) {
            i += data[i] == MARKER && code != MARKER ? 2 : 1;
            continue;
        }
        scans += code == START_OF_SCAN;
        i += 2 + ((size_t)data[i + 2] << 8 | data[i + 3]);
    }
    return scans;
}

bool jpeg_decode(struct jpeg *j, const uint8_t *data, size_t size, uint32_t *pixels, int stride,
                 struct rect r)
{
    /* the old prototypes take a pointer to non-const, but do not write through it */
    unsigned char *source = (unsigned char *)(uintptr_t)data;
    int width, height, subsampling;
    size_t scans;

    if (tjDecompressHeader2(j->handle, source, (unsigned long)size, &width, &height,
                            &subsampling) != 0 ||
        width != r.w || height != r.h)
        return false;
    scans = count_scans(data, size);
    if (scans > 1 && scans * (size_t)width * (size_t)height > JPEG_SCANNED_MAX)
        return false;
    return tjDecompress2(j->handle, source, (unsigned long)size,
                         (unsigned char *)(pixels + (size_t)r.y * (size_t)stride + (size_t)r.x),
                         r.w, stride * (int)sizeof *pixels, r.h, TJPF_BGRX, 0) == 0;
}
