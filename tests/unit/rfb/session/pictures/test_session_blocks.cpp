// A session whose far end pushes blocks: what it shows, what it says, and what it does not take.
#include "tests/catch.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "rfb/blocks/pixels/rgb.h"
#include "rfb/blocks/references/reference.h"
#include "rfb/blocks/references/tile_digest.h"
#include "rfb/session/push/old_picture.h"
#include "tests/expect.hpp"
#include "tests/seed.hpp"
#include "tests/temp_dir.hpp"
#include "tests/unit/session_blocks.hpp"
#include "tests/unit/shown_picture.hpp"

using namespace peer;
using blocks_test::Shown;

namespace
{

void fill(Picture &p, rect r, uint32_t colour)
{
    for (int y = r.y; y < r.y + r.h; y++)
        std::fill_n(&p.at(r.x, y), r.w, colour);
}

const std::string BELL(1, '\2');
const std::string TEXT("\3\0\0\0\0\0\0\1x", 9);
const int W = 64, H = 48; // of let_in()

std::string shows(unsigned oldest, unsigned newest, bool digests = false, bool goodbye = false)
{
    accelerator_shown shown = {"bbr", oldest, newest, digests, goodbye, 0,
                               {},    {},     false,  {},      0,       {}};
    return written([&](uint8_t *o) { return server_write_accelerator(o, &shown); });
}

std::string raw(const Picture &p)
{
    return written([&](uint8_t *o) {
               size_t size = server_write_update(o, 1);
               return size + server_write_rectangle(o + size, {0, 0, p.w, p.h}, ENCODING_RAW);
           }) +
           std::string(reinterpret_cast<const char *>(p.pixels.data()), p.pixels.size() * 4);
}

// The picture's blocks as messages, the last of which says so.
std::vector<std::string> pushed(const Picture &p, uint32_t sequence, uint8_t generation = 1)
{
    blocks_test::Writer writer;
    std::vector<std::string> all = blocks_test::pack(writer, p, 0, sequence);
    for (size_t i = 0; i < all.size(); i++)
        all[i] = message(all[i], i + 1 == all.size(), generation);
    return all;
}

std::string joined(const std::vector<std::string> &parts)
{
    std::string all;
    for (const std::string &part : parts)
        all += part;
    return all;
}

// Of the viewer's old picture. `sum`: it ends.
std::string old_one(rect area, uint32_t sequence, const uint8_t *sum, bool last = false)
{
    uint8_t payload[BLOCK_OLD_ENDS_BYTES], wire[BLOCK_MAX];
    block b = {};
    b.sequence = sequence;
    b.area = area;
    block_set_old(&b, sum, payload);
    return message(std::string(reinterpret_cast<char *>(wire), block_pack(&b, wire)), last);
}

// Of all tiles of a picture, with the far end's key, which is 0, and the viewer's.
void sum_of(const Picture &p, const std::string &key, uint8_t *out)
{
    const uint8_t far_end[BLOCKS_KEY_BYTES] = {};
    const int side = old_picture_grain_of(p.w, p.h).side;
    tile_digest d;
    tile_digest_begin(&d, far_end, reinterpret_cast<const uint8_t *>(key.data()));
    for (uint32_t tile = 0; tile < blocks_tiles(p.w, p.h, side); tile++) {
        uint8_t digest[TILE_DIGEST_BYTES];
        tile_digest_make(&d, p.pixels.data(), p.w, tile_at(p.w, p.h, side, tile), tile, digest);
        tile_digest_add(&d, digest);
    }
    tile_digest_sum(&d, out);
}

// How a session ends that gets this.
std::string end_of(const std::string &said, bool blocks = true)
{
    Server server([&](Peer &p) {
        begin(p);
        p.write(shows(1, 1) + said);
        p.read_rest();
    });
    Owner owner(options_for(server, blocks));
    owner.connected();
    std::string why = owner.closed();
    CHECK(owner.failure() == FAILURE_PROTOCOL);
    return why;
}

// Standard error while it lives.
class Terminal
{
  public:
    Terminal()
    {
        file_ = dir_.file("lines");
        int fd = open(file_.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
        before_ = dup(STDERR_FILENO);
        dup2(fd, STDERR_FILENO);
        close(fd);
    }
    std::string end()
    {
        if (before_ >= 0) {
            dup2(before_, STDERR_FILENO);
            close(before_);
        }
        before_ = -1;
        std::string text(65536, '\0');
        int fd = open(file_.c_str(), O_RDONLY | O_CLOEXEC);
        ssize_t n = ::read(fd, &text[0], text.size());
        close(fd);
        return text.substr(0, n > 0 ? size_t(n) : 0);
    }
    ~Terminal()
    {
        end();
    }

  private:
    TempDir dir_;
    std::string file_;
    int before_;
};

} // namespace

TEST_CASE("session: pushed blocks make the picture, are acknowledged, and nothing is asked for")
{
    std::mt19937 random(any_seed());
    const Picture picture = blocks_test::mosaic(W, H, random);
    unsigned asked = 0;
    {
        Server server([&](Peer &p) {
            Heard heard(p);
            begin(p);
            heard.until(CLIENT_SET_ENCODINGS);
            EXPECT(heard.offered);
            p.write(shows(1, 1));
            while (heard.wishes == 0)
                heard.next();
            heard.requests = 0;
            const std::vector<std::string> all = pushed(picture, 5);
            p.write(joined(all));
            heard.until_read(uint32_t(4 + all.size()));
            p.write(BELL);
            heard.until(CLIENT_KEY);
            asked = heard.requests;
            p.write(BELL);
            p.read_rest();
        });
        Owner owner(options_for(server));
        owner.connected();
        wait_for(owner, SESSION_BELL);
        CHECK(seen(owner) == picture);
        CHECK(figures(owner).pushed);
        CHECK(figures(owner).accelerated);
        CHECK(figures(owner).meter.updates == 1); // not one for each block
        session_send_key(owner, 'a', true);
    }
    CHECK(asked == 0);
}

TEST_CASE("session: digests of the old picture are said, and it is drawn where the far end says so")
{
    std::mt19937 random(any_seed());
    const Picture old = blocks_test::mosaic(W, H, random);
    const bool word_first = GENERATE(true, false), right = GENERATE(true, false);
    bool asked = false;
    auto script = [&](Peer &p) {
        Heard heard(p);
        begin(p);
        if (!word_first)
            heard.until(CLIENT_KEY);
        p.write(shows(1, 1, true) + one({0, 0, 16, 16}, 1, 0xabcdef));
        while (heard.digests == 0)
            heard.next();
        while (heard.digests == 1) // which picture they are of; then the digests
            heard.next();
        p.write(old_one({0, 0, 64, 48}, 2, nullptr, true) + one({16, 0, 16, 16}, 3, 5, true));
        heard.until_read(3);
        heard.requests = 0;
        uint8_t sum[TILE_DIGEST_BYTES];
        sum_of(old, heard.key, sum);
        sum[0] ^= !right;
        p.write(old_one({16, 0, 16, 16}, 4, sum)); // it draws nothing
        heard.until_read(4);
        p.write(BELL);
        heard.until(CLIENT_POINTER);
        EXPECT(heard.digests == 2);
        asked = heard.requests > 0;
        p.write(old_one({0, 0, 64, 48}, 5, nullptr)); // it is gone
        p.read_rest();
    };
    Server server(script);
    Owner owner(options_for(server));
    owner.connected();
    session_give_old_picture(owner, Shown(old).reader);
    session_give_old_picture(owner, Shown(Picture(W, H, 1)).reader); // one is enough
    session_send_key(owner, 'a', true);
    wait_for(owner, SESSION_BELL);
    Picture now = old;
    for (int y = 0; y < 16; y++)
        std::fill_n(&now.at(16, y), 16, 5u);
    CHECK(seen(owner) == now);
    CHECK(figures(owner).meter.updates == 2);
    session_send_pointer(owner, 1, 1, 1);
    CHECK(owner.closed() == "a block is of an old picture, and there is none of 64x48");
    CHECK(asked != right); // for all of it, if something was wrong
}

TEST_CASE("session: a block that refers to what the viewer has is drawn, or refused and told")
{
    rect refused = {};
    {
        Server server([&](Peer &p) {
            const Picture red(32, 16, 0xff0000);
            uint8_t payload[REFERENCE_MOVED_BYTES], digest[RGB_DIGEST];
            Heard heard(p);
            begin(p);
            heard.until(CLIENT_SET_ENCODINGS);
            EXPECT(heard.references);
            auto moved = [&](uint32_t sequence, int x) {
                uint8_t wire[BLOCK_MAX];
                block b = {};
                b.area = {x, 16, 32, 16};
                b.sequence = sequence;
                rgb_digest(red.pixels.data(), 32, {0, 0, 32, 16}, digest);
                reference_set_moved(&b, 0, 0, digest, payload);
                return message(std::string(reinterpret_cast<char *>(wire), block_pack(&b, wire)));
            };
            p.write(shows(1, 1) + one({0, 0, 64, 48}, 1, 0x404040) +
                    one({0, 0, 32, 16}, 2, 0xff0000) + moved(3, 16) +
                    one({16, 0, 16, 16}, 4, 0x00ff00) + moved(5, 32) +
                    one({0, 32, 16, 16}, 6, 0x0000ff, true));
            while (!heard.refused)
                heard.next();
            refused = heard.refused_at;
            heard.until_read(6); // it was read nevertheless
            p.write(BELL);
            p.read_rest();
        });
        Owner owner(options_for(server));
        owner.connected();
        wait_for(owner, SESSION_BELL);
        Picture wanted(W, H, 0x404040);
        fill(wanted, {0, 0, 32, 16}, 0xff0000);
        fill(wanted, {16, 16, 32, 16}, 0xff0000);
        fill(wanted, {16, 0, 16, 16}, 0x00ff00);
        fill(wanted, {0, 32, 16, 16}, 0x0000ff);
        CHECK(seen(owner) == wanted);
        CHECK(figures(owner).references.moved == 1);
        CHECK(figures(owner).references.refused == 1);
    }
    CHECK((refused.x == 32 && refused.y == 16 && refused.w == 32 && refused.h == 16));
}

TEST_CASE("session: no digests are said to a far end that does not take them")
{
    unsigned said = 1;
    {
        Server server([&](Peer &p) {
            Heard heard(p);
            begin(p);
            heard.until(CLIENT_KEY);
            p.write(shows(1, 1) + one({0, 0, 64, 48}, 1, 5, true));
            heard.until_read(1);
            p.write(shows(1, 1, true) + BELL); // too late
            heard.until(CLIENT_POINTER);
            said = heard.digests;
            p.read_rest();
        });
        Owner owner(options_for(server));
        owner.connected();
        session_give_old_picture(owner, Shown(Picture(W, H, 1)).reader);
        session_send_key(owner, 'a', true);
        wait_for(owner, SESSION_BELL);
        session_send_pointer(owner, 1, 1, 1);
    }
    CHECK(said == 0);
}

TEST_CASE("session: it says goodbye when it is ended, to a far end that knows that")
{
    const bool knows = GENERATE(true, false);
    std::mt19937 random(any_seed());
    const Picture picture = blocks_test::mosaic(W, H, random);
    const std::string goodbye("\xc8\3\0\0", 4), key("\4\1\0\0\0\0\0a", 8);
    std::string rest;
    {
        Server server([&](Peer &p) {
            Heard heard(p);
            begin(p);
            heard.until(CLIENT_SET_ENCODINGS);
            p.write(shows(1, 1, false, knows));
            while (heard.wishes == 0)
                heard.next();
            const std::vector<std::string> all = pushed(picture, 5);
            p.write(joined(all));
            heard.until_read(uint32_t(4 + all.size()));
            p.write(BELL);
            rest = p.read_rest();
        });
        Owner owner(options_for(server));
        owner.connected();
        wait_for(owner, SESSION_BELL);
        session_send_key(owner, 'a', true);
    }
    CHECK(rest.find(key) != std::string::npos); // before it
    CHECK((rest.size() > 4 && rest.substr(rest.size() - 4) == goodbye) == knows);
}

TEST_CASE("session: a part of a picture is shown, and is no frame")
{
    Server server([&](Peer &p) {
        Heard heard(p);
        begin(p);
        p.write(shows(1, 1) + one({0, 0, 32, 48}, 1, 0xabcdef));
        heard.until_read(1); // nothing more is here
        p.write(BELL);
        heard.until(CLIENT_KEY);
        p.write(one({32, 0, 32, 48}, 2, 0xfedcba, true));
        heard.until_read(2);
        p.write(TEXT);
        p.read_rest();
    });
    Owner owner(options_for(server));
    owner.connected();
    wait_for(owner, SESSION_BELL);
    Picture half(W, H, 0);
    for (int y = 0; y < H; y++)
        std::fill_n(&half.at(0, y), 32, 0xabcdefu);
    CHECK(seen(owner) == half);
    CHECK(figures(owner).meter.updates == 0);
    session_send_key(owner, 'a', true);
    wait_for(owner, SESSION_CUT_TEXT);
    for (int y = 0; y < H; y++)
        std::fill_n(&half.at(32, y), 32, 0xfedcbau);
    CHECK(seen(owner) == half);
    CHECK(figures(owner).meter.updates == 1);
}

TEST_CASE("session: a block does not wait for the rest of the next one: seen, and acknowledged")
{
    const std::string next = one({32, 0, 32, 48}, 2, 0xfedcba, true);
    for (size_t cut : {size_t{1}, size_t{8}, size_t{1 + BLOCK_HEAD}, next.size() - 1}) {
        INFO(cut << " of " << next.size());
        Server server([&](Peer &p) {
            Heard heard(p);
            begin(p);
            p.write(shows(1, 1) + one({0, 0, 32, 48}, 1, 0xabcdef) + next.substr(0, cut));
            heard.until_read(1);
            p.write(next.substr(cut));
            heard.until_read(2);
            p.write(BELL);
            p.read_rest();
        });
        Owner owner(options_for(server));
        owner.connected();
        wait_for(owner, SESSION_BELL);
        CHECK(figures(owner).meter.updates == 1);
    }
}

TEST_CASE("session: blocks that are late, twice, or of another size's picture draw nothing")
{
    Server server([&](Peer &p) {
        Heard heard(p);
        begin(p);
        p.write(shows(1, 1) + one({0, 0, W, H}, 9, 0x111111, true));
        p.write(one({0, 0, 16, 16}, 8, 0xff0000) + one({0, 0, W, H}, 9, 0xff0000)); // late, twice
        p.write(one({0, 0, W, H}, 10, 0xff0000, true, 2));           // of a picture that is to come
        p.write(one({0, 0, W, H}, 0x80000009, 0xff0000));            // older by 2^31
        p.write(one({0, 0, 0xfff0, 0xfff0}, 99, 0xff0000, true, 7)); // far away, and not ours
        heard.until_read(99);
        p.write(BELL);
        heard.until(CLIENT_KEY);
        p.write(resized(32, 16) + one({0, 0, W, H}, 100, 0xff0000, true, 1));
        p.write(one({0, 0, 32, 16}, 5, 0x222222, true, 2)); // cells count anew
        heard.until_read(5);
        p.write(TEXT);
        p.read_rest();
    });
    Owner owner(options_for(server));
    owner.connected();
    wait_for(owner, SESSION_BELL);
    CHECK(seen(owner) == Picture(W, H, 0x111111));
    CHECK(figures(owner).meter.updates == 1);
    session_send_key(owner, 'a', true);
    wait_for(owner, SESSION_CUT_TEXT);
    CHECK(seen(owner) == Picture(32, 16, 0x222222));
    CHECK(figures(owner).meter.updates == 2);
}

TEST_CASE("session: who pushes may still send updates")
{
    const Picture picture(W, H, 0x334455);
    Server server([&](Peer &p) {
        begin(p);
        p.write(shows(1, 1) + one({0, 0, 32, 48}, 1, 0xabcdef) + raw(picture) + BELL);
        p.read_rest();
    });
    Owner owner(options_for(server));
    owner.connected();
    wait_for(owner, SESSION_BELL);
    CHECK(seen(owner) == picture);
}

TEST_CASE("session: blocks that are broken end it, and it says why")
{
    const std::string good = one({0, 0, 16, 16}, 1, 0x123456);
    auto changed = [&](size_t at, unsigned to) {
        std::string bad = good;
        bad[at] = char(to);
        return bad;
    };
    // where each is: 1 codec, 2 generation, 3 quality, 4 sequence, 8 input, 10 x, y, w, h, 18 size
    CHECK(end_of(changed(1, char(BLOCK_CODECS))).find("unknown codec or flag") !=
          std::string::npos);
    CHECK(end_of(changed(1, 0x40)).find("unknown codec or flag") != std::string::npos);
    CHECK(end_of(changed(3, 1)).find("quality") != std::string::npos);
    CHECK(end_of(changed(11, 1)).find("not of whole cells") != std::string::npos);
    CHECK(end_of(changed(10, 1)).find("not of whole cells") != std::string::npos); // outside
    CHECK(end_of(changed(15, 7)).find("not of whole cells") != std::string::npos);
    CHECK(end_of(changed(15, 0)).find("empty") != std::string::npos);
    CHECK(end_of(changed(19, 4)).find("has 4 bytes") != std::string::npos);
    CHECK(end_of(changed(18, 255)).find("bytes") != std::string::npos);
    for (unsigned codec = 2; codec < BLOCK_CODECS; codec++) { // three bytes are no payload of any
        INFO(codec);
        std::string bad = changed(1, codec);
        bad[3] = char(codec == BLOCK_JPEG_420 || codec == BLOCK_JPEG_444 ? 50 : 0);
        CHECK_FALSE(end_of(bad).empty());
    }
    std::string old = good; // of an old picture: nothing was said of one
    old[1] = char(BLOCK_OLD);
    old[19] = 1;
    old.resize(1 + BLOCK_HEAD);
    CHECK(end_of(old + std::string(1, '\0')) ==
          "a block is of an old picture, and there is none of 64x48");
    CHECK(end_of(old + std::string(1, '\2')).find("has 2 where") != std::string::npos);
    CHECK(end_of(good, false) == "the server sent a block, and was asked for none");
}

TEST_CASE("session: any change of a block ends the session or draws, whatever it is")
{
    std::mt19937 random(any_seed());
    for (int i = 0; i < 30; i++) {
        std::string all = shows(1, 1) + joined(pushed(blocks_test::mosaic(W, H, random), 1));
        for (int j = 0; j < 4; j++)
            all[40 + random() % (all.size() - 40)] ^= char(1 << random() % 8);
        Server server([&](Peer &p) {
            begin(p);
            // whatever length it took, then what no server says
            p.write(all + std::string(70000, BELL[0]) + "\xfe");
            p.read_rest();
        });
        Owner owner(options_for(server));
        owner.connected();
        wait_for(owner, SESSION_CLOSED);
    }
}

TEST_CASE("session: a far end with other versions of blocks: one line, and updates go on")
{
    const Picture picture(W, H, 0x556677);
    Terminal terminal;
    {
        Server server([&](Peer &p) {
            Heard heard(p);
            begin(p);
            heard.until(CLIENT_UPDATE_REQUEST);
            p.write(shows(2, 3) + shows(2, 3) + shows(7, 9) + raw(picture));
            heard.until(CLIENT_UPDATE_REQUEST);
            p.write(BELL);
            p.read_rest();
        });
        Owner owner(options_for(server));
        owner.connected();
        wait_for(owner, SESSION_BELL);
        CHECK(seen(owner) == picture);
        CHECK_FALSE(figures(owner).pushed);
    }
    CHECK(terminal.end() == "vnchl: no blocks are pushed, because vnchl-accel there speaks version "
                            "3 of them, and this vnchl version 1: upgrade this vnchl\n");
}

TEST_CASE("session: who was not told to take blocks goes on as ever before an accelerator")
{
    const Picture picture(W, H, 0x556677);
    Terminal terminal;
    {
        Server server([&](Peer &p) {
            Heard heard(p);
            begin(p);
            heard.until(CLIENT_UPDATE_REQUEST);
            EXPECT(!heard.offered);
            p.write(shows(1, 1) + raw(picture));
            heard.until(CLIENT_UPDATE_REQUEST);
            EXPECT(heard.wishes == 0);
            p.write(BELL);
            p.read_rest();
        });
        Owner owner(options_for(server, false));
        owner.connected();
        wait_for(owner, SESSION_BELL);
        CHECK(seen(owner) == picture);
    }
    CHECK(terminal.end().empty());
}
