#include "rfb/blocks/strip_jpeg.h"

#include <stdbool.h>
#include <string.h>

#include "rfb/blocks/strip_header.h"

/* What turbojpeg wrote has to begin and end as the viewer will take for granted. */
static bool strip_jpeg_is_ours(const uint8_t *file, size_t size, int quality, int w, int h)
{
    uint8_t header[STRIP_HEADER], end[STRIP_END];

    strip_header_write(header, quality, quality >= BLOCK_FULL_CHROMA, w, h);
    strip_end_write(end);
    return size > STRIP_HEADER + STRIP_END && memcmp(file, header, STRIP_HEADER) == 0 &&
           memcmp(file + size - STRIP_END, end, STRIP_END) == 0;
}

size_t strip_jpeg(tjhandle jpeg, const uint32_t *pixels, int stride, int w, int h, int quality,
                  uint8_t *file, size_t room)
{
    bool full_chroma = quality >= BLOCK_FULL_CHROMA;
    unsigned long size = room;
    int flags = TJFLAG_NOREALLOC | (full_chroma ? TJFLAG_ACCURATEDCT : 0);

    if (tjCompress2(jpeg, (unsigned char *)(uintptr_t)pixels, w, stride * (int)sizeof *pixels, h,
                    TJPF_BGRX, &file, &size, full_chroma ? TJSAMP_444 : TJSAMP_420, quality,
                    flags) != 0 ||
        !strip_jpeg_is_ours(file, size, quality, w, h))
        return 0;
    return size - STRIP_HEADER - STRIP_END;
}
