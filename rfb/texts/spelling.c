#include "rfb/texts/spelling.h"

#include <stdint.h>
#include <string.h>

static size_t spelling_least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t spelling_distance(const char *a, const char *b)
{
    size_t d[SPELLING_MAX][SPELLING_MAX];
    size_t rows = strlen(a), columns = strlen(b);

    if (rows >= SPELLING_MAX || columns >= SPELLING_MAX)
        return SIZE_MAX;
    for (size_t i = 0; i <= rows; i++)
        for (size_t j = 0; j <= columns; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            d[i][j] = spelling_least(d[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
                                     spelling_least(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = spelling_least(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[rows][columns];
}

size_t spelling_near(const char *word)
{
    return strlen(word) / 3 + 1;
}
