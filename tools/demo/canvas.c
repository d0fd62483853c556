#include "tools/demo/canvas.h"

#include <math.h>
#include <stdbool.h>

#include "tools/demo/font.h"

void canvas_fill(struct canvas *c, struct rect r, uint32_t colour)
{
    r = rect_intersect(r, (struct rect){0, 0, c->width, c->height});
    for (int y = r.y; y < r.y + r.h; y++) {
        for (int x = r.x; x < r.x + r.w; x++) {
            c->pixels[(long)y * c->width + x] = colour;
        }
    }
}

void canvas_text(struct canvas *c, int x, int y, int right, const char *line, uint32_t colour)
{
    for (; *line && x + FONT_CELL_W <= right; line++, x += FONT_CELL_W) {
        font_draw(c->pixels, c->width, x, y, (unsigned char)*line, colour);
    }
}

void canvas_test_card(struct canvas *c, struct rect r)
{
    static const uint32_t bars[] = {0xffffff, 0xf0e000, 0x00d0d0, 0x00c000,
                                    0xd000d0, 0xd00000, 0x0000d0, 0x000000};
    int third = r.h / 3;
    for (int i = 0; i < 8; i++) {
        int x1 = r.x + r.w * i / 8, x2 = r.x + r.w * (i + 1) / 8;
        canvas_fill(c, (struct rect){x1, r.y, x2 - x1, third}, bars[i]);
    }
    for (int x = 0; x < r.w; x++) {
        uint32_t grey = (uint32_t)(255 * x / (r.w - 1));
        canvas_fill(c, (struct rect){r.x + x, r.y + third, 1, r.h / 6}, grey * 0x010101);
    }
    /* Lines of one, two and four pixels and a fine chequer: what a lossy picture blurs first. */
    int top = r.y + third + r.h / 6, bottom = r.y + r.h;
    for (int y = top; y < bottom; y++) {
        for (int x = 0; x < r.w; x++) {
            int part = x * 4 / r.w;
            bool on = part < 3 ? (x >> part) & 1 : (x / 2 + y / 2) & 1;
            c->pixels[(long)y * c->width + r.x + x] = on ? 0xffffff : 0;
        }
    }
    double radius = (r.w < r.h ? r.w : r.h) * 0.45;
    for (int i = 0; i < 4000; i++) {
        double a = i * 2 * 3.14159265358979 / 4000;
        canvas_fill(c,
                    (struct rect){r.x + r.w / 2 + (int)(radius * cos(a)) - 1,
                                  r.y + r.h / 2 + (int)(radius * sin(a)) - 1, 3, 3},
                    0xff8000);
    }
    static const char label[] = "TEST CARD - STILL";
    int w = (int)(sizeof label - 1) * FONT_CELL_W;
    w = w < r.w ? w : r.w / FONT_CELL_W * FONT_CELL_W;
    struct rect box = {r.x + (r.w - w) / 2, bottom - FONT_CELL_H - 8, w, FONT_CELL_H};
    canvas_fill(c, box, 0);
    canvas_text(c, box.x, box.y, box.x + box.w, label, 0xffffff);
}
