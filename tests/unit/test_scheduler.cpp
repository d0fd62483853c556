// When requests leave, under a fake clock.
#include "tests/catch.hpp"

#include <algorithm>
#include <vector>

#include "tests/core.hpp"

namespace
{

const tick_t t0 = 1000 * TICK_S;

struct Sent {
    double ms;
    request_cause cause;
    bool operator==(const Sent &o) const
    {
        return ms == o.ms && cause == o.cause;
    }
};

std::ostream &operator<<(std::ostream &out, const Sent &s)
{
    return out << s.ms << " ms cause " << s.cause;
}

// A scheduler and the sender's loop around it.
struct Client {
    scheduler s{};
    std::vector<Sent> sent;

    struct Limits {
        double fps, rate;
        bool refresh;
    };

    Client(prp_policy policy, double prp_ms = 0, Limits limits = {0, 0, false})
    {
        scheduler_options o = core_options(policy, prp_ms);

        o.max_fps = limits.fps;
        o.max_rate = limits.rate;
        o.lossless_refresh = limits.refresh;
        scheduler_init(&s, &o);
    }

    // Sends everything due up to and including `ms`.
    void run_to(double ms)
    {
        tick_t end = t0 + tick_from_ms(ms);

        while (scheduler_next(&s).at <= end) {
            tick_t now = std::max(scheduler_next(&s).at, now_);
            request_cause cause = scheduler_next(&s).cause;

            tell_request(s, EVENT_REQUEST_SENT, cause, now);
            sent.push_back({tick_to_ms(now - t0), cause});
        }
        now_ = end;
    }

    void update(double begun_ms, double finished_ms, bool pixels = true)
    {
        run_to(begun_ms);
        tell(s, EVENT_UPDATE_BEGUN, now_);
        run_to(finished_ms);
        scheduler_update u = {pixels, false, true, 1000};
        tell_finished(s, u, now_);
    }

    tick_t now_ = t0;
};

} // namespace

TEST_CASE("nothing is due before there is a picture")
{
    for (auto policy : {PRP_OFF, PRP_FIXED, PRP_AUTO}) {
        Client c(policy, 50);
        CHECK(scheduler_next(&c.s).at == TICK_NEVER);
    }
}

TEST_CASE("plain VNC asks when an update is rendered and at no other time")
{
    Client c(PRP_OFF);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.update(300, 320);
    c.update(640, 650);
    c.run_to(10000);
    CHECK(c.sent ==
          std::vector<Sent>{{0, REQUEST_FIRST}, {320, REQUEST_REACTIVE}, {650, REQUEST_REACTIVE}});
}

TEST_CASE("a fixed PRP sends one more request whenever the client has waited that long")
{
    Client c(PRP_FIXED, 50);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.run_to(160);
    CHECK(c.sent ==
          std::vector<Sent>{
              {0, REQUEST_FIRST}, {50, REQUEST_TIMER}, {100, REQUEST_TIMER}, {150, REQUEST_TIMER}});
}

TEST_CASE("the timer of a fixed PRP is set when the client starts to wait again")
{
    // thesis, section 3.1: 20 ms to receive and render and a PRP of 40 ms: one request in 60 ms
    Client c(PRP_FIXED, 40);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.update(30, 50);
    c.run_to(135);
    CHECK(c.sent == std::vector<Sent>{{0, REQUEST_FIRST},
                                      {50, REQUEST_REACTIVE},
                                      {90, REQUEST_TIMER},
                                      {130, REQUEST_TIMER}});
}

TEST_CASE("auto keeps its beat while an update is being received")
{
    Client c(PRP_AUTO);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.update(10, 11);
    c.update(40, 120);
    CHECK(c.sent == std::vector<Sent>{{0, REQUEST_FIRST},
                                      {16, REQUEST_TIMER},
                                      {32, REQUEST_TIMER},
                                      {48, REQUEST_TIMER},
                                      {64, REQUEST_TIMER},
                                      {80, REQUEST_TIMER},
                                      {96, REQUEST_TIMER},
                                      {112, REQUEST_TIMER}});
}

TEST_CASE("auto asks a near server when an update comes, and a far one by the timer")
{
    for (double rtt : {2, 100}) {
        Client c(PRP_AUTO);
        tell(c.s, EVENT_NEW_PICTURE, t0);
        tell_round_trip(c.s, rtt, t0);
        c.update(100, 101);
        c.run_to(110);
        c.update(147, 148);
        CHECK(std::count(c.sent.begin(), c.sent.end(), Sent{147, REQUEST_REACTIVE}) == (rtt < 10));
        for (int i = 0; i < 200; i++)
            c.update(200 + 33 * i, 201 + 33 * i);
        c.sent.clear();
        for (int i = 200; i < 300; i++)
            c.update(200 + 33 * i, 201 + 33 * i);
        CHECK(c.sent.size() <= (rtt < 10 ? 102u : 127u));
    }
}

TEST_CASE("auto asks carefully until something has arrived")
{
    Client c(PRP_AUTO);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.run_to(200);
    CHECK(c.sent == std::vector<Sent>{{0, REQUEST_FIRST}, {16, REQUEST_TIMER}});
    c.run_to(300); // but not for ever
    CHECK(c.sent.size() == 3);
}

TEST_CASE("auto asks a still screen four times a second, and input ends that at once")
{
    Client c(PRP_AUTO);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.update(10, 11);
    c.run_to(3000);
    size_t fast = c.sent.size();
    c.run_to(4000);
    CHECK(c.sent.size() - fast == 4);
    CHECK(tick_to_ms(scheduler_prp(&c.s, c.now_)) == 250);

    c.run_to(4010);
    c.sent.clear();
    tell_input(c.s, true, c.now_);
    c.run_to(4040);
    CHECK(c.sent ==
          std::vector<Sent>{{4010, REQUEST_INPUT}, {4020, REQUEST_TIMER}, {4036, REQUEST_TIMER}});
    c.sent.clear();
    c.run_to(4100);
    CHECK(c.sent == std::vector<Sent>{{4052, REQUEST_TIMER},
                                      {4068, REQUEST_TIMER},
                                      {4084, REQUEST_TIMER},
                                      {4100, REQUEST_TIMER}});
}

TEST_CASE("a still screen is asked ever less, but for a minute where requests are merged")
{
    for (server_kind kind : {SERVER_UNKNOWN, SERVER_MERGES}) {
        Client c(PRP_AUTO);
        tell_round_trip(c.s, 50, t0);
        tell(c.s, EVENT_NEW_PICTURE, t0);
        c.update(60, 61);
        c.s.path.requests.server = kind;
        c.run_to(40000);
        size_t before = c.sent.size();
        c.run_to(50000);
        if (kind == SERVER_MERGES)
            CHECK(c.sent.size() - before == 40);
        else
            CHECK(c.sent.size() - before <= 2);
        c.run_to(200000);
        before = c.sent.size();
        c.run_to(300000);
        CHECK(c.sent.size() - before <= 11);
    }
}

TEST_CASE("an update wakes a relaxed auto at once")
{
    Client c(PRP_AUTO);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.run_to(5000);
    c.sent.clear();
    c.update(5001, 5002);
    c.run_to(5050);
    CHECK(c.sent == std::vector<Sent>{{5001, REQUEST_REACTIVE},
                                      {5017, REQUEST_TIMER},
                                      {5033, REQUEST_TIMER},
                                      {5049, REQUEST_TIMER}});
}

TEST_CASE("motion of the pointer does not add requests while they flow anyway")
{
    Client c(PRP_AUTO);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.run_to(100);
    c.sent.clear();
    for (int i = 0; i < 20; i++)
        tell_input(c.s, false, c.now_);
    c.run_to(124);
    CHECK(c.sent.empty());
}

TEST_CASE("keys pressed without end do not make a storm of requests")
{
    Client c(PRP_AUTO);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    tell_round_trip(c.s, 20, t0);
    for (int i = 1; i < 1000; i++) { // one a millisecond, an update every ten
        c.run_to(i);
        tell_input(c.s, true, c.now_);
        if (i % 10 == 0)
            c.update(i, i);
    }
    CHECK(c.sent.size() <= 110);
    CHECK(c.sent.size() >= 90);
}

TEST_CASE("plain VNC and a fixed PRP never ask because of input")
{
    for (auto policy : {PRP_OFF, PRP_FIXED}) {
        Client c(policy, 5000);
        tell(c.s, EVENT_NEW_PICTURE, t0);
        c.run_to(3000);
        c.sent.clear();
        tell_input(c.s, true, c.now_);
        c.run_to(3100);
        CHECK(c.sent.empty());
    }
}

TEST_CASE("a resize owes one non-incremental request, whatever else was owed")
{
    Client c(PRP_OFF);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.update(10, 20);
    tell(c.s, EVENT_NEW_PICTURE, c.now_);
    c.run_to(30);
    CHECK(c.sent == std::vector<Sent>{{0, REQUEST_FIRST}, {20, REQUEST_FIRST}});
}

TEST_CASE("an update without pixels is answered too: it used up a request")
{
    for (auto policy : {PRP_OFF, PRP_AUTO}) {
        Client c(policy);
        tell(c.s, EVENT_NEW_PICTURE, t0);
        c.update(5010, 5011, false);
        c.run_to(5011);
        CHECK(c.sent.back().cause == REQUEST_REACTIVE);
    }
}

TEST_CASE("a skipped pre-request is gone, a skipped owed request comes again")
{
    Client c(PRP_FIXED, 50);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    tell_request(c.s, EVENT_REQUEST_SKIPPED, REQUEST_FIRST, t0);
    CHECK(scheduler_next(&c.s).at == t0 + SCHEDULER_RETRY);
    CHECK(scheduler_next(&c.s).cause == REQUEST_FIRST);
    c.run_to(10);
    tell_request(c.s, EVENT_REQUEST_SKIPPED, REQUEST_TIMER, t0 + tick_from_ms(55));
    CHECK(scheduler_next(&c.s).at == t0 + tick_from_ms(105));
}

TEST_CASE("a skipped owed request is told from another try of it")
{
    Client c(PRP_OFF);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    CHECK_FALSE(scheduler_next(&c.s).again);
    tell_request(c.s, EVENT_REQUEST_SKIPPED, REQUEST_FIRST, t0);
    CHECK(scheduler_next(&c.s).again);
    tell_request(c.s, EVENT_REQUEST_SKIPPED, REQUEST_FIRST, t0 + SCHEDULER_RETRY);
    CHECK(scheduler_next(&c.s).again);
    c.run_to(50);
    CHECK(c.sent.size() == 1);
    c.update(60, 70);
    CHECK_FALSE(scheduler_next(&c.s).again);
}

TEST_CASE("auto's input takes a request along when the next would leave late")
{
    Client c(PRP_AUTO);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    for (int i = 1; i < 40; i++) // two updates a second: the period grows to its maximum
        c.update(500 * i, 500 * i + 1);
    REQUIRE(tick_to_ms(scheduler_prp(&c.s, c.now_)) == 200);
    size_t before = c.sent.size();
    c.run_to(tick_to_ms(c.s.sent_at - t0) + 60);
    tell_input(c.s, true, c.now_);
    tell_input(c.s, true, c.now_);
    c.run_to(tick_to_ms(c.now_ - t0) + 9);
    CHECK(c.sent.size() == before + 1);
    CHECK(c.sent.back().cause == REQUEST_INPUT);
}

TEST_CASE("where the path is the limit input leaves the beat as it is")
{
    for (bool pressed : {false, true}) {
        Client c(PRP_AUTO);
        tell_round_trip(c.s, 50, t0);
        tell(c.s, EVENT_NEW_PICTURE, t0);
        for (int i = 1; i < 20; i++)
            c.update(220 * i, 220 * i + 200);
        tell(c.s, EVENT_UPDATE_BEGUN, c.now_);
        c.run_to(tick_to_ms(c.s.sent_at - t0) + 20);
        size_t before = c.sent.size();
        tick_t due = c.s.timer;
        REQUIRE(due > c.now_ + 100 * TICK_MS);
        if (pressed)
            tell_input(c.s, true, c.now_);
        c.run_to(tick_to_ms(due - t0));
        CHECK(c.sent.size() == before + 1);
        CHECK(c.sent.back().cause == REQUEST_TIMER);
    }
}

TEST_CASE("where nothing is on its way a request follows input, but not beyond the user's limit")
{
    for (double fps : {0.0, 2.0}) {
        Client c(PRP_AUTO, 0, {fps, 0, false});
        tell_round_trip(c.s, 50, t0);
        tell(c.s, EVENT_NEW_PICTURE, t0);
        for (int i = 1; i < 20; i++)
            c.update(600 * i, 600 * i + 500);
        while (!path_rests(&c.s.path, c.now_)) // until what was asked for must have come
            c.run_to(tick_to_ms(c.now_ - t0) + 1);
        tick_t sent = c.s.sent_at, pressed = c.now_;
        tell_input(c.s, true, c.now_);
        REQUIRE(scheduler_next(&c.s).at >= pressed + SCHEDULER_EFFECT);
        CHECK(scheduler_next(&c.s).at ==
              (fps > 0 ? sent + TICK_S / 2 : pressed + SCHEDULER_EFFECT));
    }
}

TEST_CASE("keys do not exceed the rate that the user allows")
{
    Client c(PRP_AUTO, 0, {0, 1000, false}); // an update's bytes, per second
    tell_round_trip(c.s, 20, t0);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    for (int i = 1; i < 20; i++)
        c.update(1200 * i, 1200 * i + 5);
    while (!path_rests(&c.s.path, c.now_))
        c.run_to(tick_to_ms(c.now_ - t0) + 1);
    tick_t due = scheduler_next(&c.s).at;
    REQUIRE(due > c.now_ + SCHEDULER_EFFECT);
    tell_input(c.s, true, c.now_);
    CHECK(scheduler_next(&c.s).at == due);
}

TEST_CASE("a long update is no pause: auto does not start afresh after it")
{
    Client c(PRP_AUTO);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    for (int i = 1; i < 10; i++)
        c.update(5000 * i - 4900, 5000 * i);
    CHECK(tick_to_ms(scheduler_prp(&c.s, c.now_)) >= 200);
}

TEST_CASE("the first picture is a small one, and a coarse one from far away")
{
    for (double rtt_ms : {1.0, 100.0}) {
        Client c(PRP_AUTO);
        tell_round_trip(c.s, rtt_ms, t0);
        CHECK(scheduler_quality(&c.s, t0) == (rtt_ms > 50 ? QUALITY_COARSE : QUALITY_CAREFUL));
    }
}

TEST_CASE("a still screen far away is told the quality with which it is to move again")
{
    for (double rtt_ms : {5.0, 100.0}) {
        Client c(PRP_AUTO);
        tell(c.s, EVENT_NEW_PICTURE, t0);
        tell_round_trip(c.s, rtt_ms, t0);
        int first = scheduler_quality(&c.s, c.now_);
        c.update(110, 111);
        c.run_to(1000);
        CHECK(scheduler_quality(&c.s, c.now_) == first);
        c.run_to(4000);
        int still = scheduler_quality(&c.s, c.now_);
        CHECK(still == (rtt_ms > 50 ? QUALITY_COARSE : first));
        c.update(4010, 4011);
        CHECK(scheduler_quality(&c.s, c.now_) == still); // and comes back later
    }
}

TEST_CASE("a server that pushes is asked for a new picture and lossless refreshes only")
{
    for (auto policy : {PRP_OFF, PRP_FIXED, PRP_AUTO}) {
        Client c(policy, 40, {0, 0, true});
        tell(c.s, EVENT_NEW_PICTURE, t0);
        c.update(10, 11);
        tell_push(c.s, true, c.now_);
        size_t before = c.sent.size();
        for (int i = 1; i < 100; i++) {
            c.update(20 + 30 * i, 25 + 30 * i);
            tell_input(c.s, true, c.now_);
        }
        CHECK(c.sent.size() == before);
        tell(c.s, EVENT_NEW_PICTURE, c.now_);
        c.run_to(5000);
        CHECK(c.sent.size() == before + 1);
        CHECK(c.sent.back().cause == REQUEST_FIRST);
        c.update(5010, 5011);
        tell_loss(c.s, {1000, false, false}, c.now_);
        CHECK((scheduler_next(&c.s).at != TICK_NEVER) == (policy == PRP_AUTO));
        CHECK(scheduler_next(&c.s).cause == REQUEST_REFRESH);
        tell_loss(c.s, {0, false, false}, c.now_);
        tell_push(c.s, false, c.now_); // it has stopped: requests go on at once
        CHECK(scheduler_next(&c.s).at <= c.now_);
        c.run_to(5100);
        CHECK(c.sent.size() > before + 1);
    }
}

TEST_CASE("plain VNC and a fixed PRP leave the quality alone")
{
    for (auto policy : {PRP_OFF, PRP_FIXED, PRP_AUTO}) {
        Client c(policy, 50);
        tell(c.s, EVENT_NEW_PICTURE, t0);
        tell_round_trip(c.s, 1, t0);
        c.run_to(10);
        tell(c.s, EVENT_UPDATE_BEGUN, c.now_);
        for (uint64_t i = 1; i <= 40; i++) { // 800 kB in 4 s
            c.run_to(10 + 100.0 * double(i));
            tell_arrived(c.s, 20000 * i, c.now_);
        }
        scheduler_update u = {true, false, true, 800000};
        tell_finished(c.s, u, c.now_);
        CHECK((scheduler_quality(&c.s, c.now_) > 0) == (policy == PRP_AUTO));
    }
}

TEST_CASE("after a stall requests leave again as soon as the path is fast")
{
    Client c(PRP_AUTO);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    tell_round_trip(c.s, 20, t0);
    c.update(20, 25);
    c.update(100, 8000); // eight seconds
    c.run_to(9000);
    for (int i = 0; i < 5; i++)
        c.update(9000 + 100 * i, 9005 + 100 * i);
    c.run_to(9500);
    size_t before = c.sent.size();
    c.run_to(10500);
    CHECK(c.sent.size() - before >= 3);
}

TEST_CASE("silence after something that is no update is no run")
{
    Client c(PRP_AUTO);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    tell_round_trip(c.s, 20, t0);
    for (int i = 1; i < 20; i++)
        c.update(50 * i, 50 * i + 5);
    tell(c.s, EVENT_UPDATE_BEGUN, c.now_);
    scheduler_update u = {true, true, true, 1000}; // a bell is behind it
    tell_finished(c.s, u, c.now_);
    tell(c.s, EVENT_RAN_DRY, c.now_);
    double service = c.s.path.service;
    c.update(2500, 2505);
    CHECK(c.s.path.service <= service + double(TICK_MS));
}

TEST_CASE("a caret that blinks does not keep the rest of the screen lossy")
{
    Client c(PRP_AUTO, 0, {0, 0, true});
    tell(c.s, EVENT_NEW_PICTURE, t0);
    tell_round_trip(c.s, 20, t0);
    c.update(20, 25);
    c.run_to(30);
    tell(c.s, EVENT_UPDATE_BEGUN, c.now_);
    c.run_to(40);
    tell_finished(c.s, {true, false, true, 50000}, c.now_);
    // as many as take 600 ms
    scheduler_loss loss = {uint64_t(0.6 * scheduler_facts(&c.s).rate / 2), false, false};
    tell_loss(c.s, loss, c.now_);
    c.update(530, 531);
    tell_loss(c.s, loss, c.now_);
    while (scheduler_next(&c.s).at < t0 + tick_from_ms(1000)) {
        tick_t now = scheduler_next(&c.s).at;
        if (scheduler_next(&c.s).cause == REQUEST_REFRESH)
            break;
        tell_request(c.s, EVENT_REQUEST_SENT, scheduler_next(&c.s).cause, now);
    }
    CHECK(scheduler_next(&c.s).cause == REQUEST_REFRESH);
    CHECK(tick_to_ms(scheduler_next(&c.s).at - t0) == Approx(640));
}

TEST_CASE("quality follows the path while the server pushes, too")
{
    Client c(PRP_AUTO);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    tell_round_trip(c.s, 10, t0);
    c.update(10, 11);
    tell_push(c.s, true, c.now_);
    int changes = 0, step = c.s.quality.step;
    for (int i = 1; i < 100; i++) { // each takes most of its gap, whatever the quality
        c.update(10 + 100 * i, 105 + 100 * i);
        changes += c.s.quality.step != step;
        step = c.s.quality.step;
    }
    CHECK(changes > 1);
}
