/* Blocks that a far end sends, as fuzzer input: two bytes for the size of the picture, then blocks,
 * each behind the other. The viewer has an old picture of this size, where that is even. They are
 * drawn where they are newer than what is there. A block draws into its rectangle only, and into
 * the picture.
 *
 * Link with libFuzzer (clang -fsanitize=fuzzer), or with replay.cpp. */
#include <algorithm>
#include <vector>

#include "must.hpp"
#include "rfb/blocks/block.h"
#include "rfb/blocks/block_newest.h"
#include "rfb/blocks/block_reader.h"
#include "rfb/blocks/resolver.h"
#include "rfb/proto/blocks.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace
{

const int BLOCKS_MAX = 16; /* of an input */

struct Viewer {
    int width, height;
    std::vector<uint32_t> picture, before, old;
    block_reader *reader = block_reader_create();
    newest *cells = newest_create();
    resolver *references = resolver_create(KEPT_MIB_USUAL);

    Viewer(int w, int h)
        : width(w), height(h), picture(size_t(w) * size_t(h)), old(picture.size(), 0x123456)
    {
        must(reader && cells && references && newest_begin(cells, w, h, 0), "there is memory");
        block_reader_use_old(reader, w % 2 ? nullptr : old.data(), w, h);
    }
    Viewer(const Viewer &) = delete;
    ~Viewer()
    {
        block_reader_destroy(reader);
        newest_destroy(cells);
        resolver_destroy(references);
    }
    void check_outside(rect area) const
    {
        for (int y = 0; y < height; y++) {
            size_t row = size_t(y) * size_t(width);
            bool meets = y >= area.y && y < area.y + area.h;
            int from = meets ? std::min(area.x, width) : width;
            int to = meets ? std::min(area.x + area.w, width) : width;
            must(std::equal(&before[row], &before[row] + from, &picture[row]) &&
                     std::equal(before.data() + row + to, before.data() + row + width,
                                picture.data() + row + to),
                 "a block draws into its rectangle");
        }
    }
    /* What is refused, or broken, draws nothing but where a copy of tiles was broken off. */
    void draw_reference(const block &b)
    {
        reason why = {};
        enum newest_cells drawn, asked = newest_ask(cells, &b);
        before = picture;
        bool good = resolver_draw(references, cells, reader, &b, picture.data(), width, height,
                                  &drawn, &why);
        must(good || why.text[0], "there is a reason");
        must(good || drawn == NEWEST_NONE, "what is broken is not drawn");
        must(drawn < NEWEST_SOME || asked != NEWEST_NONE, "only what is newer is drawn");
        must(drawn != NEWEST_GONE || picture == before, "what is refused draws nothing");
        check_outside(b.area);
    }
    void draw(const block &b)
    {
        if (block_is_reference(&b)) {
            draw_reference(b);
            return;
        }
        reason why = {};
        enum newest_cells drawn, asked = newest_ask(cells, &b);
        before = picture;
        bool good = newest_draw(cells, reader, &b, picture.data(), &drawn, &why);
        must(good || why.text[0], "there is a reason");
        must(drawn == (good ? asked : NEWEST_NONE), "what is newer is drawn");
        must(drawn < NEWEST_SOME || newest_ask(cells, &b) == NEWEST_NONE,
             "what was drawn is remembered");
        check_outside(b.area);
        before = picture; /* the same where cells are cut, and where it is late */
        why = {};
        good = block_read(reader, &b, picture.data(), width, height, &why);
        must(good || why.text[0], "there is a reason");
        check_outside(b.area);
    }
};

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    Viewer viewer(1 + data[0], 1 + data[1] % 128);
    size_t at = 2;
    for (int i = 0; i < BLOCKS_MAX && size - at >= BLOCK_HEAD; i++) {
        block b, same;
        reason why = {};
        if (!block_unpack_head(&b, data + at, &why)) {
            must(why.text[0], "there is a reason");
            return 0;
        }
        must(b.size <= BLOCK_PAYLOAD_MAX, "a payload has a limit");
        size_t whole = std::min(BLOCK_HEAD + b.size, size - at);
        std::vector<uint8_t> wire(data + at, data + at + whole); /* ASan sees a look behind it */
        if (!block_unpack(&b, wire.data(), wire.size(), &why))
            return 0;
        uint8_t again[BLOCK_MAX];
        must(block_pack(&b, again) == whole && std::equal(wire.begin(), wire.end(), again) &&
                 block_unpack(&same, again, whole, &why),
             "what was read is written the same");
        viewer.draw(b);
        at += whole;
    }
    return 0;
}
