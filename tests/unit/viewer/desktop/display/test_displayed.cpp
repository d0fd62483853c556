// The display's part of a response: the first picture that the window drew after it was decoded.
#include "tests/catch.hpp"

#include <memory>

#include "viewer/desktop/display/displayed.h"

namespace
{

const tick_t MS = TICK_MS;

struct Window {
    std::unique_ptr<displayed> d{new displayed()};

    // The response took 65 ms up to then.
    session_stats add(tick_t drawn, double response_ms = 65)
    {
        session_stats s = {};
        response_parts_near(&s.response, 20 * MS, 65 * MS, 4 * MS);
        s.response_drawn = drawn;
        s.response_ms = response_ms;
        displayed_add(d.get(), &s);
        CHECK(response_parts_valid(&s.response));
        return s;
    }
    tick_t display(tick_t drawn)
    {
        return add(drawn).response.part[RESPONSE_DISPLAY];
    }
};

} // namespace

TEST_CASE("displayed: the first picture that was begun after it, and the sum has it")
{
    Window w;
    displayed_picture(w.d.get(), 90 * MS, 105 * MS); // of the picture before
    displayed_picture(w.d.get(), 107 * MS, 116 * MS);
    displayed_picture(w.d.get(), 120 * MS, 130 * MS);
    const session_stats s = w.add(100 * MS);
    CHECK(s.response.part[RESPONSE_DISPLAY] == 16 * MS);
    CHECK(s.response.total == 81 * MS);
    CHECK(s.response_ms == Approx(81));
    CHECK(w.add(100 * MS, 0).response_ms == 0);   // it is not of the last second
    CHECK(w.add(100 * MS, 70).response_ms == 70); // it is of another input
}

TEST_CASE("displayed: it is known a second later, and kept when newer pictures come")
{
    Window w;
    CHECK(w.display(100 * MS) == 0);
    displayed_picture(w.d.get(), 101 * MS, 110 * MS);
    CHECK(w.display(100 * MS) == 10 * MS);
    for (int i = 0; i < 2 * DISPLAYED_PICTURES; i++)
        displayed_picture(w.d.get(), (200 + i) * MS, (201 + i) * MS);
    CHECK(w.display(100 * MS) == 10 * MS);
    CHECK(w.display(2000 * MS) == MS);
    CHECK(w.display(600 * MS) == 0); // the first one after it is not kept any more
}

TEST_CASE("displayed: a picture much later was not waited for")
{
    Window w;
    displayed_picture(w.d.get(), 3 * TICK_S, 3 * TICK_S + MS);
    CHECK(w.display(TICK_S) == 0);
    session_stats nothing = {};
    displayed_add(w.d.get(), &nothing);
    CHECK(nothing.response.total == 0);
}
