// A text that is typed as keys.
#include "tests/catch.hpp"

#include <string>
#include <vector>

#define XK_MISCELLANY
#define XK_LATIN1
#include <rfb/keysym.h>

#include "viewer/desktop/input/keyboard/typist.h"

namespace
{

struct Typed {
    typist t{};
    std::vector<std::pair<uint32_t, bool>> keys;
    tick_t now = 7 * TICK_S;

    Typed()
    {
        t.key = key;
        t.user = this;
    }
    ~Typed()
    {
        typist_stop(&t);
    }
    static void key(void *user, uint32_t keysym, bool down)
    {
        static_cast<Typed *>(user)->keys.emplace_back(keysym, down);
    }
    bool begin(const std::string &text, std::string *refusal = nullptr)
    {
        reason why{};
        bool begun = typist_begin(&t, text.c_str(), now, &why);

        if (refusal)
            *refusal = why.text;
        return begun;
    }
    // All of it, each when it is due; false when it was not over with the last one.
    bool finish()
    {
        bool last = false;

        while (typist_is_busy(&t)) {
            now = typist_wait(&t);
            last = typist_time(&t, now);
        }
        return last;
    }
    // The keys that were pressed. Each was released before the next one, but for Shift.
    std::vector<uint32_t> pressed() const
    {
        std::vector<uint32_t> out, down;

        for (const auto &[keysym, is_down] : keys) {
            if (is_down) {
                CHECK((down.empty() || down == std::vector<uint32_t>{XK_Shift_L}));
                down.push_back(keysym);
                out.push_back(keysym);
            } else {
                REQUIRE_FALSE(down.empty());
                CHECK(down.back() == keysym);
                down.pop_back();
            }
        }
        CHECK(down.empty());
        return out;
    }
};

} // namespace

TEST_CASE("a text is typed by keysyms, with Shift where a US keyboard wants it", "[typist]")
{
    Typed typed;

    REQUIRE(typed.begin("aB1! \xc3\xa9\xe2\x82\xac"));
    CHECK(typed.finish());
    CHECK(typed.pressed() == std::vector<uint32_t>{XK_a, XK_Shift_L, XK_B, XK_1, XK_Shift_L,
                                                   XK_exclam, XK_space, XK_eacute, 0x20ac});
    CHECK(typed.t.typed == 7);
    CHECK(typed.t.keyless.count == 0);
    CHECK(typed.t.foreign.count == 2);
    CHECK(typed.t.foreign.first[1] == 0x20ac);
}

TEST_CASE("a line's end is Enter, however it is written", "[typist]")
{
    Typed typed;

    REQUIRE(typed.begin("a\nb\r\nc\rd\te\n"));
    CHECK(typed.t.characters == 10);
    CHECK(typed.finish());
    CHECK(typed.pressed() == std::vector<uint32_t>{XK_a, XK_Return, XK_b, XK_Return, XK_c,
                                                   XK_Return, XK_d, XK_Tab, XK_e, XK_Return});
}

TEST_CASE("each character has its time, also when the last one came late", "[typist]")
{
    Typed typed;

    REQUIRE(typed.begin("abc"));
    CHECK_FALSE(typist_time(&typed.t, typed.now));
    CHECK(typed.keys.size() == 2);
    CHECK_FALSE(typist_time(&typed.t, typed.now + TYPIST_PERIOD - 1));
    CHECK(typed.keys.size() == 2);
    typed.now += 10 * TYPIST_PERIOD;
    CHECK_FALSE(typist_time(&typed.t, typed.now));
    CHECK_FALSE(typist_time(&typed.t, typed.now));
    CHECK(typed.keys.size() == 4);
    CHECK(typist_wait(&typed.t) == typed.now + TYPIST_PERIOD);
    CHECK(typist_time(&typed.t, typist_wait(&typed.t)));
    CHECK(typist_wait(&typed.t) == TICK_NEVER);
}

TEST_CASE("what has no key is counted, and the rest is typed", "[typist]")
{
    Typed typed;

    REQUIRE(typed.begin("a\x01\x02\x03\x04\x05 z"));
    CHECK(typed.finish());
    CHECK(typed.pressed() == std::vector<uint32_t>{XK_a, XK_space, XK_z});
    CHECK(typed.t.keyless.count == 5);
    CHECK(typed.t.keyless.first[0] == 1);
    CHECK(typed.t.keyless.first[3] == 4);
}

TEST_CASE("it can be stopped, and nothing is left", "[typist]")
{
    Typed typed;

    REQUIRE(typed.begin("abc"));
    typist_time(&typed.t, typed.now);
    typist_stop(&typed.t);
    CHECK_FALSE(typist_is_busy(&typed.t));
    CHECK_FALSE(typed.t.text);
    CHECK_FALSE(typist_time(&typed.t, typed.now + TICK_S));
    CHECK(typed.pressed() == std::vector<uint32_t>{XK_a});
    CHECK(typed.t.typed == 1);
    CHECK(typed.t.characters == 3);
}

TEST_CASE("what cannot be typed is said", "[typist]")
{
    Typed typed;
    std::string why;

    CHECK_FALSE(typed.begin("", &why));
    CHECK(why.find("no text") != std::string::npos);
    CHECK_FALSE(typed.begin("a\xff", &why));
    CHECK(why.find("UTF-8") != std::string::npos);
    CHECK_FALSE(typed.begin(std::string(TYPIST_MAX + 1, 'x'), &why));
    CHECK(why.find("1201 characters, and at most 1200") != std::string::npos);
    CHECK_FALSE(typist_is_busy(&typed.t));
    CHECK(typed.begin(std::string(TYPIST_MAX, 'x')));
    std::string lines;
    for (int i = 0; i < TYPIST_MAX; i++)
        lines += "\r\n"; // one key each
    CHECK(typed.begin(lines));
}
