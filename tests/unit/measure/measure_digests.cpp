// What connecting again weighs, by how finely the viewer says what it still has (docs/push.md).
//
//   measure-digests                a desktop of its own, 1920x1080
//   measure-digests BEFORE.ppm AFTER.ppm   two pictures of a desktop, of one size
//
// A line for each side of a tile has, for digests of 4 and of 8 bytes: bytes up, bytes down, and
// both together. Down are the blocks that say what is the same, and all cells of the other tiles,
// exact. The last column has the bytes of both for tiles of 64 pixels with digests of 4 bytes, and
// tiles of that side where those differ: that takes a round trip more. What leaves before the
// digests arrive is not counted.
#include <algorithm>
#include <cstdio>

#include "ppm.hpp"
#include "rfb/decode/framebuffer.h"
#include "rfb/pusher/references/viewer_had.h"
#include "rfb/session/push/old_picture.h"
#include "tests/unit/blocks.hpp"
extern "C" {
#include "tools/lab/content/photo.h"
#include "tools/lab/content/text.h"
}

using namespace blocks_test;

namespace
{

constexpr int W = 1920, H = 1080;
constexpr size_t MESSAGE = 1; // bytes before a block

// A window: a title, and prose or a photograph in it.
void window(Picture &p, rect r, uint32_t seed, bool photo)
{
    canvas c = {p.pixels.data(), p.w, p.h};
    canvas_fill(&c, r, 0xffffff);
    canvas_fill(&c, {r.x, r.y, r.w, 28}, 0x336699);
    if (photo) {
        photo_draw(&c, {r.x, r.y + 28, r.w, r.h - 28}, seed);
        return;
    }
    uint32_t number = 0;
    for (int y = r.y + 36; y + face_body.line < r.y + r.h; y += face_body.line)
        for (int x = r.x + 8; x < r.x + r.w * 9 / 10;) {
            char word[TEXT_WORD_MAX];
            size_t length = text_word(seed, number++, word);
            x = text_draw(&c, &face_body, x, y, r.x + r.w - 8, word, length, 0x000000);
        }
}

// Three windows on a photograph. `moved`: the small one.
Picture desktop(int moved)
{
    Picture p(W, H);
    canvas c = {p.pixels.data(), W, H};
    photo_draw(&c, {0, 0, W, H}, 7);
    window(p, {37, 51, 960, 700}, 1, false);
    window(p, {1030, 90, 800, 600}, 2, true);
    window(p, {410 + moved, 560 + moved, 500, 400}, 3, false);
    return p;
}

Picture with_window(Picture p, bool photo)
{
    window(p, {471, 283, 960, 540}, 9, photo); // a quarter of the picture
    return p;
}

bool differs(const Picture &a, const Picture &b, rect r)
{
    for (int y = r.y; y < r.y + r.h; y++)
        for (int x = r.x; x < r.x + r.w; x++)
            if (a.at(x, y) != b.at(x, y))
                return true;
    return false;
}

// Bytes of all exact cells that are not `same`, row by row.
size_t weigh(const Picture &p, const std::vector<bool> &same)
{
    const int columns = (p.w + BLOCK_CELL - 1) / BLOCK_CELL;
    Writer writer;
    size_t bytes = 0;
    for (int y = 0; y < p.h; y += BLOCK_CELL)
        for (int x = 0; x < p.w;) {
            auto is_same = [&](int at) {
                return same[size_t(y / BLOCK_CELL * columns + at / BLOCK_CELL)];
            };
            if (is_same(x)) {
                x += BLOCK_CELL;
                continue;
            }
            int end = x;
            while (end < p.w && !is_same(end))
                end += BLOCK_CELL;
            const rect strip = {x, y, std::min(end, p.w) - x, std::min(BLOCK_CELL, p.h - y)};
            block b = {};
            if (!block_write_strip(writer.w, p.pixels.data(), p.w, strip, 0, &b))
                return 0;
            bytes += MESSAGE + BLOCK_HEAD + b.size;
            x += b.area.w;
        }
    return bytes;
}

struct Weight {
    size_t up = 0, down = 0;
};

// What the viewer says of `before`, by the session's code.
std::string said(const Picture &before, const old_picture_grain &grain,
                 const accelerator_shown &shown)
{
    old_picture *old = old_picture_create();
    framebuffer *fb = framebuffer_create(-1);
    framebuffer_reader *reader = framebuffer_reader_of(fb);
    bytes_held messages = {};
    framebuffer_resize(fb, before.w, before.h);
    std::copy(before.pixels.begin(), before.pixels.end(), framebuffer_private(fb));
    framebuffer_drawn(fb, {0, 0, before.w, before.h});
    framebuffer_publish(fb);
    old_picture_wanted(old, shown.digest_key);
    old_picture_give(old, reader, &grain);
    std::string bytes;
    if (old_picture_take(old, &messages))
        bytes.assign(reinterpret_cast<const char *>(bytes_first(&messages)), messages.size);
    bytes_deinit(&messages);
    old_picture_destroy(old);
    framebuffer_unmap(reader);
    framebuffer_destroy(fb);
    return bytes;
}

Weight measure(const Picture &before, const Picture &after, const old_picture_grain &grain)
{
    viewer_had had = {};
    accelerator_shown shown = {};
    viewer_had_begin(&had);
    viewer_had_show(&had, &shown);
    const std::string messages = said(before, grain, shown);
    const uint8_t *at = reinterpret_cast<const uint8_t *>(messages.data());
    for (const uint8_t *end = at + messages.size(); at < end; at += BLOCKS_HEAD + blocks_body(at)) {
        blocks_message m;
        if (!blocks_read(at, &m) || !viewer_had_hear(&had, &m.digests))
            fprintf(stderr, "measure-digests: the far end does not take them\n");
    }
    const int columns = (after.w + BLOCK_CELL - 1) / BLOCK_CELL,
              rows = (after.h + BLOCK_CELL - 1) / BLOCK_CELL;
    std::vector<bool> same(size_t(columns * rows));
    Weight weight;
    weight.up = messages.size();
    had_answer answer;
    while (viewer_had_answer(&had, after.pixels.data(), after.w, after.h, &answer)) {
        weight.down += MESSAGE + BLOCK_HEAD;
        weight.down += size_t(answer.ends ? BLOCK_OLD_ENDS_BYTES : BLOCK_OLD_BYTES);
        const rect r = answer.area;
        for (int y = r.y; !answer.ends && y < r.y + r.h; y += BLOCK_CELL)
            for (int x = r.x; x < r.x + r.w; x += BLOCK_CELL)
                same[size_t(y / BLOCK_CELL * columns + x / BLOCK_CELL)] = true;
    }
    viewer_had_deinit(&had);
    weight.down += weigh(after, same);
    return weight;
}

// Digests of this side where tiles of 64 pixels differ, each of 4 bytes.
size_t second_turn(const Picture &before, const Picture &after, int side)
{
    size_t bytes = 0;
    for (uint32_t tile = 0; tile < blocks_tiles(after.w, after.h, 64); tile++) {
        const rect r = tile_at(after.w, after.h, 64, tile);
        if (side < 64 && differs(before, after, r))
            bytes += 4 * blocks_tiles(r.w, r.h, side);
    }
    return bytes;
}

void measure(const char *name, const Picture &before, const Picture &after)
{
    const size_t first = measure(before, after, {64, 4}).up;
    printf("%s; all cells: %zu bytes\n", name,
           weigh(after, std::vector<bool>(size_t((after.w + 15) / 16 * ((after.h + 15) / 16)))));
    for (int side = BLOCKS_SIDE_LEAST; side <= BLOCKS_SIDE_MAX; side *= 2) {
        const Weight four = measure(before, after, {side, 4}),
                     eight = measure(before, after, {side, 8});
        printf("%4d  %6zu + %7zu = %7zu  %6zu + %7zu = %7zu  %7zu\n", side, four.up, four.down,
               four.up + four.down, eight.up, eight.down, eight.up + eight.down,
               side <= 64 ? first + second_turn(before, after, side) + four.down : 0);
    }
}

} // namespace

int main(int argc, char **argv)
{
    Picture before(1, 1), after(1, 1);
    if (argc == 3) {
        if (!read_ppm(argv[1], &before) || !read_ppm(argv[2], &after) || before.w != after.w ||
            before.h != after.h) {
            fprintf(stderr, "measure-digests: these are no two PPM files of one size\n");
            return 1;
        }
        measure("the files", before, after);
        return 0;
    }
    before = desktop(0);
    measure("nothing has changed", before, before);
    measure("a window of text over a quarter", before, with_window(before, false));
    measure("a photograph over a quarter", before, with_window(before, true));
    measure("a window has moved by 24 pixels", before, desktop(24));
    return 0;
}
