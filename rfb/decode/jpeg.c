/* libvncclient exports an old copy of the turbojpeg API under the same names. rfb/meson.build links
 * turbojpeg first, so these calls reach the real one (tests/unit/rfb/decode/test_jpeg.cpp checks);
 * only functions that both have are used, so a build that gets it wrong still runs. */
#include "rfb/decode/jpeg.h"

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

/* Markers (ITU-T T.81, table B.1). */
enum marker {
    MARKER = 0xff, /* begins one */
    TABLES = 0xc0, /* from here on a length follows, but for */
    RESTART_0 = 0xd0,
    END_OF_IMAGE = 0xd9, /* those from RESTART_0 to this */
    FRAME_BASELINE = 0xc0,
    FRAME_EXTENDED = 0xc1,
    HUFFMAN_TABLES = 0xc4,
    EXTENSION = 0xc8,
    ARITHMETIC_TABLES = 0xcc,
    FRAME_LAST = 0xcf,
    START_OF_SCAN = 0xda,
};

static bool has_length(uint8_t code)
{
    return code >= TABLES && code != MARKER && (code < RESTART_0 || code > END_OF_IMAGE);
}

static bool begins_frame(uint8_t code)
{
    return code >= FRAME_BASELINE && code <= FRAME_LAST && code != HUFFMAN_TABLES &&
           code != EXTENSION && code != ARITHMETIC_TABLES;
}

/* How often the decoder goes over all pixels of an image. 1: each pixel is done when it is read. At
 * least 2: the decoder keeps the whole image until the last scan. */
static size_t count_passes(const uint8_t *data, size_t size)
{
    size_t scans = 0, i = 2; /* behind start of image */
    bool whole = false;
    unsigned components = 0;

    while (i + 4 <= size) {
        uint8_t code = data[i + 1];

        if (data[i] != MARKER || !has_length(code)) {
            i++; /* a byte of a scan, or a marker that stands alone */
            continue;
        }
        if (begins_frame(code) && i + 10 <= size) {
            components = data[i + 9];
            whole = whole || (code != FRAME_BASELINE && code != FRAME_EXTENDED);
        } else if (code == START_OF_SCAN && i + 5 <= size) {
            scans++;
            whole = whole || data[i + 4] < components;
        }
        i += 2 + ((size_t)data[i + 2] << 8 | data[i + 3]);
    }
    return whole && scans < 2 ? 2 : scans;
}

const char *jpeg_decode(struct jpeg *j, const uint8_t *data, size_t size, uint32_t *pixels,
                        int stride, struct rect r)
{
#ifdef TJFLAG_LIMITSCANS
    const int flags = TJFLAG_LIMITSCANS; /* should the passes be counted wrong */
#else
    const int flags = 0;
#endif
    /* the old prototypes take a pointer to non-const, but do not write through it */
    unsigned char *source = (unsigned char *)(uintptr_t)data;
    int width, height, subsampling;
    size_t passes;

    if (tjDecompressHeader2(j->handle, source, (unsigned long)size, &width, &height,
                            &subsampling) != 0)
        return "it is no JPEG image";
    if (width != r.w || height != r.h)
        return "its JPEG image has another size";
    passes = count_passes(data, size);
    if (passes > 1 && passes * (size_t)width * (size_t)height > JPEG_PASSED_MAX)
        return "its JPEG image has too many scans for its size";
    if (tjDecompress2(j->handle, source, (unsigned long)size,
                      (unsigned char *)(pixels + (size_t)r.y * (size_t)stride + (size_t)r.x), r.w,
                      stride * (int)sizeof *pixels, r.h, TJPF_BGRX, flags) != 0)
        return "its JPEG image is broken";
    return NULL;
}
