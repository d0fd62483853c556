#include "rfb/blocks/pixels/strip_jpeg.h"

#include <stdbool.h>
#include <string.h>

#include "rfb/proto/bytes.h"

#define STRIP_COEFFICIENTS 64

/* Tables K.1 and K.2, in the order in which a file has them (figure A.6). */
static const uint8_t strip_luminance[STRIP_COEFFICIENTS] = {
    16, 11, 12,  14,  12,  10, 16, 14,  13,  14,  18,  17,  16, 19,  24,  40,
    26, 24, 22,  22,  24,  49, 35, 37,  29,  40,  58,  51,  61, 60,  57,  51,
    56, 55, 64,  72,  92,  78, 64, 68,  87,  69,  55,  56,  80, 109, 81,  87,
    95, 98, 103, 104, 103, 62, 77, 113, 121, 112, 100, 120, 92, 101, 103, 99,
};
static const uint8_t strip_chrominance[STRIP_COEFFICIENTS] = {
    17, 18, 18, 24, 21, 24, 47, 26, 26, 47, 99, 66, 56, 66, 99, 99, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
};

/* Tables K.3 to K.6: how many codes there are of 1..16 bits, then what they mean. */
#define STRIP_LENGTHS 16
#define STRIP_DC      12
#define STRIP_AC      162

static const uint8_t strip_dc_luminance[STRIP_LENGTHS + STRIP_DC] = {
    0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0,  0,  0, 0, 0, 0, /* */
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
};
static const uint8_t strip_dc_chrominance[STRIP_LENGTHS + STRIP_DC] = {
    0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1,  0,  0, 0, 0, 0, /* */
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
};
static const uint8_t strip_ac_luminance[STRIP_LENGTHS + STRIP_AC] = {
    0,    2,    1,    3,    3,    2,    4,    3,    5,    5,    4,    4,    0,    0,    1,
    125, /* */
    0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61,
    0x07, 0x22, 0x71, 0x14, 0x32, 0x81, 0x91, 0xa1, 0x08, 0x23, 0x42, 0xb1, 0xc1, 0x15, 0x52,
    0xd1, 0xf0, 0x24, 0x33, 0x62, 0x72, 0x82, 0x09, 0x0a, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x25,
    0x26, 0x27, 0x28, 0x29, 0x2a, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x43, 0x44, 0x45,
    0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x63, 0x64,
    0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a, 0x83,
    0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99,
    0x9a, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6,
    0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3,
    0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8,
    0xe9, 0xea, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa,
};
static const uint8_t strip_ac_chrominance[STRIP_LENGTHS + STRIP_AC] = {
    0,    2,    1,    2,    4,    4,    3,    4,    7,    5,    4,    4,    0,    1,    2,
    119, /* */
    0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61,
    0x71, 0x13, 0x22, 0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xa1, 0xb1, 0xc1, 0x09, 0x23, 0x33,
    0x52, 0xf0, 0x15, 0x62, 0x72, 0xd1, 0x0a, 0x16, 0x24, 0x34, 0xe1, 0x25, 0xf1, 0x17, 0x18,
    0x19, 0x1a, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x43, 0x44,
    0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x63,
    0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a,
    0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97,
    0x98, 0x99, 0x9a, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4,
    0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca,
    0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7,
    0xe8, 0xe9, 0xea, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa,
};

static uint8_t *strip_put(uint8_t *p, const void *bytes, size_t size)
{
    memcpy(p, bytes, size);
    return p + size;
}

/* Of 50 the table is as it stands; of 100 all are 1 (libjpeg's jpeg_quality_scaling()). */
static uint8_t *strip_put_quantisation(uint8_t *p, unsigned number, const uint8_t *table,
                                       int quality)
{
    int percent = quality < 50 ? 5000 / quality : 200 - 2 * quality;

    p = put16(p, 0xffdb);
    p = put16(p, 3 + STRIP_COEFFICIENTS);
    *p++ = (uint8_t)number;
    for (int i = 0; i < STRIP_COEFFICIENTS; i++) {
        int value = (table[i] * percent + 50) / 100;

        *p++ = (uint8_t)(value < 1 ? 1 : value > 255 ? 255 : value);
    }
    return p;
}

static uint8_t *strip_put_frame(uint8_t *p, bool full_chroma, int width, int height)
{
    static const uint8_t components[] = {3, 1, 0, 0, 2, 0x11, 1, 3, 0x11, 1};

    p = put16(p, 0xffc0);
    p = put16(p, 17);
    *p++ = 8; /* bits of a sample */
    p = put16(p, (unsigned)height);
    p = put16(p, (unsigned)width);
    memcpy(p, components, sizeof components);
    p[2] = full_chroma ? 0x11 : 0x22;
    return p + sizeof components;
}

static uint8_t *strip_put_codes(uint8_t *p, unsigned number, const uint8_t *table, size_t size)
{
    p = put16(p, 0xffc4);
    p = put16(p, (unsigned)(3 + size));
    *p++ = (uint8_t)number;
    return strip_put(p, table, size);
}

void strip_header_write(uint8_t out[STRIP_HEADER], int quality, bool full_chroma, int width,
                        int height)
{
    static const uint8_t begin[] = {0xff, 0xd8, 0xff, 0xe0, 0, 16, 'J', 'F', 'I', 'F',
                                    0,    1,    1,    0,    0, 1,  0,   1,   0,   0};
    static const uint8_t scan[] = {0xff, 0xda, 0, 12, 3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0};
    uint8_t *p = strip_put(out, begin, sizeof begin);

    p = strip_put_quantisation(p, 0, strip_luminance, quality);
    p = strip_put_quantisation(p, 1, strip_chrominance, quality);
    p = strip_put_frame(p, full_chroma, width, height);
    p = strip_put_codes(p, 0x00, strip_dc_luminance, sizeof strip_dc_luminance);
    p = strip_put_codes(p, 0x10, strip_ac_luminance, sizeof strip_ac_luminance);
    p = strip_put_codes(p, 0x01, strip_dc_chrominance, sizeof strip_dc_chrominance);
    p = strip_put_codes(p, 0x11, strip_ac_chrominance, sizeof strip_ac_chrominance);
    strip_put(p, scan, sizeof scan);
}

void strip_end_write(uint8_t out[STRIP_END])
{
    put16(out, 0xffd9);
}

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
