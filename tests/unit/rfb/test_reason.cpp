// What a server or a user wrote, before it is shown.
#include "tests/catch.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "rfb/texts/reason.h"
#include "rfb/texts/utf8.h"

namespace
{

std::string shown(std::string text)
{
    sanitise(text.data());
    return text.c_str();
}

// Any number, in as many bytes as asked for.
std::string encoded(uint32_t c, int bytes)
{
    std::string out;

    if (bytes == 1)
        return std::string(1, static_cast<char>(c));
    for (int i = 1; i < bytes; i++, c >>= 6)
        out.insert(out.begin(), static_cast<char>(0x80 | (c & 0x3f)));
    out.insert(out.begin(), static_cast<char>((0xff00 >> bytes) | c));
    return out;
}

int shortest(uint32_t c)
{
    return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
}

bool surrogate(uint32_t c)
{
    return c >= 0xd800 && c < 0xe000;
}

// The characters that are replaced, one by one.
bool hidden(uint32_t c)
{
    switch (c) {
    case 0x061c: // ARABIC LETTER MARK
    case 0x200e: // LEFT-TO-RIGHT MARK
    case 0x200f: // RIGHT-TO-LEFT MARK
    case 0x2028: // LINE SEPARATOR
    case 0x2029: // PARAGRAPH SEPARATOR
    case 0x202a: // embeddings, overrides and their end
    case 0x202b:
    case 0x202c:
    case 0x202d:
    case 0x202e:
    case 0x2066: // isolates and their end
    case 0x2067:
    case 0x2068:
    case 0x2069:
    case 0xfeff: // BYTE ORDER MARK
    case 0xfff9: // interlinear annotations
    case 0xfffa:
    case 0xfffb:
        return true;
    default:
        return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c % 0x10000 >= 0xfffe ||
               (c >= 0xfdd0 && c <= 0xfdef) || c >> 7 == 0xe0000 >> 7;
    }
}

// How long the character at `s` is; 0 when its bytes are none, or in too long a form.
int character_length(const unsigned char *s, uint32_t *c)
{
    int bytes = 1;

    *c = s[0];
    if (s[0] < 0x80)
        return 1;
    while (bytes < 4 && (s[0] << bytes & 0x80))
        bytes++;
    if (bytes == 1 || s[0] >= 0xf8)
        return 0;
    *c &= (1u << (7 - bytes)) - 1;
    for (int i = 1; i < bytes; i++) {
        if (s[i] >> 6 != 2)
            return 0;
        *c = *c << 6 | (s[i] & 63);
    }
    return shortest(*c) == bytes && !surrogate(*c) && *c <= 0x10ffff ? bytes : 0;
}

// What sanitise() is to make of it, written another way.
void expected(const char *text, char *out)
{
    const unsigned char *s = reinterpret_cast<const unsigned char *>(text);

    while (*s) {
        uint32_t c;
        int length = character_length(s, &c);
        if (length == 0 || hidden(c)) {
            *out++ = '?';
            s += length ? length : 1;
        } else {
            while (length--)
                *out++ = static_cast<char>(*s++);
        }
    }
    *out = '\0';
}

// Every sequence in it is a character, shown or not.
bool well_formed(const char *text)
{
    auto s = reinterpret_cast<const unsigned char *>(text);
    while (*s) {
        uint32_t c;
        int length = character_length(s, &c);
        if (length == 0)
            return false;
        s += length;
    }
    return true;
}

bool repaired_as_it_ought(const char *text)
{
    char is[5];

    strcpy(is, text);
    utf8_repair(is);
    return utf8_valid(text) == well_formed(text) && well_formed(is) &&
           (strcmp(is, text) == 0) == well_formed(text);
}

// Every text of that many bytes but 0.
bool all_texts(int bytes)
{
    unsigned char s[5] = {1, 1, 1, 1, 0};
    s[bytes] = 0;
    for (;;) {
        char text[5], is[5], ought[5];
        memcpy(text, s, sizeof text);
        memcpy(is, s, sizeof is);
        expected(is, ought);
        sanitise(is);
        if (strcmp(is, ought) != 0 || is_sanitised(text) != (strcmp(text, ought) == 0) ||
            !repaired_as_it_ought(text)) {
            UNSCOPED_INFO("bytes " << int(s[0]) << " " << int(s[1]) << " " << int(s[2]));
            return false;
        }
        int i = bytes - 1;
        while (i >= 0 && ++s[i] == 0)
            s[i--] = 1;
        if (i < 0)
            return true;
    }
}

} // namespace

TEST_CASE("what a server says cannot drive the terminal")
{
    reason why;

    CHECK(shown("a\033[2Jb\x07\xc2\x9b"
                "c\xff grü€") == "a?[2Jb??c? grü€");
    CHECK_FALSE(reason_set(&why, "%s", "x\ny"));
    CHECK(std::string(why.text) == "x?y");
    CHECK(shown("\xc0\x9b[2J") == "??[2J"); // ESC in too long a form
    CHECK(shown("\xe0\x80\x9b[2J") == "???[2J");
    CHECK(shown("user\xe2\x80\xaetxt.exe") == "user?txt.exe"); // written right to left
}

TEST_CASE("every character is shown, or replaced because it does not show")
{
    for (uint32_t c = 1; c < 0x200000; c++) {
        std::string one = encoded(c, shortest(c)), is = shown("<" + one + ">");
        std::string bytes(one.size(), '?');
        std::string ought = c > 0x10ffff || surrogate(c) ? bytes : hidden(c) ? "?" : one;
        if (is != "<" + ought + ">") {
            INFO("U+" << std::hex << c << " became " << is);
            FAIL();
        }
    }
    CHECK(shown("क्\u200dष \u200c👩\u200d💻") == "क्\u200dष \u200c👩\u200d💻");
}

TEST_CASE("too long forms of every character are replaced")
{
    for (uint32_t c = 0; c < 0x10000; c++)
        for (int bytes = shortest(c) + 1; bytes <= 4; bytes++)
            if (shown("<" + encoded(c, bytes) + ">") !=
                "<" + std::string(static_cast<size_t>(bytes), '?') + ">") {
                INFO("U+" << std::hex << c << " in " << bytes << " bytes");
                FAIL();
            }
}

TEST_CASE("every text of up to three bytes becomes well-formed")
{
    for (int bytes = 1; bytes <= 3; bytes++)
        CHECK(all_texts(bytes));
}

TEST_CASE("what is not UTF-8 in a text becomes one question mark each, the rest stays")
{
    for (auto [text, ought] : std::vector<std::pair<std::string, const char *>>{
             {"", ""},
             {"two\r\n\x1b lines, gr\xc3\xbc\xc3\x9f", "two\r\n\x1b lines, gr\xc3\xbc\xc3\x9f"},
             {"a\xff\xfe"
              "b",
              "a??b"},
             {"\xe2\x82x", "?x"},
             {"cut \xf0\x9f\x98", "cut ?"},
             {"\xc0\x80\x80", "?"}}) {
        utf8_repair(text.data());
        CHECK(std::string(text.c_str()) == ought);
    }
}

TEST_CASE("a reason that is cut ends in a whole character")
{
    for (const char *character : {"ü", "€", "😀"})
        for (size_t lead = 0; lead < 5; lead++) {
            std::string text(lead, 'x');
            reason why;
            while (text.size() < 2 * sizeof why.text)
                text += character;
            reason_set(&why, "%s", text.c_str());
            char ought[sizeof why.text];
            expected(why.text, ought);
            CHECK(strlen(why.text) > sizeof why.text - 8);
            CHECK(std::string(why.text) == ought);
        }
}

TEST_CASE("a reason that stands alone begins with a capital letter, a name as it is written")
{
    for (auto [text, ought] : std::vector<std::pair<std::string, std::string>>{
             {"", ""},
             {"the server is silent", "The server is silent"},
             {"stopped", "Stopped"},
             {"slow: the server answers late", "Slow: the server answers late"},
             {"done. More", "Done. More"},
             {"no.", "No."},
             {"Already", "Already"},
             {"\xc3\xbc", "\xc3\xbc"},
             {"--scale takes", "--scale takes"},
             {"ssh: Permission denied", "ssh: Permission denied"},
             {"ssh is not installed", "ssh is not installed"},
             {"vnchl-accel is not installed", "vnchl-accel is not installed"},
             {"desk:1 has closed", "desk:1 has closed"},
             {"desk.example has closed", "desk.example has closed"},
             {"x11vnc says", "x11vnc says"}}) {
        capitalise(text.data());
        CHECK(text == ought);
    }
}
