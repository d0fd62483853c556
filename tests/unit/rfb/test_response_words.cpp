// One sentence about a response, and its parts as a list.
#include "tests/catch.hpp"

#include <string>

#include "rfb/texts/response_words.h"

namespace
{

// ms of each part.
response_parts parts(const std::vector<std::pair<response_part, double>> &took, double loss = -1)
{
    response_parts p = {};
    p.loss = loss;
    for (const auto &[part, ms] : took)
        p.total += p.part[part] = tick_from_ms(ms);
    return p;
}

std::string says(const response_parts &p)
{
    char out[RESPONSE_WORDS];
    response_say(out, sizeof out, &p);
    return out;
}

std::string lists(const response_parts &p, bool plain, size_t size = 200)
{
    std::string out(size, 'x');
    response_list(&out[0], size, &p, plain);
    return out.c_str();
}

} // namespace

TEST_CASE("response words: who took most is named")
{
    CHECK(says({}) == "");
    CHECK(says(parts({{RESPONSE_SERVER, 40}, {RESPONSE_PATH, 15}, {RESPONSE_QUEUE, 10}})) ==
          "The server took 40 of 65 ms");
    // what waits at the far end waits for the line
    CHECK(says(parts({{RESPONSE_SERVER, 5}, {RESPONSE_PATH, 40}, {RESPONSE_QUEUE, 20}})) ==
          "The line takes 60 of 65 ms");
    CHECK(says(parts({{RESPONSE_PATH, 20}, {RESPONSE_REST, 40}, {RESPONSE_DECODER, 5}})) ==
          "The server and the line took 40 of 65 ms");
    CHECK(says(parts({{RESPONSE_PATH, 20}, {RESPONSE_DECODER, 15}, {RESPONSE_DISPLAY, 30}})) ==
          "This computer took 45 of 65 ms");
    CHECK(says(parts({{RESPONSE_PATH, 1}, {RESPONSE_INPUT, 2}, {RESPONSE_ENCODER, 2}})) ==
          "The far end took 4.0 of 5.0 ms");
}

TEST_CASE("response words: a line that loses much is named so, if it is the line")
{
    CHECK(says(parts({{RESPONSE_PATH, 60}, {RESPONSE_SERVER, 5}}, 0.03)) == "The line loses 3 %");
    CHECK(says(parts({{RESPONSE_PATH, 60}, {RESPONSE_SERVER, 5}}, 0.009)) ==
          "The line takes 60 of 65 ms");
    CHECK(says(parts({{RESPONSE_PATH, 5}, {RESPONSE_SERVER, 60}}, 0.03)) ==
          "The server took 60 of 65 ms");
}

TEST_CASE("response words: the parts in the order of the way, in both languages")
{
    const response_parts p = parts({{RESPONSE_INPUT, 0.04},
                                    {RESPONSE_SERVER, 40},
                                    {RESPONSE_ENCODER, 1},
                                    {RESPONSE_QUEUE, 2},
                                    {RESPONSE_PATH, 20},
                                    {RESPONSE_DECODER, 2},
                                    {RESPONSE_DISPLAY, 12}});

    CHECK(lists(p, false) ==
          "server 40, encoder 1.0, queue 2.0, network path 20, decoder 2.0, display 12 ms");
    CHECK(lists(p, true) == "server 40, line 22, far end 1.0, this computer 14 ms");
    CHECK(lists({}, true) == "");
    CHECK(lists(p, false, 10) == "server 40");
    CHECK(lists(p, true, 1) == "");
}
