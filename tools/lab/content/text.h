/* Text and words for the lab's scenes: the demo's font at the sizes of a terminal, of a page's body
 * and of its headings, and prose made of common words. The same seed gives the same words. */
#ifndef VNCHL_LAB_TEXT_H
#define VNCHL_LAB_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "tools/demo/canvas.h"

struct face {
    int width, height; /* of a capital letter, pixels */
    int advance;       /* from one character to the next; 0: proportional */
    int line;          /* from one line to the next */
};

extern const struct face face_terminal; /* 6 x 13 cells */
extern const struct face face_body;     /* proportional, 12 point at 75 dpi */
extern const struct face face_heading;
extern const struct face face_title;

/* The width of a character with the gap behind it. */
int text_advance(const struct face *f, char c);
int text_width(const struct face *f, const char *text, size_t length);

/* Draws one line with the top of its capitals at y; whole characters only, up to `right`. Returns
 * where it ended. */
int text_draw(struct canvas *c, const struct face *f, int x, int y, int right, const char *text,
              size_t length, uint32_t colour);

/* A well mixed function of its arguments. */
uint32_t text_hash(uint32_t seed, uint32_t number);

/* Word `number` of the prose of `seed`, with the blank or the full stop after it: at most
 * TEXT_WORD_MAX characters. Returns its length. */
#define TEXT_WORD_MAX 16
size_t text_word(uint32_t seed, uint32_t number, char *out);

#endif
