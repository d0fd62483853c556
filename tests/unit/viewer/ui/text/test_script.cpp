/* Which texts the toolkit can draw by itself (viewer/ui/text/script.h). */
#include "tests/catch.hpp"
#include "viewer/ui/text/script.h"

TEST_CASE("script: what stands character by character, from left to right")
{
    for (const char *text : {"", "vnchl", "Grüße", "ışık", "Ελληνικά", "Привет", "Հայերեն",
                             "ქართული", "日本語カナ", "中文", "한국어", "€ → “x” …", "Ａ", "�"}) {
        INFO(text);
        CHECK_FALSE(script_is_complex(text));
    }
    CHECK_FALSE(script_is_complex(nullptr));
}

TEST_CASE("script: what has to be shaped, wherever it stands in the text")
{
    for (const char *text : {"שלום", "مرحبا", "नमस्ते", "বাংলা", "தமிழ்", "สวัสดี", "ລາວ", "မြန်မာ",
                             "ខ្មែរ", "བོད", "ሰላም፝", "e\u0301", "\u304b\u3099", "\u1112\u1161\u11ab",
                             "a\u200db", "\u2764\ufe0f", "😀", "\U00020000", "\ufefb"}) {
        INFO(text);
        CHECK(script_is_complex(text));
        CHECK(script_is_complex((std::string("abc ") + text).c_str()));
        CHECK(script_is_complex((std::string(text) + " abc").c_str()));
    }
}

TEST_CASE("script: the ends of the ranges")
{
    CHECK_FALSE(script_is_complex("\u02ff"));
    CHECK(script_is_complex("\u0300"));
    CHECK(script_is_complex("\u036f"));
    CHECK_FALSE(script_is_complex("\u0370"));
    CHECK_FALSE(script_is_complex("\u058f"));
    CHECK(script_is_complex("\u0590"));
    CHECK_FALSE(script_is_complex("\ufffd"));
    CHECK(script_is_complex("\U00010000"));
}

TEST_CASE("script: bytes that are no UTF-8 decide nothing")
{
    CHECK_FALSE(script_is_complex("\xff\xd7 abc \xe0\xa4"));
    CHECK(script_is_complex("\xff\xd7\xa9"));
}
