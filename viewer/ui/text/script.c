#include "viewer/ui/text/script.h"

#include <stddef.h>

#include "rfb/texts/utf8.h"

/* All others are complex, also those that Unicode may get later. Sorted. */
static const struct {
    uint32_t first, last;
} simple[] = {
    {0x0000, 0x02ff},                   /* Latin, phonetic signs */
    {0x0370, 0x0482},                   /* Greek, Cyrillic */
    {0x048a, 0x058f},                   /* Cyrillic, Armenian */
    {0x10a0, 0x10ff},                   /* Georgian */
    {0x1200, 0x135c},                   /* Ethiopic */
    {0x1360, 0x137c}, {0x13a0, 0x16f8}, /* Cherokee, Canadian syllabics, runes */
    {0x1c80, 0x1cbf},                   /* more Cyrillic and Georgian */
    {0x1d00, 0x1dbf},                   /* more phonetic signs */
    {0x1e00, 0x200b},                   /* more Latin and Greek, blanks */
    {0x2010, 0x2027},                   /* punctuation */
    {0x202f, 0x205f}, {0x2070, 0x20cf}, /* small digits, currencies */
    {0x2100, 0x2dff},                   /* signs, arrows, mathematics, boxes, Braille */
    {0x2e00, 0x3029},                   /* radicals and punctuation of Chinese */
    {0x3030, 0x3098},                   /* Japanese */
    {0x309b, 0xa4c6},                   /* Japanese, Korean, Chinese, Yi */
    {0xa640, 0xa66e},                   /* more Cyrillic */
    {0xa700, 0xa7ff},                   /* more Latin */
    {0xab30, 0xabbf}, {0xac00, 0xd7a3}, /* Korean syllables */
    {0xf900, 0xfb17},                   /* Chinese, and ligatures of Latin and Armenian */
    {0xfe10, 0xfe1f},                   /* forms of punctuation */
    {0xfe30, 0xfe6f}, {0xff01, 0xffef}, /* wide and narrow forms */
    {0xfffd, 0xfffd},                   /* what stands for a character that cannot be shown */
};

static bool is_simple(uint32_t c)
{
    size_t low = 0, high = sizeof simple / sizeof *simple;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (c < simple[middle].first)
            high = middle;
        else if (c > simple[middle].last)
            low = middle + 1;
        else
            return true;
    }
    return false;
}

bool script_is_complex(const char *text)
{
    while (text && *text) {
        uint32_t c;
        int length = utf8_decode(text, &c);

        if (length > 0 && !is_simple(c))
            return true;
        text += length > 0 ? length : 1;
    }
    return false;
}
