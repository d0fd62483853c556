/* A film that a far end sends, as fuzzer input: two bytes for the size of the picture, then parts
 * of frames of all of it, each behind two bytes for its size. A frame draws or is refused, and the
 * next key frame draws again.
 *
 * Link with libFuzzer (clang -fsanitize=fuzzer), or with replay.cpp. */
#include <algorithm>
#include <memory>
#include <vector>

#include "must.hpp"
#include "rfb/film/decoder.h"
#include "rfb/session/pictures/picture_film.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    film_decoder_load();
    int w = 1 + data[0], h = 1 + data[1] % 128;
    std::vector<uint32_t> picture(size_t(w) * size_t(h));
    std::unique_ptr<picture_film, void (*)(picture_film *)> film(picture_film_create(),
                                                                 picture_film_destroy);
    std::unique_ptr<newest, void (*)(newest *)> cells(newest_create(), newest_destroy);
    must(film && cells && newest_begin(cells.get(), w, h, 1), "there is memory");
    const picture_film_target to = {cells.get(), picture.data(), w, h, 1};
    uint32_t number = 0;
    for (size_t at = 2; size - at > 2;) {
        size_t part = std::min(size_t(data[at] << 8 | data[at + 1]), size - at - 2);
        std::vector<uint8_t> payload(data + at + 2, data + at + 2 + part); /* ASan sees its end */
        block b = {};
        picture_film_drawn drawn;
        reason why = {};
        b.codec = BLOCK_FILM;
        b.generation = 1;
        b.sequence = ++number;
        b.area = {0, 0, w, h};
        b.payload = payload.data();
        b.size = payload.size();
        if (!picture_film_take(film.get(), &to, &b, &drawn, &why)) {
            must(why.text[0], "there is a reason");
            return 0;
        }
        must(drawn.region.count == 0 || drawn.frames > 0, "what was drawn was decoded");
        at += 2 + part;
    }
    return 0;
}
