// What takes several estimators together, under a fake clock: what the path answers.
#include "path.hpp"

TEST_CASE("after a pause nothing waited on its way")
{
    Path c(100);

    c.request();
    c.wait(300);
    c.update(10);
    CHECK(c.p.queue == 0);
    c.request();
    c.wait(400);
    c.begin();
    CHECK(c.p.queue == 0);
}

TEST_CASE("within a run each update answers one request, and the oldest tells the queue")
{
    Path c(100);
    for (int i = 0; i < 6; i++) { // 0 .. 50
        c.request();
        c.wait(10);
    }
    c.wait(50); // 110
    c.update(40, 100000, true);
    CHECK(path_in_flight(&c.p) == 4); // that of 0 and that of 10
    c.update(40, 100000, true);       // answers the one of 20 at 150: 30 ms late
    CHECK(path_in_flight(&c.p) == 3);
    double packet = 1460 / 2.5e6 * 1e3; // ms: an update is noticed when its first one has come
    CHECK(tick_to_ms(tick_t(c.p.queue)) == Approx(30 - packet).epsilon(0.01));
    c.update(40);
    CHECK(tick_to_ms(tick_t(c.p.queue)) == Approx(60 - packet).epsilon(0.01));
    CHECK(c.p.service.time == Approx(double(40 * TICK_MS)));
    CHECK(c.p.delivery.rate == Approx(2.5e6).epsilon(0.02));
    CHECK(c.period() == Approx(40 / 0.92 * (1 + (60 - packet) / 500)).epsilon(0.01));
}

TEST_CASE("a request waited for the content when it had been at the server for more than 4 ms")
{
    for (double ms : {104.9, 105.1}) { // a round trip, a packet, and 4 ms
        Path c(100);

        c.update(10);
        c.wait(100);
        delivery_change(&c.p.delivery, 1.46e6); // a packet takes 1 ms
        c.request();
        c.wait(ms);
        c.begin();
        CHECK(c.p.waited == (ms > 105));
    }
    Path asked_for_nothing(100);
    asked_for_nothing.begin();
    CHECK_FALSE(asked_for_nothing.p.waited);
}

TEST_CASE("an answer that comes sooner than after a round trip was in no queue")
{
    Path c(100);

    c.update(10, 100000, true);
    c.request();
    c.begin(); // in the same run: the request cannot have been at the server
    CHECK(c.p.queue == 0);
}

TEST_CASE("within a run no request waited for the content")
{
    Path c(100);

    c.request();
    c.wait(250);
    c.request();
    c.wait(50);
    c.update(100, 100000, true); // answers the first
    CHECK(c.p.waited);
    c.begin();
    CHECK_FALSE(c.p.waited);
    CHECK(c.p.queue > 40e6); // it was at the server 50 ms before
}

TEST_CASE("a frame shows the content's gap when a request waited for it, on a free downlink")
{
    for (bool waited : {false, true}) {
        Path c(100);

        c.update(1);
        c.wait(500);
        c.request();
        c.wait(waited ? 200 : 50);
        c.update(1);
        path_frame(&c.p, 100e6);
        // 1000 / 30 and a tenth of what is missing to 100
        CHECK(tick_to_ms(c.p.content.gap) == Approx(waited ? 40 : 33.333));
    }
}

TEST_CASE("the period of the path is the service time in 92 % of the downlink")
{
    Path c(100);

    CHECK(c.period() == 0); // no limit is known
    c.p.service.time = 46e6;
    CHECK(c.period() == Approx(50));
}

TEST_CASE("a queue makes the period longer, so that it is gone in half a second")
{
    Path c(100);

    c.p.service.time = 46e6;
    c.p.queue = 100e6;
    CHECK(c.period() == Approx(60)); // 50 x (1 + 100 / 500)
    c.p.service.time = 920e6;
    CHECK(c.period() == Approx(1100)); // 1000, and no more than the queue itself
}

TEST_CASE("a queue that stays for a round trip and a second makes the period twice as long")
{
    Path c(100);

    c.p.service.time = 46e6;
    c.p.queue = 60e6;
    c.p.downlink.finished = c.now;
    c.p.downlink.run_since = c.now - 1100 * TICK_MS;
    CHECK(c.period() == Approx(56)); // 50 x (1 + 60 / 500)
    c.p.downlink.run_since--;
    CHECK(c.period() == Approx(100));
    c.p.queue = 46e6; // not more than one update waits
    CHECK(c.period() == Approx(54.6));
    c.p.queue = 60e6;
    c.p.server.type = SERVER_COUNTS; // it sends what it owes, however long that takes
    CHECK(c.period() == Approx(56));
}

TEST_CASE("the period of the path is never longer than four seconds")
{
    Path c(100);

    c.p.service.time = 30e9;
    CHECK(c.period() == 4000);
}

TEST_CASE("before anything has arrived there is room for two requests")
{
    CHECK(Path(1000).room(10) == 2);
}

TEST_CASE("there is room for eight requests as long as no round trip is known")
{
    Path c(100);

    round_trip_init(&c.p.round_trip);
    c.update(20, 50000, true);
    CHECK(c.room(25) == 8);
    path_ran_dry(&c.p);
    CHECK(c.room(25) == 8);
}

TEST_CASE("there is room for a round trip of requests and no more, unless the downlink pauses")
{
    Path c(100);

    c.update(20, 50000, true);                // the path answers one in 21.7 ms
    CHECK(c.room(25) == 4);                   // 100 / 25
    CHECK(c.room(30) == 4);                   // 3.3 are four
    CHECK(c.room(20) == 5);                   // 100 / 20
    CHECK(c.room(25, 2) == 8);                // 2 x 100 / 25
    CHECK(c.room_at(path_period(&c.p)) == 5); // no more than the path answers
    CHECK(c.room(500) == 1);                  // one at least
    path_ran_dry(&c.p);                       // it was no update
    CHECK(c.room(25) == 12);                  // eight may wait at a still server
    for (int i = 0; i < 4; i++)
        c.request();
    CHECK(c.room(25) == 8);
    c.update(20);
    CHECK(path_room_from(&c.p, 25 * TICK_MS, 1) == 0);
}

TEST_CASE("the way is clear when nothing comes, no queue is left, and the server merges")
{
    Path c(100);

    CHECK(path_clear_from(&c.p) == 0);
    c.begin();
    CHECK(path_clear_from(&c.p) == TICK_NEVER);
    c.wait(20);
    path_update_finished(&c.p, 50000, true, true, c.now);
    CHECK(path_clear_from(&c.p) == TICK_NEVER); // the next one waits
    path_ran_dry(&c.p);
    CHECK(path_clear_from(&c.p) == 0);
    c.p.queue = 20e6; // one update
    CHECK(path_clear_from(&c.p) == 0);
    c.p.queue = 21e6; // gone after 2 ms and two packets
    CHECK(path_clear_from(&c.p) > c.now + 2 * TICK_MS);
    CHECK(path_clear_from(&c.p) < c.now + 4 * TICK_MS);
    c.p.queue = 0;
    c.p.server.type = SERVER_COUNTS;
    CHECK(path_clear_from(&c.p) == TICK_NEVER);
}

TEST_CASE("the path is at rest when no answer can be on its way")
{
    Path c(100);

    CHECK(path_at_rest(&c.p, c.now));
    c.update(20);
    CHECK(path_at_rest(&c.p, c.now)); // nothing is in flight
    c.request();
    CHECK_FALSE(path_at_rest(&c.p, c.now + 119 * TICK_MS)); // a round trip and the service time
    CHECK(path_at_rest(&c.p, c.now + 120 * TICK_MS));       // it waits at the server for what comes
    c.p.queue = 21e6;                                       // longer than an update
    CHECK_FALSE(path_at_rest(&c.p, c.now + TICK_MS));
    CHECK(path_at_rest(&c.p, c.now + TICK_S)); // nothing has come: that queue is gone
    for (int i = 0; i < 3; i++)
        c.request();
    CHECK(path_room_from(&c.p, 25 * TICK_MS, 1) == path_clear_from(&c.p)); // four fit a round trip
    c.p.queue = 0;
    c.wait(1000);
    c.begin();
    CHECK_FALSE(path_at_rest(&c.p, c.now));
}

TEST_CASE("nothing comes when all that was asked for has come")
{
    Path c(100);

    CHECK_FALSE(path_nothing_comes(&c.p)); // it is not known yet what comes
    c.update(20);
    CHECK(path_nothing_comes(&c.p));
    c.request();
    CHECK_FALSE(path_nothing_comes(&c.p));
    c.wait(110);
    c.begin();
    CHECK_FALSE(path_nothing_comes(&c.p));
    c.wait(20);
    path_update_finished(&c.p, 100000, false, true, c.now);
    CHECK(path_nothing_comes(&c.p));
}
