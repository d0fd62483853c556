// The pusher tells how long each part of an answer took at its end, to who lists that it may.
#include "far_end_sides.hpp"

#include "rfb/session/pacing/responses.h"

using namespace far_end;

namespace
{

// A viewer that measures responses as a session does.
struct Measured {
    pacing *pace;
    responses *measured;
    Far far{64, 48};
    Server server{far.server, 64, 48};
    std::unique_ptr<Viewer> viewer;
    Picture next{64, 48, 0x111111};

    Measured()
    {
        const pacing_options options = {};
        pace = pacing_create(&options);
        measured = responses_create(pace);
        Also also;
        also.block = [this](const block &) { responses_shown(measured); };
        also.responses = measured;
        viewer = std::make_unique<Viewer>(far.viewer, 64, 48, IN_TIME, false, also);
        REQUIRE(viewer->await_picture(server.with([&] { return server.picture; })));
    }
    ~Measured()
    {
        viewer.reset();
        responses_destroy(measured);
        pacing_destroy(pace);
    }
    // A key, which the server answers so much later.
    void press(uint32_t keysym, std::chrono::milliseconds later)
    {
        responses_input(measured, 1, true, tick_now());
        viewer->say(key(keysym));
        REQUIRE(server.await_heard(key(keysym)));
        std::this_thread::sleep_for(later);
        for (uint32_t &pixel : next.pixels)
            pixel += 0x010101;
        server.draw([&](Picture &p) {
            p = next;
            return rect{0, 0, p.w, p.h};
        });
        REQUIRE(viewer->await_picture(next));
    }
    struct responses_figures figures() const
    {
        struct responses_figures out;
        responses_figures(measured, -1, &out);
        return out;
    }
    bool await_told() const
    {
        auto end = std::chrono::steady_clock::now() + PATIENCE;
        while (!figures().parts.far && std::chrono::steady_clock::now() < end)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return figures().parts.far;
    }
};

} // namespace

TEST_CASE("pusher: what an answered key took there is told, and fits what the viewer has measured")
{
    Measured m;
    m.viewer->say(encodings(true));
    // a machine that is too busy for two seconds measures nothing
    for (uint32_t k = 'a'; k < 'k' && !m.figures().parts.far; k++) {
        m.press(k, std::chrono::milliseconds(50));
        if (m.figures().response > 0)
            CHECK(m.await_told());
    }
    const response_parts p = m.figures().parts;
    REQUIRE(p.far);
    CHECK(response_parts_valid(&p));
    CHECK(p.part[RESPONSE_SERVER] >= 49 * TICK_MS);
    CHECK(p.part[RESPONSE_REST] == 0);
    CHECK(p.total >= p.part[RESPONSE_SERVER]);
    CHECK(p.loss < 0); // no datagrams
}

TEST_CASE("pusher: who does not list it is told nothing")
{
    Measured m;
    m.press('a', std::chrono::milliseconds(0));
    CHECK(m.far.comes_to_rest());
    m.server.say(std::string(1, '\2'));
    CHECK(m.viewer->await_told("bell"));
    CHECK_FALSE(m.figures().parts.far);
}
