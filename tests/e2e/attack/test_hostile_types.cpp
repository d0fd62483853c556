/* Numbers of security types, alone and among all others: what is not spoken is refused, and what is
 * spoken is found wherever it stands. */
#include <algorithm>
#include <random>

#include "attacked.hpp"
#include "tests/catch.hpp"

using namespace e2e;

namespace
{

const int W = 64, H = 48;

Script greets(const std::string &version, const std::string &then)
{
    return {send_step("RFB 003.00" + version + "\n"), expect(12), send_step(then)};
}

std::string types(const std::vector<unsigned> &numbers)
{
    std::string list = u8(static_cast<unsigned>(numbers.size()));
    for (unsigned n : numbers)
        list += u8(n);
    return list;
}

bool is_spoken(unsigned type)
{
    return type == 1 || type == 2 || type == 5 || type == 6 || type == 18 || type == 19 ||
           type == 30 || type == 129 || type == 130;
}

/* VeNCrypt with these subtypes. */
Script vencrypt(const std::vector<uint32_t> &subtypes)
{
    std::string list = u8(0) + u8(static_cast<unsigned>(subtypes.size()));
    for (uint32_t n : subtypes)
        list += u32(n);
    return greets("8", types({19})) +
           Script{expect(1), send_step(u8(0) + u8(2)), expect(2), send_step(list)};
}

} // namespace

/* Those that are spoken or have a name, and some that nobody knows; test_security.cpp takes them
 * all. */
TEST_CASE("attack: many a security type alone", "[attack]")
{
    for (unsigned type = 0; type < 256; type++) {
        if (type > 38 && type % 16 != 0 && type != 113 && (type < 127 || type > 135) && type < 254)
            continue;
        INFO("type " << type);
        std::string line = check_refused(greets(type % 2 ? "8" : "7", types({type})));
        INFO(line);
        if (type > 0 && !is_spoken(type)) /* its number is in the line, or its name */
            CHECK(line.find("security type") != std::string::npos);
    }
    for (uint32_t type :
         {3u, 16u, 18u, 19u, 30u, 113u, 255u, 256u, 0x7fffffffu, 0x80000001u, 0xffffffffu}) {
        INFO("RFB 3.3, type " << type);
        check_refused(greets("3", u32(type)));
    }
}

TEST_CASE("attack: all security types in many orders", "[attack]")
{
    std::vector<unsigned> all;
    for (unsigned type = 1; type < 256; type++)
        if (!is_spoken(type))
            all.push_back(type);
    std::mt19937 random(1);
    for (int i = 0; i < 10; i++) {
        std::shuffle(all.begin(), all.end(), random);
        std::vector<unsigned> with_none = all;
        with_none.insert(with_none.begin() + static_cast<long>(random() % all.size()), 1);
        check_refused(greets("8", types(all)));
        Script goes_on =
            greets("8", types(with_none)) + Script{expect(1), send_step(u32(0)), expect(1)};
        check_endured(goes_on + Script{handshake(W, H).back(), stall()}, picture_mb(W, H), {},
                      "0.1");
    }
    std::string line = check_refused(greets("8", types(std::vector<unsigned>(255, 77))));
    INFO(line);
    CHECK(line.find("only type 77, type 77") != std::string::npos);
    CHECK(line.find(" more\n") != std::string::npos);
}

TEST_CASE("attack: subtypes of VeNCrypt", "[attack]")
{
    std::vector<uint32_t> most;
    for (uint32_t n = 1; most.size() < 255; n++)
        if (n < 256 || n > 262)
            most.push_back(n);
    check_refused(vencrypt(most));
    std::reverse(most.begin(), most.end());
    check_refused(vencrypt(most));
    check_refused(vencrypt({}));
    for (uint32_t n : {0u, 1u, 2u, 19u, 255u, 256u, 257u, 258u, 259u, 260u, 261u, 262u, 263u, 264u,
                       265u, 266u, 0x7fffffffu, 0xffffffffu}) {
        INFO("subtype " << n);
        check_refused(vencrypt({n}) +
                      Script{expect(4), send_step(u8(1) + std::string(64, '\x16'))});
        check_refused(vencrypt({n}) + Script{expect(4), send_step(u8(0))});
    }
}
