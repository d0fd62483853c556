// The pace of a session: what it writes when, what counts as a picture, in virtual time.
#include "tests/catch.hpp"

#include <string>

#include "rfb/session/pacing/pacing.h"

namespace
{

constexpr tick_t BEGIN = 1000 * TICK_S;

struct Pace {
    pacing *p;
    tick_t now = BEGIN;
    pacing_bytes bytes = {};

    explicit Pace(prp_policy policy = PRP_OFF, int quality = LEVEL_AUTO, bool push = false)
    {
        pacing_options o = {};
        reason why = {};
        REQUIRE(encoding_list_parse(&o.encodings.list, ENCODINGS_DEFAULT, &why));
        o.encodings.quality = quality;
        o.encodings.compress = LEVEL_AUTO;
        o.encodings.jpeg = true;
        o.encodings.push = push;
        o.scheduler.policy = policy;
        o.scheduler.lossless_refresh = true;
        o.scheduler.fixed_prp = 40 * TICK_MS;
        p = pacing_create(&o);
        uint8_t setup[PACING_SETUP_MAX];
        CHECK(pacing_write_setup(p, setup, false, now) <= sizeof setup);
        pacing_new_picture(p, 64, 48, true, now);
    }
    ~Pace()
    {
        pacing_destroy(p);
    }
    Pace(const Pace &) = delete;
    Pace &operator=(const Pace &) = delete;

    // The types of the messages that are written now. All are of fixed length here.
    std::string write(bool room = true, bool more_waits = false)
    {
        uint8_t out[PACING_WRITE_MAX];
        pacing_turn turn = {room, more_waits};
        size_t size = pacing_write(p, out, &turn, now);
        std::string types;
        for (size_t at = 0; at < size;) {
            if (out[at] == CLIENT_UPDATE_REQUEST) {
                types += out[at + 1] ? 'i' : 'f'; // incremental, full
                at += 10;
            } else if (out[at] == CLIENT_SET_ENCODINGS) {
                types += 'e';
                at += 4 + 4 * static_cast<size_t>(out[at + 2] << 8 | out[at + 3]);
            } else {
                REQUIRE(out[at] == CLIENT_ENABLE_CONTINUOUS_UPDATES);
                types += 'p';
                at += 10;
            }
        }
        return types;
    }
    void begin()
    {
        pacing_begun(p, &bytes, now);
    }
    void draw(bool answer = false)
    {
        pacing_drawn(p, {0, 0, 16, 16}, ENCODING_RAW, false, answer, now);
    }
    void show(bool pixels = true)
    {
        const char *why;
        pacing_shown(p, &bytes, pixels, now, &why);
    }
    session_stats stats()
    {
        session_stats s = {};
        pacing_stats(p, &bytes.info, false, now, &s);
        return s;
    }
};

} // namespace

TEST_CASE("pacing: a new picture is asked for in full, then changes")
{
    Pace pace;
    CHECK(pace.write() == "f");
    CHECK(pace.write() == "");
    pace.begin();
    pace.draw();
    pace.show();
    CHECK(pace.write().back() == 'i');
    CHECK(pace.stats().meter.updates == 1);
    CHECK(pace.stats().meter.requests[REQUEST_FIRST] == 1);
    CHECK(pace.stats().meter.requests[REQUEST_REACTIVE] == 1);
}

TEST_CASE("pacing: without room nothing leaves, one request is skipped, and room brings it back")
{
    Pace pace;
    CHECK(pace.write(false) == "");
    CHECK(pacing_waits_for_room(pace.p));
    CHECK(pace.stats().meter.skipped == 1);
    CHECK(pace.write(false) == "");
    CHECK(pace.stats().meter.skipped == 1);
    CHECK(pace.write() == "f");
    CHECK_FALSE(pacing_waits_for_room(pace.p));
    CHECK(pace.write(false, true) == "");
    CHECK(pacing_waits_for_room(pace.p)); // something else does
}

TEST_CASE("pacing: the sender is woken only for what is due before it wakes by itself")
{
    Pace pace;
    pace.write();
    tick_t until = pacing_sleep(pace.p, pace.now + TICK_S, pace.now);
    CHECK(until == pace.now + TICK_S); // nothing is due while the answer is awaited
    CHECK_FALSE(pacing_begun(pace.p, &pace.bytes, pace.now));
    pace.draw();
    const char *why;
    CHECK(pacing_shown(pace.p, &pace.bytes, true, pace.now, &why));
    pace.write();
    CHECK(pacing_sleep(pace.p, pace.now + TICK_S, pace.now) == pace.now + TICK_S);
}

TEST_CASE("pacing: pre-requests leave on their timer while the answer is on its way")
{
    Pace pace(PRP_FIXED);
    CHECK(pace.write() == "f");
    pace.begin();
    pace.draw();
    pace.show();
    pace.write();
    int timed = 0;
    for (int i = 0; i < 10; i++) {
        pace.now = pacing_sleep(pace.p, pace.now + TICK_S, pace.now);
        timed += pace.write() == "i";
    }
    CHECK(timed == 10);
    CHECK(pace.now == BEGIN + 10 * 40 * TICK_MS);
    CHECK(pace.stats().meter.requests[REQUEST_TIMER] == 10);
}

TEST_CASE("pacing: blocks have no beginning, and each time that they are shown is one picture")
{
    Pace pace;
    pacing_unasked(pace.p, true, pace.now);
    for (int i = 0; i < 3; i++) {
        pace.now += 10 * TICK_MS;
        pace.draw();
        pace.draw();
        pace.show();
    }
    CHECK(pace.stats().meter.updates == 3);
    CHECK(pace.stats().pixels == 6 * 16 * 16);
    CHECK(pace.stats().pushed);
}

TEST_CASE("pacing: the answer to the watchdog's question is no frame, unless it shows more")
{
    Pace pace;
    pace.begin();
    pace.draw(true);
    pace.show();
    CHECK(pace.stats().meter.updates == 0);
    pace.begin();
    pace.draw(true);
    pace.draw();
    pace.show();
    CHECK(pace.stats().meter.updates == 1);
    pace.begin();
    pace.show(false); // pseudo-rectangles
    CHECK(pace.stats().meter.updates == 1);
}

TEST_CASE("pacing: SetEncodings waits for the first picture, then tells of another quality")
{
    Pace pace;
    session_tuning tuning = {3, PRP_OFF, 0};
    pacing_tune(pace.p, &tuning, pace.now);
    CHECK(pace.write().find('e') == std::string::npos);
    pace.begin();
    pace.draw();
    pace.show();
    CHECK(pace.write()[0] == 'e');
    CHECK(pace.stats().quality == 3);
    CHECK(pace.write().find('e') == std::string::npos); // once
}

TEST_CASE("pacing: the round trip is the handshake's where the kernel sees only a part of the way")
{
    Pace pace;
    pace.bytes.info.rtt_ms = 1;
    CHECK(pace.stats().rtt_ms == 1);
    pacing_set_handshake_rtt(pace.p, 20);
    CHECK(pace.stats().rtt_ms == 1); // that may be a slow server
    pacing_set_handshake_rtt(pace.p, 300);
    CHECK(pace.stats().rtt_ms == 300);
}

TEST_CASE("pacing: time does not go back, whoever comes late with an older one")
{
    Pace pace(PRP_FIXED);
    pace.write();
    pace.now += TICK_S;
    pace.begin();
    pace.now -= TICK_S / 2;
    pace.draw();
    pace.show();
    pace.now += TICK_S / 2;
    CHECK(pace.stats().meter.last_update == pace.now);
}

TEST_CASE("pacing: behind an accelerator requests are merged, whatever the server says of itself")
{
    auto in_flight = [](bool accelerated) {
        Pace pace(PRP_FIXED);
        if (accelerated)
            pacing_server_kind(pace.p, PACING_ACCELERATOR, pace.now);
        pacing_server_kind(pace.p, PACING_COUNTS, pace.now); // neatvnc behind it
        pace.write();
        for (int i = 0; i < 10; i++) {
            pace.now = pacing_sleep(pace.p, pace.now + TICK_S, pace.now);
            pace.write();
        }
        pace.now += TICK_MS;
        pace.begin();
        pace.draw();
        pace.show();
        return pace.stats().in_flight;
    };
    CHECK(in_flight(false) > in_flight(true));
}

TEST_CASE("pacing: an accelerator is asked for a pixel while nobody can see the picture")
{
    auto width = [](bool accelerated, bool hidden, bool again = false) {
        Pace pace;
        if (accelerated)
            pacing_server_kind(pace.p, PACING_ACCELERATOR, pace.now);
        pace.write();
        pace.begin();
        pace.draw();
        pace.show();
        pacing_hide(pace.p, hidden, pace.now);
        pace.now += 2 * TICK_S;
        if (again)
            pacing_hide(pace.p, false, pace.now);
        uint8_t out[PACING_WRITE_MAX];
        pacing_turn turn = {true, false};
        const size_t size = pacing_write(pace.p, out, &turn, pace.now);
        REQUIRE(size >= 10);
        REQUIRE(out[size - 10] == CLIENT_UPDATE_REQUEST);
        return out[size - 4] << 8 | out[size - 3];
    };
    CHECK(width(false, true) == 64);
    CHECK(width(true, false) == 64);
    CHECK(width(true, true) == 1);
    CHECK(width(true, true, true) == 64);
}
