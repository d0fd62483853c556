// What Open H.264 may take: pictures, and what libavcodec notes of streams.
#include "tests/h264_stream.hpp"

#include <malloc.h>

#include "rfb/film/access_unit.h"
#include "rfb/film/h264_contexts.h"

using namespace h264;

namespace
{

const uint8_t *bytes_of(const std::string &s)
{
    return reinterpret_cast<const uint8_t *>(s.data());
}

// A NAL unit, behind its start code.
std::string unit(std::vector<int> bytes)
{
    std::string all("\0\0\1", 3);
    for (int b : bytes)
        all += char(b);
    return all;
}

std::string repeated(const std::string &what, int times)
{
    std::string all;
    for (int i = 0; i < times; i++)
        all += what;
    return all;
}

// A picture parameter set that holds for sequence parameter set 0.
std::string parameter_set(unsigned number)
{
    std::vector<int> bytes = {0x68};
    int bits = 0, byte = 0;
    auto bit = [&](unsigned b) {
        byte = byte << 1 | int(b);
        if (++bits % 8 == 0) {
            bytes.push_back(byte);
            byte = 0;
        }
    };
    auto ue = [&](unsigned value) {
        int length = 0;
        while ((value + 1) >> (length + 1))
            length++;
        for (int i = 0; i < length; i++)
            bit(0);
        for (int i = length; i >= 0; i--)
            bit((value + 1) >> i & 1);
    };
    ue(number);
    ue(0);                    // the sequence parameter set
    for (unsigned b : {0, 0}) // CAVLC, no order of fields
        bit(b);
    for (unsigned n : {0, 0, 0}) // slice groups - 1, references - 1
        ue(n);
    for (unsigned b : {0, 0, 0}) // no weights
        bit(b);
    for (unsigned n : {0, 0, 0}) // quantisers
        ue(n);
    for (unsigned b : {0, 0, 0, 1}) // no filter's numbers, and so on; the end
        bit(b);
    while (bits % 8 != 0)
        bit(0);
    return unit(bytes);
}

// malloc()'s own count; 0 with a sanitizer, which has another malloc().
int64_t heap()
{
    const struct mallinfo2 m = mallinfo2();
    return int64_t(m.uordblks + m.hblkhd);
}

} // namespace

TEST_CASE("h264: pictures that others stand on take what is counted for them, and no more")
{
    film_decoder_load();
    for (int csp : {X264_CSP_I420, X264_CSP_I422, X264_CSP_I444})
        for (int refs : {1, 16}) {
            const auto streams = grey(1024, 768, csp, 8, refs, 24);
            struct film_memory memory = {INT64_MAX, 0};
            const int64_t before = heap();
            film_decoder *d = film_decoder_create_foreign(1 << 20, &memory);
            film_view view;
            int64_t most = 0;
            for (const std::string &s : streams) {
                CHECK(film_decode_foreign(d, reinterpret_cast<const uint8_t *>(s.data()), s.size(),
                                          &view));
                most = std::max(most, heap() - before);
            }
            INFO(csp << ", " << refs << " references: " << most << " bytes, counted "
                     << memory.used);
            CHECK(most <= memory.used + H264_CONTEXT_BYTES);
            const int64_t used = memory.used;
            film_decoder_destroy(d);
            CHECK(memory.used == 0);

            memory.most = used / 2;
            d = film_decoder_create_foreign(1 << 20, &memory);
            int refused = 0;
            for (const std::string &s : streams) {
                film_decode_foreign(d, reinterpret_cast<const uint8_t *>(s.data()), s.size(),
                                    &view);
                refused += film_decoder_refusal(d) == FILM_TOO_MUCH;
                CHECK(memory.used <= memory.most);
            }
            CHECK(refused > 0);
            film_decoder_destroy(d);
            CHECK(memory.used == 0);
        }
}

TEST_CASE("h264: contexts give way where the pictures of all of them need too much")
{
    film_decoder_load();
    h264_contexts *c = h264_contexts_create();
    film_view view;
    // each needs 16 + 1 or more pictures of 2 MB
    const auto streams = grey(1024, 1024, X264_CSP_I420, 8, 16, 20);
    auto feed = [&](int x, size_t n) {
        return h264_contexts_decode(c, {x, 0, 1024, 1024},
                                    reinterpret_cast<const uint8_t *>(streams[n].data()),
                                    streams[n].size(), &view);
    };
    int broken = 0;
    for (int x = 0; x < 8; x++)
        for (size_t n = 0; n < streams.size(); n++)
            if (feed(x, n) != H264_SHOWN)
                broken++;
    CHECK(broken > 0);
    CHECK(h264_contexts_count(c) < 8);
    for (size_t n = 0; n < streams.size(); n++) // it gets its memory
        feed(9, n);
    for (size_t n = 0; n < streams.size(); n++)
        CHECK(feed(9, n) == H264_SHOWN);
    h264_contexts_destroy(c);
}

TEST_CASE("h264: contexts that never fit together are given up")
{
    film_decoder_load();
    h264_contexts *c = h264_contexts_create();
    film_view view;
    // each needs 16 + 1 pictures of 7 MB
    const auto streams = grey(2304, 1280, X264_CSP_I420, 8, 16, 20);
    bool shown = false, given_up = false;
    for (int turn = 0; turn < 3 * H264_TURNS && !given_up; turn++)
        for (const std::string &s : streams) {
            auto result =
                h264_contexts_decode(c, {turn % 2, 0, 2304, 1280}, bytes_of(s), s.size(), &view);
            shown = shown || (turn == H264_TURNS / 2 && result == H264_SHOWN);
            given_up = given_up || result == H264_TOO_MUCH;
        }
    CHECK(shown); // not at once
    CHECK(given_up);
    h264_contexts_destroy(c);
}

TEST_CASE("h264: what libavcodec notes of a stream is counted, and bounded")
{
    film_decoder_load();
    std::string stream = Coder(64, 48).code(picture(0, 64, 48));
    int64_t at_least = 0;
    SECTION("parameter sets")
    {
        for (unsigned i = 0; i < ACCESS_UNIT_SETS; i++)
            stream += parameter_set(i);
        at_least = ACCESS_UNIT_SETS * 170000;
    }
    SECTION("units")
    {
        stream += repeated(unit({0x0c, 0xff, 0x80}), 5000);
        at_least = 5000 * 4096;
    }
    SECTION("places of bytes that are left out")
    {
        for (int i = 0; i < 20; i++)
            stream += unit({0x0c}) + repeated(std::string("\0\0\3", 3), 100000) + '\x80';
        at_least = 20 * 100000 * 4;
    }
    struct film_memory memory = {INT64_MAX, 0};
    film_view view;
    for (bool enough : {true, false}) {
        const int64_t before = heap();
        film_decoder *d = film_decoder_create_foreign(1 << 20, &memory);
        CHECK(film_decode_foreign(d, bytes_of(stream), stream.size(), &view) == enough);
        CHECK((film_decoder_refusal(d) == FILM_TOO_MUCH) == !enough);
        CHECK(heap() - before <= memory.used + H264_CONTEXT_BYTES);
        CHECK((memory.used >= at_least) == enough);
        film_decoder_destroy(d);
        CHECK(memory.used == 0);
        memory.most = at_least;
    }
}

TEST_CASE("h264: a message of too many units is one that cannot be shown")
{
    film_decoder_load();
    h264_contexts *c = h264_contexts_create();
    film_view view;
    const std::string units = repeated(unit({0x0c}), 100000);
    const std::string whole = Coder(64, 48).code(picture(0, 64, 48));
    const rect area = {0, 0, 64, 48};
    for (const std::string &s : {units, units + whole})
        CHECK(h264_contexts_decode(c, area, bytes_of(s), s.size(), &view) == H264_TOO_MUCH);
    CHECK(h264_contexts_decode(c, area, bytes_of(whole), whole.size(), &view) == H264_SHOWN);
    h264_contexts_destroy(c);
}

TEST_CASE("h264: a decoder gets no SEI, and knows what it has to note")
{
    const std::string kept[] = {unit({0x67, 1, 2}), parameter_set(0), parameter_set(255),
                                parameter_set(256), unit({0x65, 0, 0, 3, 0, 0, 3, 1})};
    const std::string sei = unit({0x06, 5, 1, 0, 0x80});
    std::string all = "noise", without;
    for (const std::string &u : kept) {
        all += sei + u;
        without += u;
    }
    std::string copy(all.size(), 'x');
    access_unit_notes notes;
    access_unit_copy(reinterpret_cast<uint8_t *>(&copy[0]), bytes_of(all), all.size(), &notes);
    CHECK(copy.substr(0, notes.bytes) == without);
    CHECK(notes.units == 5);
    CHECK(notes.escapes == 2);
    CHECK(notes.sets == 256);
    access_unit_copy(reinterpret_cast<uint8_t *>(&copy[0]), bytes_of(sei), sei.size(), &notes);
    CHECK(notes.bytes == 0);
    CHECK(notes.units == 0);
}
