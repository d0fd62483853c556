#include "tools/lab/content/text.h"

#include <stdbool.h>
#include <string.h>

#include "tools/demo/canvas.h"

const struct face face_terminal = {5, 9, 6, 13};
const struct face face_body = {5, 9, 0, 15};
const struct face face_heading = {10, 14, 0, 24};
const struct face face_title = {15, 21, 0, 34};

#define FONT_COLUMNS   5
#define FONT_ROWS      7
#define SENTENCE_WORDS 9

/* The first and the last column that a character uses. */
static void text_extent(char c, int *first, int *last)
{
    const uint8_t *rows = font_rows((unsigned char)c, NULL);
    int used = 0;

    for (int i = 0; i < FONT_ROWS; i++)
        used |= rows[i];
    *first = 0;
    *last = FONT_COLUMNS - 3; /* a blank */
    if (used) {
        while (!(used >> (FONT_COLUMNS - 1 - *first) & 1))
            ++*first;
        *last = FONT_COLUMNS - 1;
        while (!(used >> (FONT_COLUMNS - 1 - *last) & 1))
            --*last;
    }
}

/* Where column `column` of the font begins in a character of this face. */
static int text_scaled(int size, int part, int parts)
{
    return (size * part + parts / 2) / parts;
}

int text_advance(const struct face *f, char c)
{
    int first, last;

    if (f->advance)
        return f->advance;
    text_extent(c, &first, &last);
    return text_scaled(f->width, last + 1, FONT_COLUMNS) -
           text_scaled(f->width, first, FONT_COLUMNS) + (f->width + 4) / 5;
}

int text_width(const struct face *f, const char *text, size_t length)
{
    int width = 0;

    for (size_t i = 0; i < length; i++)
        width += text_advance(f, text[i]);
    return width;
}

static void draw_character(struct canvas *c, const struct face *f, int x, int y, char character,
                           uint32_t colour)
{
    int drop, first = 0, last;
    const uint8_t *rows = font_rows((unsigned char)character, &drop);

    if (!f->advance)
        text_extent(character, &first, &last);
    y += text_scaled(f->height, drop, FONT_ROWS);
    x -= text_scaled(f->width, first, FONT_COLUMNS);
    for (int row = 0; row < FONT_ROWS; row++) {
        int top = text_scaled(f->height, row, FONT_ROWS),
            below = text_scaled(f->height, row + 1, FONT_ROWS);

        for (int column = 0; column < FONT_COLUMNS; column++) {
            int left = text_scaled(f->width, column, FONT_COLUMNS);
            int right = text_scaled(f->width, column + 1, FONT_COLUMNS);

            if (rows[row] >> (FONT_COLUMNS - 1 - column) & 1)
                canvas_fill(c, (struct rect){x + left, y + top, right - left, below - top}, colour);
        }
    }
}

int text_draw(struct canvas *c, const struct face *f, int x, int y, int right, const char *text,
              size_t length, uint32_t colour)
{
    for (size_t i = 0; i < length; i++) {
        int advance = text_advance(f, text[i]);

        if (x + advance > right)
            break;
        draw_character(c, f, x, y, text[i], colour);
        x += advance;
    }
    return x;
}

uint32_t text_hash(uint32_t seed, uint32_t number)
{
    uint32_t x = seed * 0x9e3779b9u + number + 1;

    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

static const char *const words[] = {
    "a",        "about",   "after",   "again",  "air",     "all",     "along",   "and",
    "answer",   "any",     "area",    "as",     "at",      "because", "before",  "between",
    "boat",     "both",    "bridge",  "by",     "careful", "change",  "city",    "clear",
    "coast",    "cold",    "come",    "common", "day",     "deep",    "down",    "each",
    "early",    "east",    "evening", "every",  "far",     "few",     "field",   "first",
    "fish",     "for",     "found",   "from",   "garden",  "general", "glass",   "great",
    "green",    "ground",  "had",     "half",   "harbour", "has",     "heavy",   "high",
    "hill",     "house",   "in",      "into",   "island",  "it",      "journey", "kept",
    "large",    "late",    "less",    "letter", "light",   "line",    "little",  "long",
    "made",     "many",    "market",  "mile",   "moment",  "more",    "morning", "most",
    "mountain", "narrow",  "near",    "new",    "next",    "night",   "north",   "not",
    "of",       "often",   "old",     "on",     "one",     "open",    "other",   "our",
    "over",     "paper",   "part",    "people", "place",   "plain",   "quick",   "quiet",
    "rain",     "reached", "rest",    "river",  "road",    "round",   "said",    "sea",
    "second",   "seemed",  "several", "ship",   "short",   "side",    "silver",  "sky",
    "small",    "so",      "some",    "south",  "square",  "station", "stood",   "storm",
    "street",   "such",    "that",    "the",    "their",   "then",    "there",   "this",
    "three",    "through", "time",    "to",     "town",    "train",   "tree",    "two",
    "under",    "until",   "up",      "valley", "very",    "voyage",  "wait",    "was",
    "water",    "way",     "weather", "were",   "west",    "when",    "which",   "white",
    "wide",     "wind",    "window",  "winter", "with",    "wood",    "world",   "year",
    "yellow",   "young",
};

size_t text_word(uint32_t seed, uint32_t number, char *out)
{
    const char *word = words[text_hash(seed, number) % (sizeof words / sizeof *words)];
    size_t length = strlen(word);
    bool ends = number % SENTENCE_WORDS == SENTENCE_WORDS - 1;

    memcpy(out, word, length);
    if (number % SENTENCE_WORDS == 0)
        out[0] = (char)(out[0] - 'a' + 'A');
    if (ends)
        out[length++] = '.';
    out[length++] = ' ';
    return length;
}
