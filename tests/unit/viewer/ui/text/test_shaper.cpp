/* What is drawn of scripts that are joined, or run from right to left (viewer/ui/text/shaper.hpp).
 * Two pictures are compared, so no font has to be a certain one. */
#include <fontconfig/fontconfig.h>

#include <algorithm>
#include <cstdlib>

#include "tests/catch.hpp"
#include "viewer/ui/text/shaper.hpp"

namespace
{

using kit::Drawn;

constexpr uint32_t WHITE = 0xffffffff;

/* Whether the system has a font for the character. A system for tests has to. */
bool has_font(uint32_t character)
{
    FcFontSet *fonts = FcConfigGetFonts(FcConfigGetCurrent(), FcSetSystem);
    for (int i = 0; fonts && i < fonts->nfont; i++) {
        FcCharSet *set = nullptr;
        if (FcPatternGetCharSet(fonts->fonts[i], FC_CHARSET, 0, &set) == FcResultMatch &&
            FcCharSetHasChar(set, character))
            return true;
    }
    UNSCOPED_INFO("no font has the character " << character);
    CHECK_FALSE(getenv("VNCHL_REQUIRE_SERVERS"));
    return false;
}

Drawn draw(const std::string &text, bool is_name = false, int room = 0, uint32_t colour = WHITE)
{
    static kit::Shaper shaper;
    Drawn d;
    INFO(text);
    REQUIRE(shaper.draw({text, 40, room, colour, is_name}, d));
    REQUIRE(d.pixels.size() == static_cast<size_t>(d.width) * static_cast<size_t>(d.height));
    return d;
}

/* Columns `from` up to `to`. */
Drawn part(const Drawn &d, int from, int to)
{
    Drawn p = {to - from, d.height, {}};
    for (int y = 0; y < d.height; y++) {
        auto row = d.pixels.begin() + static_cast<long>(y) * d.width;
        p.pixels.insert(p.pixels.end(), row + from, row + to);
    }
    return p;
}
Drawn left(const Drawn &d, int width)
{
    return part(d, 0, std::min(width, d.width));
}
Drawn right(const Drawn &d, int width)
{
    return part(d, std::max(d.width - width, 0), d.width);
}

bool same(const Drawn &a, const Drawn &b)
{
    return a.width == b.width && a.height == b.height && a.pixels == b.pixels;
}

bool has_ink(const Drawn &d, int x)
{
    for (int y = 0; y < d.height; y++)
        if (d.pixels[static_cast<size_t>(y * d.width + x)] >> 24)
            return true;
    return false;
}

/* Parts of the text with nothing between them, from left to right. */
int pieces(const Drawn &d)
{
    int count = 0;
    for (int x = 0; x < d.width; x++)
        count += has_ink(d, x) && (x == 0 || !has_ink(d, x - 1));
    return count;
}

} // namespace

TEST_CASE("shaper: Hebrew runs from right to left")
{
    if (!has_font(0x5d0))
        return;
    Drawn alef = draw("א"), bet = draw("ב"), both = draw("אב");
    CHECK(both.width == alef.width + bet.width);
    CHECK(same(left(both, bet.width), bet));
    CHECK(same(right(both, alef.width), alef));
}

TEST_CASE("shaper: Arabic letters are joined")
{
    if (!has_font(0x628))
        return;
    CHECK(pieces(draw("ببب")) == 1);
    CHECK(pieces(draw("ب\u200cب\u200cب")) == 3);      /* told not to join */
    CHECK(draw("لا").width < draw("ل\u200cا").width); /* two that have one form */
}

TEST_CASE("shaper: signs of Hindi go where they belong")
{
    if (!has_font(0x915))
        return;
    /* I is written after K and stands before it; two consonants become one sign */
    Drawn k = draw("क"), ki = draw("कि");
    CHECK(ki.width > k.width);
    CHECK_FALSE(same(left(ki, k.width / 2), left(k, k.width / 2)));
    CHECK(draw("क्ष").width < draw("क").width + draw("ष").width);
}

TEST_CASE("shaper: the signs of Thai stand above their letters")
{
    if (!has_font(0xe01))
        return;
    CHECK(draw("กี่").width == draw("ก").width);
}

TEST_CASE("shaper: emoji have their colours")
{
    if (!has_font(0x1f600))
        return;
    Drawn d = draw("\U0001f600");
    CHECK(std::any_of(d.pixels.begin(), d.pixels.end(), [](uint32_t p) {
        return p >> 24 == 255 && (p & 255) + 64 < (p >> 16 & 255);
    }));
}

TEST_CASE("shaper: a sentence begins on the left, a name where its script begins")
{
    if (!has_font(0x5d0))
        return;
    Drawn word = draw("ab "), alef = draw("א"), bet = draw("ב");
    /* a sentence, whatever stands first in it */
    Drawn sentence = draw("א ab");
    CHECK(same(left(sentence, alef.width), alef));
    CHECK(same(left(draw("ab אב"), word.width + bet.width), left(draw("ab ב"), 1000)));
    /* a name */
    Drawn name = draw("א ab", true);
    CHECK(same(right(name, alef.width), alef));
    CHECK_FALSE(same(name, sentence));
}

TEST_CASE("shaper: the size is that of a line, and the colour is what was asked for")
{
    if (!has_font(0x5d0))
        return;
    Drawn d = draw("אבג", false, 0, 0xff123456);
    CHECK(d.height >= 38);
    CHECK(d.height <= 42);
    for (uint32_t p : d.pixels)
        if (p >> 24 == 255)
            REQUIRE((p & 0xffffff) == 0x123456);
    CHECK(std::count(d.pixels.begin(), d.pixels.end(), 0xff123456u) > 20);
}

TEST_CASE("shaper: what does not fit goes on in another line, or is cut")
{
    if (!has_font(0x5d0))
        return;
    std::string text;
    for (int i = 0; i < 20; i++)
        text += "שלום ";
    Drawn line = draw(text), lines = draw(text, false, 200), name = draw(text, true, 200);
    CHECK(line.width > 400);
    CHECK(lines.width <= 200);
    CHECK(lines.height > 3 * line.height);
    CHECK(name.width <= 200);
    CHECK(name.height == line.height);
    CHECK(draw(std::string(600, 'x') + "א", false, 200).width <= 200); /* no blank to break at */
    CHECK(draw("\n\nא\n", true).height == draw("א").height);
}

TEST_CASE("shaper: nothing becomes larger than it may")
{
    std::string text, marks = "a";
    for (int i = 0; i < 400; i++) {
        text += "ש";
        marks += "\u0301";
    }
    for (const Drawn &d : {draw(text + text), draw(text, false, 1), draw(marks), draw("")}) {
        CHECK(d.width <= kit::Shaper::MAX);
        CHECK(d.height <= kit::Shaper::MAX);
    }
}
