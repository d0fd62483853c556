#include "rfb/texts/fingerprint.h"

#include <stdio.h>
#include <string.h>

void fingerprint_text(const uint8_t fingerprint[FINGERPRINT_BYTES], char out[FINGERPRINT_TEXT])
{
    for (int i = 0; i < FINGERPRINT_BYTES; i++)
        snprintf(out + 3 * i, FINGERPRINT_TEXT - 3 * (size_t)i, "%02X%s", fingerprint[i],
                 i + 1 < FINGERPRINT_BYTES ? ":" : "");
}

static void fingerprint_in_rows(const uint8_t fingerprint[FINGERPRINT_BYTES], int row,
                                char out[FINGERPRINT_TEXT])
{
    fingerprint_text(fingerprint, out);
    for (int i = row; i < FINGERPRINT_BYTES; i += row)
        out[3 * i - 1] = '\n';
}

void fingerprint_rows(const uint8_t fingerprint[FINGERPRINT_BYTES], char out[FINGERPRINT_TEXT])
{
    fingerprint_in_rows(fingerprint, FINGERPRINT_ROW, out);
}

void fingerprint_halves(const uint8_t fingerprint[FINGERPRINT_BYTES], char out[FINGERPRINT_TEXT])
{
    fingerprint_in_rows(fingerprint, FINGERPRINT_BYTES / 2, out);
}

void fingerprint_brief(const uint8_t sha1[FINGERPRINT_ROW], char out[FINGERPRINT_BRIEF])
{
    for (int i = 0; i < FINGERPRINT_ROW; i++)
        snprintf(out + 3 * i, FINGERPRINT_BRIEF - 3 * (size_t)i, "%02x%s", sha1[i],
                 i + 1 < FINGERPRINT_ROW ? "-" : "");
}

/* -1: it is no hexadecimal digit. */
static int fingerprint_digit(char c)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    const char *at = c ? strchr(digits, c) : NULL;
    int value = at ? (int)(at - digits) : -1;

    return value > 15 ? value - 6 : value;
}

bool fingerprint_parse(const char *text, uint8_t out[FINGERPRINT_BYTES])
{
    for (int i = 0; i < FINGERPRINT_BYTES; i++) {
        int high, low;

        if (i > 0 && *text == ':')
            text++;
        high = fingerprint_digit(text[0]);
        low = high < 0 ? -1 : fingerprint_digit(text[1]);
        if (low < 0)
            return false;
        out[i] = (uint8_t)(high << 4 | low);
        text += 2;
    }
    return *text == '\0';
}
