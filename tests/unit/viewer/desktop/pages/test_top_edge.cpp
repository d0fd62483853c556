// The bar at the top edge of full screen: when it comes, and whose a click is.
#include "tests/catch.hpp"

#include "viewer/desktop/pages/menu/top_bar.h"

namespace
{

const int BOTTOM = 40;

struct Edge {
    top_edge e{};
    tick_t now = 100 * TICK_S;

    Edge()
    {
        move(300);
    }
    void move(int y)
    {
        top_edge_move(&e, y, e.shown ? BOTTOM : 0, now);
    }
    void pass(tick_t time)
    {
        now += time;
        top_edge_time(&e, now);
    }
    bool takes() const
    {
        return top_edge_takes_clicks(&e);
    }
};

} // namespace

TEST_CASE("the bar comes when the pointer has rested at the edge, and not before", "[top-edge]")
{
    Edge t;

    CHECK(top_edge_wait(&t.e) == TICK_NEVER);
    t.move(TOP_EDGE_LINES);
    t.pass(TICK_S);
    CHECK_FALSE(t.e.shown);
    t.move(0);
    CHECK(top_edge_wait(&t.e) == t.now + TOP_EDGE_REST);
    t.pass(TOP_EDGE_REST - 1);
    CHECK_FALSE(t.e.shown);
    t.move(0); // along the edge
    t.pass(1);
    CHECK(t.e.shown);
    CHECK(top_edge_wait(&t.e) == t.now + TOP_EDGE_ARMING);
    t.pass(TOP_EDGE_ARMING);
    CHECK(t.e.shown);
}

TEST_CASE("who only passes the edge sees no bar", "[top-edge]")
{
    Edge t;

    t.move(0);
    t.pass(TOP_EDGE_REST / 2);
    t.move(3);
    t.pass(TOP_EDGE_REST);
    t.move(0);
    t.pass(TOP_EDGE_REST - 1);
    CHECK_FALSE(t.e.shown);
    top_edge_leave(&t.e);
    t.pass(TICK_S);
    CHECK_FALSE(t.e.shown);
}

TEST_CASE("a pointer that is parked at the edge has no bar for long", "[top-edge]")
{
    Edge t;

    t.move(0);
    t.pass(TOP_EDGE_REST);
    t.pass(TOP_EDGE_ARMING);
    t.pass(TOP_EDGE_STAY - TOP_EDGE_ARMING - 1);
    CHECK(t.e.shown);
    t.pass(1);
    CHECK_FALSE(t.e.shown);
    CHECK(top_edge_wait(&t.e) == TICK_NEVER);
    t.move(10);
    t.move(0);
    t.pass(TOP_EDGE_REST);
    CHECK(t.e.shown);
    t.move(20); // on the bar it stays
    t.pass(TOP_EDGE_ARMING);
    CHECK(top_edge_wait(&t.e) == TICK_NEVER);

    top_edge_leave(&t.e); // and comes in again there
    CHECK_FALSE(t.e.shown);
    t.move(0);
    t.pass(TOP_EDGE_REST);
    CHECK(t.e.shown);
    top_edge_reset(&t.e); // it is there when full screen begins
    t.move(0);
    t.pass(TICK_S);
    CHECK_FALSE(t.e.shown);
}

TEST_CASE("a click at the edge is the server's, and so is the next one", "[top-edge]")
{
    Edge t;

    t.move(0);
    t.pass(TOP_EDGE_REST);
    t.pass(TICK_S);
    REQUIRE(t.e.shown);
    CHECK_FALSE(t.takes());
    top_edge_spend(&t.e);
    CHECK_FALSE(t.e.shown);
    t.move(0);
    t.pass(TICK_S);
    CHECK_FALSE(t.e.shown);
    t.move(10);
    t.move(0);
    t.pass(TOP_EDGE_REST);
    CHECK(t.e.shown);
}

TEST_CASE("a click before anybody could have seen the bar is the server's", "[top-edge]")
{
    Edge t;

    t.move(0);
    t.pass(TOP_EDGE_REST);
    t.move(20);
    t.pass(TOP_EDGE_ARMING - 1);
    CHECK_FALSE(t.takes());
    t.pass(1);
    CHECK(t.takes());
}

TEST_CASE("the bar goes when the pointer leaves it", "[top-edge]")
{
    Edge t;

    t.move(0);
    t.pass(TOP_EDGE_REST);
    t.move(BOTTOM);
    CHECK(t.e.shown);
    t.move(2 * BOTTOM);
    CHECK_FALSE(t.e.shown);
    CHECK_FALSE(t.takes());
}
