// What goes as datagrams between a viewer and its far end: what packets say, what has come, and
// what is repeated.
#include "tests/catch.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "rfb/blocks/block.h"
#include "rfb/datagrams/body.h"
#include "rfb/datagrams/come.h"
#include "rfb/datagrams/said.h"
#include "rfb/datagrams/sealed.h"
#include "rfb/session/push/datagrams.h"
#include "tests/seed.hpp"

namespace
{

using Bytes = std::vector<uint8_t>; // exactly as large as what is in it, so ASan sees each end

Bytes some_bytes(size_t size, unsigned first = 1)
{
    Bytes b(size);
    for (size_t i = 0; i < size; i++)
        b[i] = uint8_t(first + i * 7);
    return b;
}

// ---- bodies ----

Bytes written(const body_down &d)
{
    Bytes out(SEALED_BODY_MAX);
    out.resize(body_write_down(out.data(), &d));
    return Bytes(out);
}

Bytes written(const body_up &u)
{
    Bytes out(SEALED_BODY_MAX);
    out.resize(body_write_up(out.data(), &u));
    return Bytes(out);
}

body_up an_up(const Bytes &said)
{
    body_up u = {};
    u.mark = 0xfffe;
    u.tells = true;
    u.newest = 0xfedcba98;
    u.age_us = 0x89abcdef;
    for (size_t i = 0; i < sizeof u.before; i++)
        u.before[i] = uint8_t(0xff - i);
    for (size_t i = 0; i < sizeof u.made; i++)
        u.made[i] = uint8_t(0x7f - i);
    u.makes = true;
    u.at = 0xff000001;
    u.said = said.data();
    u.size = said.size();
    return u;
}

// ---- what has come ----

// What is told: whether the number so far before the newest has come.
struct Told {
    body_up u = {};
    explicit Told(const come &c, tick_t now = 0)
    {
        come_tell(&c, &u, now);
    }
    bool has(uint32_t back) const
    {
        return u.before[(back - 1) / 8] >> (back - 1) % 8 & 1;
    }
    unsigned count() const
    {
        unsigned all = 0;
        for (uint32_t back = 1; back <= BODY_BEFORE; back++)
            all += has(back);
        return all;
    }
};

come come_of(std::initializer_list<uint32_t> numbers)
{
    come c = {};
    for (uint32_t n : numbers)
        come_note(&c, n, 0);
    return c;
}

// ---- what is repeated ----

void add(said &s, const std::string &text)
{
    said_add(&s, text.data(), text.size());
}

struct Repeated {
    uint32_t at;
    std::string bytes;
    explicit Repeated(const said &s)
    {
        Bytes room(BODY_SAID_MAX);
        body_up u = {};
        said_tell(&s, &u, room.data());
        at = u.at;
        bytes.assign(reinterpret_cast<const char *>(u.said), u.size);
    }
};

} // namespace

TEST_CASE("datagrams: what the far end says is read as it was written")
{
    const Bytes block = some_bytes(GENERATE(size_t{0}, size_t{1}, size_t{PARITY_MAX}));
    const body_down d = {0xfedc, 0x89abcdef, block.data(), block.size(), 0, 0};
    const Bytes all = written(d);
    CHECK(all.size() == BODY_DOWN_HEAD + block.size());
    body_down read = {};
    REQUIRE(body_read_down(all.data(), all.size(), &read));
    CHECK(read.mark == 0xfedc);
    CHECK(read.heard == 0x89abcdef);
    CHECK(Bytes(read.block, read.block + read.size) == block);
}

TEST_CASE("datagrams: what the viewer says is read as it was written")
{
    const Bytes said = some_bytes(GENERATE(size_t{0}, size_t{1}, size_t{BODY_SAID_MAX}));
    body_up u = an_up(said);
    u.tells = GENERATE(true, false);
    u.makes = GENERATE(true, false);
    if (!u.makes)
        memset(u.made, 0, sizeof u.made);
    const Bytes all = written(u);
    CHECK(all.size() == BODY_UP_HEAD + (u.makes ? BODY_UP_MADE : 0) + said.size());
    body_up read = {};
    REQUIRE(body_read_up(all.data(), all.size(), &read));
    CHECK(read.mark == u.mark);
    CHECK(read.tells == u.tells);
    CHECK(read.newest == u.newest);
    CHECK(read.age_us == u.age_us);
    CHECK(memcmp(read.before, u.before, sizeof u.before) == 0);
    CHECK(read.makes == u.makes);
    CHECK(memcmp(read.made, u.made, sizeof u.made) == 0);
    CHECK(read.at == u.at);
    CHECK(Bytes(read.said, read.said + read.size) == said);
}

TEST_CASE("datagrams: a probe is nothing but its size, and what is told of it is read again")
{
    body_down d = {};
    d.mark = 0xfedc;
    d.heard = 7;
    d.probe = GENERATE(size_t{BODY_PROBE_LEAST}, size_t{1300}, size_t{SEALED_BODY_MAX});
    d.search = 0x83;
    const Bytes all = written(d);
    CHECK(all.size() == d.probe);
    CHECK(Bytes(all.begin() + BODY_DOWN_HEAD, all.begin() + BODY_PROBE_LEAST) == Bytes{0x41, 0x83});
    body_down read = {};
    REQUIRE(body_read_down(all.data(), all.size(), &read));
    CHECK(read.mark == d.mark);
    CHECK(read.heard == d.heard);
    CHECK(read.size == 0);
    CHECK(read.probe == d.probe);
    CHECK(read.search == d.search);
    CHECK_FALSE(body_read_down(all.data(), BODY_PROBE_LEAST - 1, &read));

    const Bytes said = {0x51, 0x52};
    body_up u = an_up(said);
    u.makes = GENERATE(true, false);
    u.largest = 1452;
    u.search = 0x83;
    const Bytes up = written(u);
    const size_t head = BODY_UP_HEAD + (u.makes ? BODY_UP_MADE : 0) + BODY_UP_PROBED;
    CHECK(up.size() == head + 2);
    CHECK(up[2] == (u.makes ? 11 : 9));
    CHECK(Bytes(up.end() - 9, up.end() - 6) == Bytes{0x83, 0x05, 0xac});
    body_up heard = {};
    REQUIRE(body_read_up(up.data(), up.size(), &heard));
    CHECK(heard.largest == 1452);
    CHECK(heard.search == 0x83);
    CHECK(heard.at == u.at);
    CHECK(Bytes(heard.said, heard.said + heard.size) == said);
    CHECK_FALSE(body_read_up(up.data(), head - 1, &heard));
    CHECK(body_read_up(up.data(), head, &heard));
}

TEST_CASE("datagrams: the bytes of both bodies are these, in this order")
{
    const Bytes block = {0xb1, 0xb2}, said = {0x51};
    const body_down d = {0x0102, 0x03040506, block.data(), block.size(), 0, 0};
    CHECK(written(d) == Bytes{1, 2, 3, 4, 5, 6, 0xb1, 0xb2});
    body_up u = an_up(said);
    const Bytes up = written(u);
    CHECK(Bytes(up.begin(), up.begin() + 13) ==
          Bytes{0xff, 0xfe, 3, 0xfe, 0xdc, 0xba, 0x98, 0x89, 0xab, 0xcd, 0xef, 0xff, 0xfe});
    CHECK(Bytes(up.end() - 7 - BODY_UP_MADE, up.end() - 4 - BODY_UP_MADE) ==
          Bytes{0xe1, 0xe0, 0x7f});
    CHECK(Bytes(up.end() - 6, up.end()) == Bytes{0x60, 0xff, 0, 0, 1, 0x51});
    u.makes = false;
    const Bytes less = written(u);
    CHECK(less[2] == 1);
    CHECK(Bytes(less.end() - 6, less.end()) == Bytes{0xe0, 0xff, 0, 0, 1, 0x51});
}

TEST_CASE("datagrams: a body that is cut off in its head is refused, behind it only shorter")
{
    const Bytes block = some_bytes(9), said = some_bytes(9);
    const Bytes down = written(body_down{1, 2, block.data(), block.size(), 0, 0});
    const Bytes up = written(an_up(said));
    for (size_t size = 0; size <= down.size(); size++) {
        const Bytes cut(down.begin(), down.begin() + ptrdiff_t(size));
        body_down d = {};
        INFO(size);
        CHECK(body_read_down(cut.data(), cut.size(), &d) == (size >= BODY_DOWN_HEAD));
        CHECK(d.size == (size >= BODY_DOWN_HEAD ? size - BODY_DOWN_HEAD : 0));
    }
    for (size_t size = 0; size <= up.size(); size++) {
        const Bytes cut(up.begin(), up.begin() + ptrdiff_t(size));
        body_up u = {};
        INFO(size);
        const size_t head = BODY_UP_HEAD + BODY_UP_MADE;
        CHECK(body_read_up(cut.data(), cut.size(), &u) == (size >= head));
        CHECK(u.size == (size >= head ? size - head : 0));
    }
}

TEST_CASE("datagrams: no viewer has more flags than the four")
{
    body_up all = an_up({});
    all.largest = 1;
    Bytes up = written(all);
    for (unsigned byte = 0; byte < 256; byte++) {
        body_up u = {};
        up[2] = uint8_t(byte);
        INFO(byte);
        CHECK(body_read_up(up.data(), up.size(), &u) == (byte < 16));
        CHECK(u.tells == (byte < 16 && (byte & 1)));
        CHECK(u.makes == (byte < 16 && (byte & 2)));
        CHECK(u.asks == (byte < 16 && (byte & 4)));
    }
}

TEST_CASE("datagrams: nothing is told before a block has come")
{
    const come c = {};
    CHECK_FALSE(Told(c, TICK_S).u.tells);
}

TEST_CASE("datagrams: blocks in order, with gaps, in another order, and twice")
{
    Told first(come_of({7}));
    CHECK(first.u.tells);
    CHECK(first.u.newest == 7);
    CHECK(first.count() == 0);

    Told order(come_of({7, 8, 9}));
    CHECK(order.u.newest == 9);
    CHECK((order.has(1) && order.has(2)));
    CHECK(order.count() == 2);

    Told gaps(come_of({7, 9, 14}));
    CHECK(gaps.u.newest == 14);
    CHECK((gaps.has(5) && gaps.has(7)));
    CHECK(gaps.count() == 2);

    Told mixed(come_of({14, 7, 9}));
    CHECK(mixed.u.newest == 14);
    CHECK((mixed.has(5) && mixed.has(7)));
    CHECK(mixed.count() == 2);

    Told twice(come_of({7, 9, 9, 7, 14, 9, 14, 7}));
    CHECK(memcmp(twice.u.before, mixed.u.before, sizeof mixed.u.before) == 0);
    CHECK(twice.u.newest == 14);
}

TEST_CASE("datagrams: 256 before the newest are told of, and no older one changes anything")
{
    Told edge(come_of({0, BODY_BEFORE}));
    CHECK(edge.u.newest == BODY_BEFORE);
    CHECK(edge.has(BODY_BEFORE));
    CHECK(edge.count() == 1);

    CHECK(Told(come_of({0, BODY_BEFORE + 1})).count() == 0); // it went out of sight

    Told back(come_of({1000, 1000 - BODY_BEFORE, 1000 - BODY_BEFORE - 1, 5, 0}));
    CHECK(back.u.newest == 1000);
    CHECK(back.has(BODY_BEFORE));
    CHECK(back.count() == 1);

    Told jump(come_of({1, 2, 3, 3u + 0x7fffffffu}));
    CHECK(jump.u.newest == 3u + 0x7fffffffu);
    CHECK(jump.count() == 0);

    Told older(come_of({1, 2, 2u + 0x80000001u})); // that is older, by 2^31 - 1
    CHECK(older.u.newest == 2);
    CHECK(older.count() == 1);
}

TEST_CASE("datagrams: numbers of blocks wrap around")
{
    Told t(come_of({0xfffffffe, 1, 0xffffffff, 3}));
    CHECK(t.u.newest == 3);
    CHECK((t.has(2) && t.has(4) && t.has(5)));
    CHECK(t.count() == 3);
}

TEST_CASE("datagrams: what is told of blocks is what has come, whatever the order")
{
    std::mt19937 random(any_seed());
    for (int round = 0; round < 200; round++) {
        const uint32_t base = uint32_t(random());
        std::vector<bool> has(4000);
        uint32_t newest = 0;
        come c = {};
        for (int i = 0; i < 300; i++) {
            uint32_t n = newest + random() % (random() % 10 ? 20 : 400);
            n -= std::min(n, uint32_t(random() % 2 ? 0 : random() % 300));
            if (n >= has.size())
                break;
            has[n] = true;
            newest = i ? std::max(newest, n) : n;
            come_note(&c, base + n, 0);
            const Told t(c);
            bool same = t.u.newest == base + newest;
            // what came before the first one was seen counts, too, but for what is out of sight
            for (uint32_t back = 1; back <= BODY_BEFORE; back++)
                same = same && t.has(back) == (back <= newest && has[newest - back]);
            REQUIRE(same);
        }
    }
}

TEST_CASE("datagrams: what was made is told beside what has come, and moves on with it")
{
    come c = {};
    come_made(&c, 5); // nothing has come
    come_note(&c, 10, 0);
    CHECK_FALSE(Told(c).u.makes);
    for (uint32_t number : {10u, 11u, 9u - BODY_BEFORE}) // not before it, or out of sight
        come_made(&c, number);
    CHECK_FALSE(Told(c).u.makes);
    come_made(&c, 9);
    come_made(&c, 3);
    auto made = [&] {
        std::vector<uint32_t> all;
        const Told t(c);
        for (uint32_t back = 1; back <= BODY_BEFORE; back++)
            if (t.u.made[(back - 1) / 8] >> (back - 1) % 8 & 1)
                all.push_back(t.u.newest - back);
        CHECK(t.u.makes == !all.empty());
        return all;
    };
    CHECK(made() == std::vector<uint32_t>{9, 3});
    CHECK_FALSE((Told(c).has(1) || Told(c).has(7)));
    come_note(&c, 30, 0);
    come_made(&c, 29);
    CHECK(made() == std::vector<uint32_t>{29, 9, 3});
    come_note(&c, 4 + BODY_BEFORE, 0);
    CHECK(made() == std::vector<uint32_t>{29, 9});
    come_note(&c, 10000, 0);
    CHECK(made().empty());
}

TEST_CASE("datagrams: the age is the newest block's, in microseconds, and has bounds")
{
    come c = {};
    come_note(&c, 5, 100 * TICK_S);
    come_note(&c, 4, 101 * TICK_S);
    come_note(&c, 5, 101 * TICK_S);
    CHECK(Told(c, 100 * TICK_S).u.age_us == 0);
    CHECK(Told(c, 102 * TICK_S + 3 * TICK_MS).u.age_us == 2003000);
    CHECK(Told(c, 99 * TICK_S).u.age_us == 0);
    CHECK(Told(c, 100000 * TICK_S).u.age_us == UINT32_MAX);
    come_note(&c, 6, 103 * TICK_S);
    CHECK(Told(c, 103 * TICK_S + TICK_MS).u.age_us == 1000);
}

TEST_CASE("datagrams: what was said is repeated until it is heard")
{
    said s = {};
    CHECK_FALSE(said_waits(&s));
    CHECK(Repeated(s).bytes.empty());
    add(s, "hello");
    CHECK(said_waits(&s));
    CHECK(Repeated(s).at == 0);
    CHECK(Repeated(s).bytes == "hello");
    CHECK(said_heard(&s, 2));
    CHECK(Repeated(s).at == 2);
    CHECK(Repeated(s).bytes == "llo");
    add(s, " you");
    CHECK(Repeated(s).bytes == "llo you");
    CHECK(said_heard(&s, 9));
    CHECK_FALSE(said_waits(&s));
    CHECK(Repeated(s).at == 9);
    CHECK(Repeated(s).bytes.empty());
}

TEST_CASE("datagrams: heard less than before, or more than was said, is ignored")
{
    said s = {};
    add(s, "hello");
    CHECK(said_heard(&s, 3));
    for (uint32_t heard : {3u, 2u, 0u, 6u, 0x80000000u, 0xffffffffu}) {
        INFO(heard);
        CHECK_FALSE(said_heard(&s, heard));
        CHECK(Repeated(s).at == 3);
        CHECK(Repeated(s).bytes == "lo");
    }
    CHECK(said_heard(&s, 5));
}

TEST_CASE("datagrams: more than fits a body is not repeated, and again when enough was heard")
{
    const std::string most(BODY_SAID_MAX, 'x');
    said s = {};
    add(s, most);
    CHECK(said_waits(&s));
    CHECK(Repeated(s).bytes == most);
    add(s, "y");
    CHECK_FALSE(said_waits(&s));
    CHECK(Repeated(s).bytes.empty());
    CHECK(said_heard(&s, 1));
    CHECK(said_waits(&s));
    CHECK(Repeated(s).at == 1);
    CHECK(Repeated(s).bytes == most.substr(1) + "y");
}

TEST_CASE(
    "datagrams: of a text that is longer than the ring the end is repeated, once all but that "
    "was heard")
{
    said s = {};
    std::string text;
    for (int i = 0; i < 10000; i++)
        text += char('a' + i % 23);
    add(s, text);
    CHECK_FALSE(said_waits(&s));
    CHECK(said_heard(&s, 9000));
    CHECK(Repeated(s).at == 9000);
    CHECK(Repeated(s).bytes == text.substr(9000));
}

TEST_CASE("datagrams: the ring of what was said goes around, and so do the numbers")
{
    std::mt19937 random(any_seed());
    said s = {};
    s.written = s.heard = 0u - 5000u;
    std::string open;
    for (int i = 0; i < 2000; i++) {
        std::string more(random() % 60, '\0');
        for (char &c : more)
            c = char(random());
        add(s, more);
        open += more;
        size_t heard = std::min(open.size(), size_t(random() % 70));
        if (open.size() - heard > BODY_SAID_MAX)
            heard = open.size();
        CHECK(said_heard(&s, s.heard + uint32_t(heard)) == (heard > 0));
        open.erase(0, heard);
        REQUIRE(Repeated(s).bytes == open);
    }
    CHECK(s.written < 0u - 5000u); // it has wrapped around
}

TEST_CASE("datagrams: a packet of the viewer is due when something was said, not when nothing was")
{
    std::unique_ptr<datagrams, void (*)(datagrams *)> d(datagrams_create(true), datagrams_destroy);
    accelerator_shown shown = {"", 1, 1, false, false, 60123, {}, {}, false, {}, 0, {}};
    uint8_t body[SEALED_BODY_MAX], packet[SEALED_MAX];
    body_down down = {1, 0, nullptr, 0, 0, 0};
    int pair[2];

    REQUIRE(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair) == 0);
    REQUIRE(datagrams_begin(d.get(), &shown, [](uint16_t) {}));
    REQUIRE(datagrams_give(d.get(), pair[0]));
    datagrams_count(d.get());
    sealer *far_end = sealer_create(shown.datagrams_secret, SEALED_TO_VIEWER);
    const size_t size = sealer_seal(far_end, body, body_write_down(body, &down), packet);
    REQUIRE(send(pair[1], packet, size, 0) == ssize_t(size));
    REQUIRE(datagrams_take(d.get(), body, &down)); /* they work */

    const tick_t now = TICK_S;
    datagrams_send(d.get(), now);
    CHECK(datagrams_due(d.get()) > now);
    datagrams_said(d.get(), "", 0);
    CHECK(datagrams_due(d.get()) > now);
    datagrams_said(d.get(), "x", 1);
    CHECK(datagrams_due(d.get()) <= now);
    sealer_destroy(far_end);
    close(pair[1]);
}
