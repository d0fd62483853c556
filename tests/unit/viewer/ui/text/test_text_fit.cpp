/* Texts that fit a width (viewer/ui/text/text_fit.hpp). Every character is one wide here. */
#include "tests/catch.hpp"
#include "viewer/ui/text/text_fit.hpp"

using namespace kit;

static float width(std::string_view text)
{
    float count = 0;

    for (char c : text)
        count += (c & 0xc0) != 0x80;
    return count;
}

TEST_CASE("text fit: lines end between words")
{
    CHECK(wrap_words("", 10, width).empty());
    CHECK(wrap_words("one two", 10, width) == "one two");
    CHECK(wrap_words("one two three", 7, width) == "one two\nthree");
    /* a host name has dots, and stays whole */
    CHECK(wrap_words("Connecting to desk.example.com:1...", 24, width) ==
          "Connecting to\ndesk.example.com:1...");
    CHECK(wrap_words("a\nb c\n\nd", 3, width) == "a\nb c\n\nd");
}

TEST_CASE("text fit: only a word that is too wide for a line is broken")
{
    CHECK(wrap_words("abcdefgh", 3, width) == "abc\ndef\ngh");
    CHECK(wrap_words("x abcdefgh y", 5, width) == "x\nabcde\nfgh y");
    CHECK(wrap_words("äöüäöü", 4, width) == "äöüä\nöü");
    CHECK(wrap_words("abc", 0, width) == "a\nb\nc");
    CHECK(wrap_words("desk.example.com", 14, width) == "desk.example.\ncom");
    CHECK(wrap_words("a.bcdefghijk", 8, width) == "a.bcdefg\nhijk");
}

TEST_CASE("text fit: what has no room is left out")
{
    CHECK(without_middle("short", 5, width) == "short");
    CHECK(without_middle("long-host-name:2", 9, width) == "long…me:2");
    CHECK(without_middle("äöüäöüäöü", 5, width) == "äö…öü");
    CHECK(without_middle("abc", 1, width) == "…");
    CHECK(short_words("to long-host-name:2 now", 9, width) == "to long…me:2 now");
}
