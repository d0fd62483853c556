/* Messages that are cut off, too large, empty or in the wrong place. */
#include <filesystem>

#include "attacked.hpp"
#include "tests/catch.hpp"

using namespace e2e;

namespace
{

const unsigned W = 64, H = 48;

std::string one(unsigned x, unsigned y, unsigned w, unsigned h, int32_t encoding,
                const std::string &data = "")
{
    return update(1) + rectangle(x, y, w, h, encoding) + data;
}

Script says(const std::string &bytes)
{
    return handshake(W, H) + Script{await_request(), send_step(bytes)};
}

/* One message of each kind and each encoding. */
std::vector<std::string> all_messages()
{
    std::vector<std::string> all;
    const char *folder = getenv("VNCHL_MESSAGES");
    REQUIRE(folder);
    for (const auto &file : std::filesystem::directory_iterator(folder))
        all.push_back(read_file(file.path()));
    REQUIRE(all.size() > 30);
    return all;
}

const int32_t PIXELS[] = {ENCODING_RAW,     ENCODING_COPYRECT, ENCODING_RRE,  ENCODING_CORRE,
                          ENCODING_HEXTILE, ENCODING_TIGHT,    ENCODING_ZRLE, 0x7fffffff};

} // namespace

/* Each byte up to the end of a first rectangle's header, and some of what follows: of a session
 * that ends the program knows the reason only. test_hostile_cut.cpp takes them all, in the
 * session. */
TEST_CASE("attack: a message ends after many of its bytes", "[attack-cut]")
{
    for (const auto &message : all_messages())
        for (size_t n = 0; n < message.size(); n += n < 16 ? 1 : n < 40 ? 8 : 29) {
            INFO(n << " of " << message.size() << " bytes, of type " << int(message[0]));
            check_refused(says(message.substr(0, n)));
        }
}

TEST_CASE("attack: the handshake ends after any of its bytes", "[attack]")
{
    Script whole = handshake(W, H);
    for (size_t step = 0; step < whole.size(); step++)
        for (size_t n = 0; n < whole[step].bytes.size(); n++) {
            INFO("step " << step << ", " << n << " bytes");
            Script cut(whole.begin(), whole.begin() + static_cast<long>(step) + 1);
            cut.back().bytes.resize(n);
            check_refused(cut);
        }
}

TEST_CASE("attack: rectangles outside of the screen", "[attack]")
{
    for (int32_t encoding : PIXELS)
        for (auto [x, y, w, h] : {std::array<unsigned, 4>{1, 0, W, H},
                                  {0, 0, W, H + 1},
                                  {W, H, 1, 1},
                                  {65535, 65535, 1, 1},
                                  {65535, 65535, 65535, 65535},
                                  {0, 0, 65535, 65535}}) {
            INFO("encoding " << encoding << ", " << w << "x" << h << "+" << x << "+" << y);
            check_refused(says(one(x, y, w, h, encoding, std::string(256, '\0'))));
        }
    /* what is copied, too */
    for (auto [x, y] : {std::pair<unsigned, unsigned>{W, 0}, {0, H}, {65535, 65535}, {57, 41}})
        check_refused(says(one(0, 0, 8, 8, ENCODING_COPYRECT, u16(x) + u16(y))));
}

TEST_CASE("attack: rectangles without a pixel", "[attack]")
{
    for (int32_t encoding : PIXELS)
        for (auto [w, h] : {std::pair<unsigned, unsigned>{0, 0}, {0, H}, {W, 0}}) {
            INFO("encoding " << encoding << ", " << w << "x" << h);
            check_refused(says(one(0, 0, w, h, encoding, std::string(64, '\x99'))));
        }
}

TEST_CASE("attack: screens that no server has", "[attack]")
{
    for (auto [w, h] : {std::pair<int, int>{65535, 65535}, {65535, 1}, {1, 65535}, {8193, 8192}}) {
        INFO(w << "x" << h);
        check_refused(handshake(w, h) + Script{stall()});
        auto wide = static_cast<unsigned>(w), high = static_cast<unsigned>(h);
        check_refused(says(one(0, 0, wide, high, PSEUDO_DESKTOP_SIZE)));
        check_refused(says(one(0, 0, wide, high, PSEUDO_EXTENDED_DESKTOP_SIZE, screens(1))));
    }
    check_refused(handshake(0, 0) + Script{send_step("\x63")});
    check_refused(says(one(0, 0, 0, 0, PSEUDO_DESKTOP_SIZE) + "\x63"));
    /* pointer shapes, and screens without end */
    for (int32_t shape : {PSEUDO_RICH_CURSOR, PSEUDO_X_CURSOR, PSEUDO_ALPHA_CURSOR})
        check_refused(says(one(65535, 65535, 65535, 65535, shape, std::string(4096, '\0'))));
    check_refused(says(one(0, 0, W, H, PSEUDO_EXTENDED_DESKTOP_SIZE, screens(255)) + "\x63"));
}

TEST_CASE("attack: texts of four billion bytes", "[attack]")
{
    const std::string much(3 << 20, 't');
    for (uint32_t length : {0xffffffffu, 0x80000001u, 0x7fffffffu, 1u << 30}) {
        INFO(length);
        Script name = handshake(W, H, "");
        name.back().bytes.replace(name.back().bytes.size() - 4, 4, u32(length));
        name.back().bytes += much;
        check_refused(name);
        check_refused(says(one(0, 0, 0, 0, PSEUDO_DESKTOP_NAME, u32(length) + much)));
        check_refused(says(cut_text(length) + much));
        check_refused({send_step("RFB 003.008\n"), expect(12),
                       send_step(u8(0) + u32(length) + much.substr(0, 100000))});
        for (int32_t encoding : {ENCODING_ZRLE, ENCODING_RRE, ENCODING_CORRE})
            check_refused(says(one(0, 0, W, H, encoding, u32(length) + much)));
    }
}
