/* Servers that say too much, too slowly or too fast, or do not listen. */
#include "attacked.hpp"
#include "tests/catch.hpp"

using namespace e2e;

namespace
{

const unsigned W = 64, H = 48;

Script connected(const Script &then)
{
    return handshake(W, H) + Script{await_request(), send_step(raw_screen(W, H, 0x336699))} + then;
}

/* Texts, shapes, names, sizes and messages of push extensions, each as much as can be. */
std::vector<std::pair<const char *, std::string>> floods()
{
    std::string texts, clipboards, fences, shapes, names, sizes, empty;
    for (uint32_t i = 0; i < 50; i++) {
        texts += cut_text(100000) + std::string(100000, static_cast<char>('a' + i % 26));
        for (uint32_t flags : {0x1f000001u, 0x08000001u, 0x02000001u, 0x04000000u})
            clipboards += cut_text(0u - 8) + u32(flags) + u32(0xffffffff);
        fences += fence(0x80000000u, std::string(i % 64, 'f'));
        shapes += update(1) + rectangle(0, 0, 64, 64, PSEUDO_RICH_CURSOR) +
                  std::string(64 * 64 * 4 + 64 * 8, static_cast<char>(i));
        names += update(1) + rectangle(0, 0, 0, 0, PSEUDO_DESKTOP_NAME) + u32(1000) +
                 std::string(1000, static_cast<char>('a' + i % 26));
        sizes += update(1) + rectangle(0, 0, 100 + i * 37 % 900, 50 + i, PSEUDO_DESKTOP_SIZE);
        empty += update(0);
    }
    return {{"bells", bells(100000)},
            {"texts", texts},
            {"clipboards", clipboards},
            {"fences", fences},
            {"ends of pushing", ends_of_continuous_updates(10000)},
            {"shapes", shapes},
            {"names", names},
            {"sizes", sizes},
            {"empty updates", empty},
            {"pictures", raw_screen(W, H, 0x102030)}};
}

} // namespace

TEST_CASE("attack: floods without an end", "[attack]")
{
    for (const auto &[name, bytes] : floods()) {
        INFO(name);
        check_endured(connected({repeat(bytes)}), picture_mb(1000, 100));
    }
}

TEST_CASE("attack: a server that never listens", "[attack]")
{
    for (const std::string &bytes : {raw_screen(W, H, 0x112233), fence(0x80000000u, "answer me"),
                                     cut_text(0u - 8) + u32(0x02000001) + u32(0)}) {
        check_endured(connected({deaf(bytes, milliseconds(1))}));
    }
}

TEST_CASE("attack: a hundred new sizes a second", "[attack]")
{
    Script changes;
    for (unsigned i = 0; i < 150; i++) {
        unsigned w = 1 + i * 37 % 1900, h = 1 + i * 53 % 1000;
        changes.push_back(send_step(
            update(1) +
            rectangle(0, 0, w, h, i % 2 ? PSEUDO_DESKTOP_SIZE : PSEUDO_EXTENDED_DESKTOP_SIZE) +
            (i % 2 ? "" : screens(i % 3)) + update(1) +
            rectangle(w - 1, h - 1, 1, 1, ENCODING_RAW) + "abcd"));
        changes.push_back(pause(milliseconds(10)));
    }
    changes.push_back(send_step("\x63")); /* it has come this far */
    CHECK(check_refused(connected(changes), picture_mb(1900, 1000)).find("99") !=
          std::string::npos);
}

TEST_CASE("attack: a handshake of a byte a second ends at four times its deadline", "[attack]")
{
    Script slow;
    for (const Step &s : handshake(W, H)) {
        if (s.kind != Step::SEND) {
            slow.push_back(s);
            continue;
        }
        for (char c : s.bytes) {
            slow.push_back(send_step(std::string(1, c)));
            slow.push_back(pause(seconds(1)));
        }
    }
    std::string line = check_refused(slow, picture_mb(W, H), {"--connect-timeout", "3"});
    INFO(line);
    CHECK(line.find(" 12 s") != std::string::npos);
}

TEST_CASE("attack: an update of a byte a second does not keep the program", "[attack]")
{
    Script slow;
    for (char c : raw_screen(W, H, 0x445566).substr(0, 100)) {
        slow.push_back(send_step(std::string(1, c)));
        slow.push_back(pause(seconds(1)));
    }
    check_endured(connected(slow), picture_mb(W, H), {}, "3");
}
