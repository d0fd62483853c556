// The figures of a session, a second at a time.
#include "tests/catch.hpp"

#include <cstring>
#include <map>
#include <string>

#include "viewer/statistics.h"

namespace
{

struct Counted {
    struct statistics s;
    struct session_stats now = {};
    struct drawn drawn = {};

    Counted()
    {
        statistics_begin(&s);
        strcpy(now.rule, "beat");
        second(0, 0);
    }
    // So many pictures have come and were shown, and the decoder has worked for `busy_ms`.
    void second(unsigned received, unsigned shown, double busy_ms = 0)
    {
        now.elapsed += TICK_S;
        now.meter.updates += received;
        now.decode_s += busy_ms / 1e3;
        drawn.pictures += shown;
        drawn.seconds += shown * 0.002;
        statistics_second(&s, &now, &drawn);
    }
    std::map<std::string, std::string> rows(bool expert = true) const
    {
        struct statistics_row list[STATISTICS_ROWS];
        std::map<std::string, std::string> all;
        int count = statistics_rows(&s, expert, list);

        REQUIRE(count <= STATISTICS_ROWS);
        for (int i = 0; i < count; i++)
            all[list[i].name] = list[i].value;
        CHECK(all.size() == static_cast<size_t>(count));
        return all;
    }
    std::string line() const
    {
        char out[400];
        statistics_line(&s, out, sizeof out);
        return out;
    }
};

} // namespace

TEST_CASE("nothing is known at first")
{
    struct statistics s;

    statistics_begin(&s);
    struct statistics_row rows[STATISTICS_ROWS];
    CHECK(statistics_rows(&s, true, rows) > 0);
    CHECK(s.count == 0);
    Counted c;
    CHECK(c.s.count == 0); // the first second has none before it
    CHECK(c.rows()["Round trip"] == "not known");
    CHECK(c.rows()["Response delay"] == "nothing was typed or clicked");
    CHECK(c.rows()["For a picture"] == "- to decode, - to show");
}

TEST_CASE("a second is what came since the one before")
{
    Counted c;

    c.second(30, 29, 60);
    CHECK(c.rows()["Pictures a second"] == "30.0 received, 29.0 shown");
    CHECK(c.rows()["For a picture"] == "2.0 ms to decode, 2.0 ms to show");
    c.second(0, 0);
    CHECK(c.rows()["Pictures a second"] == "0.0 received, 0.0 shown");
    CHECK(c.rows()["For a picture"] == "- to decode, - to show");
    CHECK(c.s.count == 2);
    CHECK(c.s.frames[0] == 30);
    CHECK(c.s.frames[1] == 0);
    CHECK(c.s.responses[0] < 0);
}

TEST_CASE("statistics: parts of a pushed picture are not counted as pictures")
{
    Counted c;

    c.now.blocks = true;
    c.second(30, 450, 60); // each part is drawn as soon as it has come
    CHECK(c.rows()["Pictures a second"] == "30.0 received");
    CHECK(c.rows()["For a picture"] == "2.0 ms to decode, 30 ms to show");
    CHECK(c.line().find("30 pictures received (0.0 a second); a picture took 2.0 ms to decode, "
                        "30 ms to show") != std::string::npos);
    c.second(0, 3);
    CHECK(c.rows()["Pictures a second"] == "0.0 received");
    CHECK(c.rows()["For a picture"] == "- to decode, - to show");
}

TEST_CASE("round trip and response are shown with their ends, and the newest response stays")
{
    Counted c;

    for (double ms : {20.0, 40.0, 30.0}) {
        c.now.rtt_now_ms = ms;
        c.now.response_ms = ms + 15;
        c.second(1, 1);
    }
    c.now.response_ms = 0;
    c.second(1, 1);
    CHECK(c.rows()["Round trip"] == "30 ms, 20 to 40 in a minute");
    CHECK(c.rows()["Response delay"] == "45 ms, 35 to 55 in a minute");
}

TEST_CASE("statistics: a round trip that is hardly one has no digits that mean nothing")
{
    Counted c;

    c.now.rtt_now_ms = 0.004;
    c.second(1, 1);
    CHECK(c.rows(false)["To the server and back"] == "below 0.1 ms");
    c.now.rtt_now_ms = 20;
    c.second(1, 1);
    CHECK(c.rows()["Round trip"].find("20 ms, ") == 0);
}

TEST_CASE("a minute is kept")
{
    Counted c;

    for (unsigned i = 1; i <= 100; i++)
        c.second(i, i);
    CHECK(c.s.count == STATISTICS_SECONDS);
    CHECK(c.s.frames[STATISTICS_SECONDS - 1] == 100);
    CHECK(c.s.frames[0] == 100 - STATISTICS_SECONDS + 1);
}

TEST_CASE("the period is named with its rule")
{
    Counted c;

    c.now.prp_ms = 33;
    c.second(1, 1);
    CHECK(c.rows()["Request period"] == "33 ms, rule \"beat\"");
    c.now.prp_ms = 0;
    *c.now.rule = 0;
    c.second(1, 1);
    CHECK(c.rows()["Request period"] == "off, rule \"none\"");
    c.now.pushed = true;
    c.second(1, 1);
    CHECK(c.rows()["Request period"] == "none: the server sends by itself");
}

TEST_CASE("the delivery rate has a unit that fits")
{
    Counted c;

    c.now.delivery_rate = 50e3;
    c.now.busy = 0.25;
    c.second(1, 1);
    CHECK(c.rows()["Delivery rate"] == "400.0 kbit/s, 25 % of it in use");
    c.now.delivery_rate = 4e6;
    c.second(1, 1);
    CHECK(c.rows()["Delivery rate"] == "32 Mbit/s, 25 % of it in use");
}

TEST_CASE("statistics: what the server's sound takes, and what came too late")
{
    Counted c;

    CHECK(c.rows().count("Sound") == 0);
    c.now.sound = SOUND_ON;
    c.now.sound_bytes = 176400;
    c.second(1, 1);
    CHECK(c.rows()["Sound"] == "1.4 Mbit/s");
    c.now.sound_bytes += 176400;
    c.now.sound_late += 17640;
    c.second(1, 1);
    CHECK(c.rows()["Sound"] == "1.4 Mbit/s, 10 % of it too late");
    c.second(1, 1);
    CHECK(c.rows()["Sound"] == "0.0 Mbit/s");
    c.now.sound = SOUND_MUTED;
    c.second(1, 1);
    CHECK(c.rows()["Sound"] == "off");
    c.s.sound_fails = true;
    CHECK(c.rows(false)["Sound"] == "off: this computer cannot play it");
    c.now.sound = SOUND_SLOW;
    c.second(1, 1);
    CHECK(c.rows(false)["Sound"] == "off: the connection may be too slow");
}

TEST_CASE("the whole session is one line")
{
    Counted c;

    c.now.rtt_now_ms = 20;
    c.now.response_ms = 50;
    c.second(10, 9, 40);
    c.now.response_ms = 70;
    c.second(10, 9, 40);
    c.now.fps = 9.5;
    CHECK(c.line() == "3 s, 20 pictures received (0.0 a second), 18 shown, response delay 60.0 ms "
                      "(50.0 to 70.0), round trip 20.0 ms (20.0 to 20.0); a picture took 4.0 ms to "
                      "decode, 2.0 ms to show");
}

TEST_CASE("figures of any size fit")
{
    Counted c;

    c.now.rtt_now_ms = c.now.response_ms = c.now.queue_ms = c.now.prp_ms = 1e300;
    c.now.delivery_rate = c.now.busy = 1e300;
    c.now.meter.updates = UINT64_MAX / 2;
    c.second(1, 1, 1e30);
    c.rows();
    CHECK(c.line().size() < 400);
}

TEST_CASE("statistics: who is no expert reads no expert's words, and why it is slow")
{
    Counted c;

    c.now.prp_ms = 33;
    c.now.in_flight = 3;
    c.s.slow_because = "the network delivers pictures late";
    c.second(30, 30);
    for (bool pushed : {false, true}) {
        c.now.pushed = pushed;
        c.second(30, 30);
        for (const auto &[name, value] : c.rows(false))
            for (const char *word : {"rule", "Request", "Response", "Round", "Queue", "Delivery",
                                     "flight", "period", "beat", "JPEG"})
                if ((name + value).find(word) != std::string::npos)
                    FAIL(name << ": " << value);
    }
    c.now.pushed = false;
    c.second(30, 30);
    CHECK(c.rows(false)["Pictures are asked for"] == "every 33 ms");
    CHECK(c.rows(false)["Slow because"] == "the network delivers pictures late");
    c.s.slow_because = "";
    CHECK(c.rows(false).count("Slow because") == 0);
}

TEST_CASE("statistics: the quality is that of the far end where one pushes")
{
    struct session_stats s {
    };
    auto quality = [&](bool expert) {
        char text[80];
        statistics_quality(text, sizeof text, &s, expert);
        return std::string(text);
    };
    s.quality = 8;
    s.compress = 2;
    CHECK(quality(true) == "JPEG 8, compression 2");
    CHECK(quality(false) == "8 of 9, compression 2 of 9");
    s.h264 = true;
    CHECK(quality(false) == "H.264, 8 of 9");
    s.blocks = true;
    CHECK(quality(false) == "exact");
    s.jpeg = 60;
    CHECK(quality(true) == "JPEG 60 of 100 while it moves, then exact");
    s.film = true;
    CHECK(quality(false) == "film (H.264) while it moves, then exact");
    s.pushing.film_qp = 28;
    CHECK(quality(false) == "film (H.264, QP 28) while it moves, then exact");
    s.film = false;
    CHECK(quality(false) == "JPEG 60 of 100 while it moves, then exact");
}

TEST_CASE("statistics: what only the asking side knows is left out where a far end pushes")
{
    Counted c;

    c.second(1, 1);
    CHECK(c.rows().count("Requests in flight") == 1);
    c.now.blocks = true;
    c.second(1, 1);
    for (const char *name : {"Queueing delay", "Delivery rate", "Requests in flight"})
        CHECK(c.rows().count(name) == 0);
    CHECK(c.rows().count("Round trip") == 1);
}

TEST_CASE("statistics: the parts of the newest response, and what took most of it")
{
    Counted c;

    c.second(1, 1);
    CHECK(c.rows().count("Parts of the newest") == 0);
    response_parts_near(&c.now.response, 20 * TICK_MS, 65 * TICK_MS, 5 * TICK_MS);
    c.s.slow_because = "the network delivers pictures late"; // all rows that there can be
    c.second(1, 1);
    CHECK(c.rows()["Parts of the newest"] == "network path 20, server and line 40, decoder 5.0 ms");
    CHECK(c.rows()["Most of it"] == "The server and the line took 40 of 65 ms");
    CHECK(c.rows(false)["Of that took"] == "line 20, server and line 40, this computer 5.0 ms");
    c.now.response.total = 1e9 * TICK_S;
    for (tick_t &part : c.now.response.part)
        part = 1e8 * TICK_S;
    c.second(1, 1);
    CHECK(c.rows()["Parts of the newest"].size() < sizeof statistics_row::value);
}
