/* A server that encodes in a thread of its own while another one reads what we say. */
#include "tests/e2e/check.hpp"
#include "tests/e2e/program.hpp"

using namespace e2e;

TEST_CASE("LibVNCServer with threads may be told something while it encodes", "[connect]")
{
    auto demo = start_demo_server({"--fps", "60"});
    ViewerOptions options;
    options.address = demo.address();
    options.compress = 9; /* it is told another level as soon as it is known */
    for (int i = 0; i < 10; i++) {
        Viewer viewer(options);
        require_connected(viewer);
        CHECK(wait_until(PATIENCE, [&] { return viewer.stats().compress == 2; }));
        auto ended = viewer.wait_closed(milliseconds(500)); /* 30 frames */
        INFO(ended.value_or(""));
        REQUIRE_FALSE(ended);
    }
}
