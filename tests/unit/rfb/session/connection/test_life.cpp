// The life of a session: its phases, deadlines and watchdog, in virtual time.
#include "tests/catch.hpp"

#include <string>

#include "rfb/session/connection/keep_alive.h"
#include "rfb/session/connection/life.h"

namespace
{

constexpr tick_t BEGIN = 1000 * TICK_S;

struct Life {
    life *l;
    tick_t now = BEGIN;

    explicit Life(bool relayed = false)
    {
        const life_options options = {15 * TICK_S, 60 * TICK_S, relayed};
        l = life_create(&options, now);
    }
    ~Life()
    {
        life_destroy(l);
    }
    Life(const Life &) = delete;
    Life &operator=(const Life &) = delete;
    operator life *()
    {
        return l;
    }
    // Looks each time that it is due, up to this time.
    life_verdict look_until(tick_t until, int64_t received, bool connected = true)
    {
        while (now < until) {
            now = std::min(until, life_next_look(l));
            life_verdict v = life_look(l, connected, received, now);
            if (v != LIFE_ON)
                return v;
        }
        return LIFE_ON;
    }
    std::string failed()
    {
        struct reason why = {};
        life_close(l, now, &why);
        return why.text;
    }
};

} // namespace

TEST_CASE("life: a handshake has its time, and why it has not come to its end")
{
    Life never_spoke, stopped(false), relayed(true);
    CHECK(never_spoke.look_until(BEGIN + 14 * TICK_S, 0) == LIFE_ON);
    CHECK(never_spoke.look_until(BEGIN + 16 * TICK_S, 0) == LIFE_CUT);
    CHECK_FALSE(life_goes_on(never_spoke));
    CHECK(never_spoke.failed() == "the server has said nothing for 15 s: is it a VNC server?");
    CHECK(stopped.look_until(BEGIN + 16 * TICK_S, 12) == LIFE_CUT);
    CHECK(stopped.failed() ==
          "the server stopped in the middle of the handshake: no byte for 15 s");
    CHECK(relayed.look_until(BEGIN + 16 * TICK_S, 0) == LIFE_CUT);
    CHECK(relayed.failed() == "nothing has come from the server for 15 s: does the way there lead "
                              "to a VNC server?");
}

TEST_CASE("life: each byte gives a handshake its time anew, but four times as long is too long")
{
    Life slow;
    for (int64_t bytes = 12; bytes < 16; bytes++)
        CHECK(slow.look_until(slow.now + 14 * TICK_S, bytes) == LIFE_ON);
    CHECK(slow.look_until(BEGIN + 59 * TICK_S, 16) == LIFE_ON);
    CHECK(slow.look_until(BEGIN + 61 * TICK_S, 17) == LIFE_CUT);
    CHECK(slow.failed() == "the server did not finish the handshake in 60 s");
}

TEST_CASE("life: before there is a stream, whoever connects keeps the deadline")
{
    Life life;
    CHECK(life.look_until(BEGIN + 100 * TICK_S, 0, false) == LIFE_ON);
}

TEST_CASE("life: while a question is open no time counts, for an early handshake either")
{
    Life life;
    life_limit_early(life, true, life.now); // until 7.5 s
    life_hold_deadlines(life, true, life.now);
    CHECK(life.look_until(BEGIN + 1000 * TICK_S, 12) == LIFE_ON);
    life_hold_deadlines(life, false, life.now);
    CHECK(life_deadline(life) == BEGIN + 1015 * TICK_S);
    CHECK(life.look_until(BEGIN + 1007 * TICK_S, 12) == LIFE_ON);
    CHECK(life.look_until(BEGIN + 1009 * TICK_S, 12) == LIFE_CUT_EARLY);
    CHECK(life_goes_on(life)); // another stream may follow
    life_limit_early(life, false, life.now);
    CHECK(life.look_until(BEGIN + 1014 * TICK_S, 12) == LIFE_ON);
    CHECK(life.look_until(BEGIN + 1016 * TICK_S, 12) == LIFE_CUT);
}

TEST_CASE("life: a message that gets no byte for a minute ends the session, one that gets some not")
{
    Life life;
    bool rested;
    life_run(life);
    CHECK(life_message_begins(life, life.now, &rested));
    for (int64_t bytes = 1; bytes < 10; bytes++)
        CHECK(life.look_until(life.now + 50 * TICK_S, bytes) == LIFE_ON);
    CHECK(life.look_until(life.now + 100 * TICK_S, 9) == LIFE_CUT);
    CHECK(life.failed() == "the server stopped in the middle of a message: no byte for 60 s");
}

TEST_CASE("life: between messages, and where nobody counts bytes, nothing is too long")
{
    Life idle, uncounted;
    bool rested;
    life_run(idle);
    life_message_begins(idle, idle.now, &rested);
    life_message_ends(idle);
    CHECK(idle.look_until(BEGIN + 1000 * TICK_S, 5) == LIFE_ON);
    life_run(uncounted);
    life_message_begins(uncounted, uncounted.now, &rested);
    CHECK(uncounted.look_until(BEGIN + 1000 * TICK_S, -1) == LIFE_ON);
}

TEST_CASE("life: a process that was stopped does not count that against the server")
{
    Life life;
    bool rested;
    life_run(life);
    life_message_begins(life, life.now, &rested);
    CHECK(life.look_until(BEGIN + 10 * TICK_S, 1) == LIFE_ON);
    life.now += 1000 * TICK_S; // nobody has looked meanwhile
    CHECK(life_look(life, true, 1, life.now) == LIFE_ON);
    CHECK(life.look_until(life.now + 50 * TICK_S, 1) == LIFE_ON);
    CHECK(life.look_until(life.now + 20 * TICK_S, 1) == LIFE_CUT);
}

TEST_CASE("life: a session rests when nothing comes and nobody acts, and a message ends that")
{
    Life life;
    bool rested;
    life_run(life);
    life_look_for_rest(life, false, BEGIN + 10 * TICK_S);
    CHECK(life_next_look(life) == BEGIN + 10 * TICK_S);
    life_look_for_rest(life, true, BEGIN + 10 * TICK_S); // something waits for room
    CHECK(life_next_look(life) == BEGIN + LIFE_PERIOD);
    life_look_for_rest(life, false, BEGIN + 10 * TICK_S);
    life_message_begins(life, BEGIN + 11 * TICK_S, &rested);
    CHECK(rested);
    CHECK(life_next_look(life) == BEGIN + LIFE_PERIOD);
    life_message_ends(life);
    life_input(life, BEGIN + 11 * TICK_S);
    life_look_for_rest(life, false, BEGIN + 17 * TICK_S);
    CHECK(life_next_look(life) == BEGIN + LIFE_PERIOD); // the user acts
}

TEST_CASE("life: a silent server is asked for a pixel once there is room, and counts as silent")
{
    Life life;
    struct rect pixel = {};
    life_run(life);
    life_input(life, BEGIN);
    tick_t asked = BEGIN + KEEP_ALIVE_QUIET;
    CHECK_FALSE(life_take_keep_alive(life, true, asked - 1, &pixel));
    CHECK_FALSE(life_take_keep_alive(life, false, asked, &pixel));
    CHECK(life_take_keep_alive(life, true, asked, &pixel));
    CHECK(pixel.w == 1);
    CHECK_FALSE(life_take_keep_alive(life, true, asked, &pixel)); // one at a time
    CHECK_FALSE(life_stats(life, false, asked).silent);
    CHECK(life_stats(life, false, asked + KEEP_ALIVE_ANSWER).silent);
    life_progress(life, asked + KEEP_ALIVE_ANSWER + 1);
    CHECK(life_is_answer(life, pixel, asked + KEEP_ALIVE_ANSWER + 1));
    CHECK_FALSE(life_stats(life, false, asked + KEEP_ALIVE_ANSWER + 1).silent);
}

TEST_CASE("life: the first reason counts, and only a session that runs can be abandoned")
{
    Life life, other;
    life_fail(life, "out of memory");
    life_fail(life, "something else");
    bool rested;
    CHECK_FALSE(life_message_begins(life, life.now, &rested));
    CHECK_FALSE(life_abandon(life)); // it connects
    CHECK(life.failed() == "out of memory");
    CHECK(life_stats(life, false, life.now + TICK_S).ended == life.now);
    life_run(other);
    CHECK(life_abandon(other));
    CHECK(life_is_abandoned(other));
    life_stop(other);
    CHECK(life_is_stopping(other));
    CHECK_FALSE(life_progress(other, other.now));
    CHECK(other.failed() == "");
}

TEST_CASE("life: whether it ran when it was stopped is known however soon it closes")
{
    Life connects, runs;
    struct reason why;
    CHECK_FALSE(life_stop(connects));
    life_run(runs);
    CHECK(life_stop(runs));
    life_close(runs, runs.now, &why);
    CHECK(life_stop(runs)); // again, as who destroys it does
    Life lost;
    life_run(lost);
    life_close(lost, lost.now, &why);
    CHECK_FALSE(life_stop(lost));
}
