// The forms of input that not every server takes: codes of keys, and more than eight buttons.
// Checked against bytes written down by hand from the community specification.
#include "tests/catch.hpp"

#include <memory>
#include <string>
#include <vector>

#include "rfb/proto/client_messages.h"
#include "tests/seed.hpp"

namespace
{

using Bytes = std::vector<uint8_t>;

template <typename Write> Bytes written(Write write)
{
    uint8_t out[CLIENT_WRITE_MAX];
    size_t size = write(out);
    return Bytes(out, out + size);
}

Bytes pointer(int x, int y, unsigned buttons, bool extended)
{
    return written([=](uint8_t *o) { return client_write_pointer(o, x, y, buttons, extended); });
}

struct Reading {
    message_read result;
    client_message m;
    size_t count;
    std::string why;
};

// Reads from memory that ends with the bytes: ASan sees a look behind them.
Reading read(const Bytes &bytes, bool extended)
{
    std::unique_ptr<uint8_t[]> exact(new uint8_t[bytes.size()]);
    reason why{};
    Reading r{};

    std::copy(bytes.begin(), bytes.end(), exact.get());
    r.result = client_message_read(exact.get(), bytes.size(), extended, &r.m, &r.count, &why);
    r.why = why.text;
    return r;
}

} // namespace

TEST_CASE("a pointer with more than seven buttons has the extended form where the server takes it")
{
    CHECK(pointer(0x0102, 0x0304, 0x7f, true) == Bytes{5, 0x7f, 1, 2, 3, 4});
    CHECK(pointer(0x0102, 0x0304, 0x80, true) == Bytes{5, 0x80, 1, 2, 3, 4, 1});  // back
    CHECK(pointer(0x0102, 0x0304, 0x101, true) == Bytes{5, 0x81, 1, 2, 3, 4, 2}); // forward, left
    CHECK(pointer(0x0102, 0x0304, 0x7fff, true) == Bytes{5, 0xff, 1, 2, 3, 4, 0xff});
    // elsewhere the eighth has the mark's place, and there is no ninth
    CHECK(pointer(0x0102, 0x0304, 0x80, false) == Bytes{5, 0x80, 1, 2, 3, 4});
    CHECK(pointer(0x0102, 0x0304, 0x101, false) == Bytes{5, 0x01, 1, 2, 3, 4});
}

TEST_CASE("the extended pointer is read where the client was told that it is taken")
{
    const Bytes whole = {5, 0x81, 1, 2, 3, 4, 2};
    for (size_t size = 1; size < whole.size(); size++) {
        Reading part = read(Bytes(whole.begin(), whole.begin() + long(size)), true);
        INFO(size << " bytes");
        CHECK(part.result == MESSAGE_PARTIAL);
        CHECK(part.count > 0);
        CHECK(size + part.count <= whole.size());
    }
    Reading r = read(whole, true);
    CHECK(r.result == MESSAGE_WHOLE);
    CHECK(r.count == 7);
    CHECK(r.m.buttons == 0x101);
    CHECK(r.m.x == 0x0102);
    CHECK(r.m.y == 0x0304);
    Reading plain = read(whole, false); // the last byte is of the next message
    CHECK(plain.result == MESSAGE_WHOLE);
    CHECK(plain.count == 6);
    CHECK(plain.m.buttons == 0x81);
}

TEST_CASE("pointers of both forms come back as they were written")
{
    std::mt19937 random(any_seed());
    for (int round = 0; round < 2000; round++) {
        bool extended = random() & 1;
        unsigned buttons = unsigned(random()) & (extended ? 0x7fff : 0xff);
        int x = int(random() & 0xffff), y = int(random() & 0xffff);
        Bytes bytes = pointer(x, y, buttons, extended);
        Reading r = read(bytes, extended);
        CHECK(r.result == MESSAGE_WHOLE);
        CHECK(r.count == bytes.size());
        CHECK(r.m.x == x);
        CHECK(r.m.y == y);
        CHECK(r.m.buttons == buttons);
    }
}

TEST_CASE("a key with its code is laid out as QEMU says, and read back")
{
    Bytes right = written([](uint8_t *o) { return client_write_key_code(o, 0xff53, 0xcd, true); });
    CHECK(right == Bytes{255, 0, 0, 1, 0, 0, 0xff, 0x53, 0, 0, 0, 0xcd});
    CHECK(written([](uint8_t *o) { return client_write_key_code(o, 0, 0x3a, false); }) ==
          Bytes{255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x3a});
    Reading r = read(right, false);
    CHECK(r.result == MESSAGE_WHOLE);
    CHECK(r.count == right.size());
    CHECK(r.m.keysym == 0xff53);
    CHECK(r.m.key_code == 0xcd);
    CHECK(r.m.down);
    for (size_t size = 1; size < right.size(); size++) {
        Reading part = read(Bytes(right.begin(), right.begin() + long(size)), false);
        CHECK(part.result == MESSAGE_PARTIAL);
        CHECK(part.count == right.size() - size);
    }
}

TEST_CASE("of QEMU's messages only the extended key event is known")
{
    CHECK(read({255}, false).count == 11);
    CHECK(read({255, 0, 0, 1, 0, 0, 0, 0x61, 0, 0, 0, 0x1e}, false).result == MESSAGE_WHOLE);
    for (uint8_t type : {1, 2, 255}) {
        Reading r = read({255, type, 0, 1, 0, 0, 0, 0x61, 0, 0, 0, 0x1e}, false);
        CHECK(r.result == MESSAGE_REFUSED);
        CHECK(r.why.find("type " + std::to_string(type)) != std::string::npos);
    }
}
