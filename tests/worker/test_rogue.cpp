// A session whose process is in a hostile server's hands (rogue.cpp): what it tries fails, what it
// says is not believed, and nothing is left of it.
#include "rogue_session.hpp"
#include "tests/ports.hpp"

using namespace rogue;

// Sanitizers need calls that are taken away.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

TEST_CASE("rogue: a process that is confined can do nothing with files, processes and the network")
{
    TempDir dir;
    std::ofstream(dir.path() + "/secret") << "for my eyes";
    Listening peer;
    Owner owner("attempts", {dir.path(), peer.port});
    peer::Event e = owner.next();
    REQUIRE(e->type == SESSION_NOTICE);
    CHECK(peer::text(e) == "nothing");
    CHECK(std::ifstream(dir.path() + "/secret").good());
    CHECK_FALSE(std::ifstream(dir.path() + "/new").good());
    char layers[128];
    session_confined_by(owner, layers, sizeof layers);
    INFO(layers);
    CHECK(strstr(layers, "Landlock"));
    CHECK(strstr(layers, "seccomp"));
}
#endif

TEST_CASE("rogue: a process that says what it may not is ended")
{
    for (const char *act : {"type", "viewers-type", "large", "short", "event", "no-nul", "escape",
                            "stats", "layers", "layers-twice", "trace", "record", "sound-too-soon",
                            "connects", "clipboard", "played", "question-too-soon"}) {
        INFO(act);
        Owner owner(act);
        peer::Event e = owner.next();
        REQUIRE(e->type == SESSION_CLOSED);
        CHECK(e->failure == FAILURE_START);
        CHECK(is_ended_for_it(peer::text(e)));
    }
}

TEST_CASE("rogue: a session is closed once, whatever its process says")
{
    Owner owner("twice");
    peer::Event e = owner.next();
    CHECK(e->type == SESSION_CLOSED);
    CHECK(peer::text(e) == "the end");
    struct session_stats s; // the process has said more, and was ended, when this returns
    session_stats(owner, true, &s);
    CHECK(session_next_event(owner) == nullptr);
}

TEST_CASE("rogue: what is said after the end is left out, and the trace is whole")
{
    TempDir dir;
    const std::string path = dir.path() + "/a.trace";
    reason why = {};
    Settings settings;
    settings.trace = trace_log_open(path.c_str(), &why);
    REQUIRE(settings.trace);
    {
        Owner owner("last-words", settings);
        CHECK(peer::text(owner.next()) == "the end");
    }
    bool whole = trace_log_close(settings.trace, &why);
    INFO(why.text);
    CHECK(whole);
    gzFile file = gzopen(path.c_str(), "rb");
    char said[64] = {};
    REQUIRE(file);
    CHECK(gzread(file, said, sizeof said - 1) == 20);
    CHECK(std::string(said) == "the end of the trace");
    gzclose(file);
}

TEST_CASE("rogue: the end of a process is the end of the session, and how it ended is said")
{
    {
        Owner owner("crash");
        peer::Event e = owner.next();
        CHECK(e->type == SESSION_CLOSED);
        CHECK(e->failure == FAILURE_START);
        CHECK(peer::text(e).find("signal 11") != std::string::npos);
    }
    for (const auto &[act, how] :
         {std::pair("end", "it ended by itself"), std::pair("build", "it is of another version")}) {
        Owner owner(act);
        peer::Event e = owner.next();
        CHECK(e->type == SESSION_CLOSED);
        CHECK(e->failure == FAILURE_START);
        CHECK(peer::text(e).find(how) != std::string::npos);
    }
}

// Before it is confined it has read nothing of the server, so that is not to blame.

TEST_CASE("rogue: a process that dies before it is confined has not been made to by the server")
{
    Listening peer;
    for (const auto &[act, failure, what] :
         {std::tuple("crash-linked", FAILURE_START, "cannot be started: it was ended by signal 11"),
          std::tuple("crash-let-in", FAILURE_CRASHED, "has failed: it was ended by signal 11")}) {
        INFO(act);
        Owner owner(act, {"", peer.port});
        peer::Event e = owner.next();
        if (e->type == SESSION_CONNECTED)
            e = owner.next();
        REQUIRE(e->type == SESSION_CLOSED);
        CHECK(e->failure == static_cast<uint32_t>(failure));
        CHECK(peer::text(e).find(what) != std::string::npos);
    }
}

TEST_CASE("rogue: with a ticket it may have read of a server before there is a connection")
{
    for (uint16_t ticket : {uint16_t(0), uint16_t(60125)}) {
        Settings settings;
        settings.ticket = ticket;
        Owner owner("crash-shut-in", settings);
        peer::Event e = owner.next();
        REQUIRE(e->type == SESSION_CLOSED);
        CHECK(e->failure == uint32_t(ticket > 0 ? FAILURE_CRASHED : FAILURE_START));
    }
}

TEST_CASE("rogue: figures that cannot be do not get out")
{
    Owner owner("figures");
    REQUIRE(peer::text(owner.next()) == "they are there");
    for (bool row : {false, true}) {
        struct session_stats s;
        session_stats(owner, row, &s);
        CHECK(std::isfinite(s.fps));
        CHECK(s.fps >= 0);
        CHECK(s.bytes_received >= -1);
        CHECK(memchr(s.name, 0, sizeof s.name));
        CHECK(s.width == 0);
        CHECK(s.memory.minor == 0);
        CHECK(s.meter.gaps.count == 0);
    }
}

TEST_CASE("rogue: the user is asked in the name of the server that was asked for")
{
    Listening peer;
    Owner owner("question", {"", peer.port});
    check_question(owner, peer.port);
}

TEST_CASE("rogue: the user is asked in the name of the server that has come to us")
{
    uint16_t port = ports::unused();
    Owner owner("question", {"", port, true});
    int fd = come_to(port);
    check_question(owner, port);
    close(fd);
}

TEST_CASE("rogue: a process is not asked for figures, and not missed, while it waits for a server")
{
    uint16_t port = ports::unused();
    Owner owner("question", {"", port, true});
    for (int i = 0; !is_taken(port) && i < 12000; i++) // two minutes, against hangs only
        usleep(10000);
    for (int i = 0; i < 3; i++) {
        struct session_stats s;
        session_stats(owner, true, &s); // it would end of the question
    }
    int fd = come_to(port);
    check_question(owner, port);
    close(fd);
}

TEST_CASE("rogue: who is connected is not asked about any more")
{
    Listening peer;
    Owner owner("question-too-late", {"", peer.port});
    CHECK(owner.next()->type == SESSION_CONNECTED);
    peer::Event e = owner.next();
    CHECK(e->failure == FAILURE_CRASHED);
    CHECK(is_ended_for_it(peer::text(e)));
}

TEST_CASE("rogue: nothing is asked that the options rule out")
{
    Listening peer;
    for (const auto &[act, settings] :
         {std::pair("question", Settings{"", peer.port, false, 0, "None,X509Vnc"}),
          std::pair("question", Settings{"", peer.port, false, 0, "VncAuth", true}),
          std::pair("question-user", Settings{"", peer.port}),
          std::pair("question-dh", Settings{"", peer.port, false, 0, "VncAuth,Plain"}),
          std::pair("question-trust", Settings{"", peer.port, false, 0, "TLSVnc,VncAuth"}),
          std::pair("question-trust", Settings{"", peer.port, false, 0, "X509Vnc", true})}) {
        INFO(act << " " << settings.security);
        Owner owner(act, settings);
        peer::Event e = owner.next();
        REQUIRE(e->type == SESSION_CLOSED);
        CHECK(is_ended_for_it(peer::text(e)));
    }
    Owner owner("question-trust", {"", peer.port, false, 0, "X509Vnc"});
    CHECK(owner.next()->type == SESSION_QUESTION);
}

TEST_CASE("rogue: that a certificate was shown is heard at once, of the server at the other end")
{
    Listening peer;
    for (const auto &[act, security, said] :
         {std::tuple("certified", "X509Vnc", "127.0.0.1 vouched for;"),
          std::tuple("certified-doubted", "X509Vnc", "127.0.0.1 accepted;"),
          std::tuple("certified", "TLSVnc", ""), // the options rule it out
          std::tuple("certified-too-soon", "X509Vnc", ""),
          std::tuple("certified-twice", "X509Vnc", "127.0.0.1 vouched for;")}) {
        INFO(act << " " << security);
        std::string shown;
        Settings settings{"", peer.port, false, 0, security};
        settings.shown = &shown;
        {
            Owner owner(act, settings);
            peer::Event e = owner.next();
            if (e->type == SESSION_QUESTION) // and nobody has answered yet
                e = owner.next();
            if (*said)
                CHECK(e->type == SESSION_CERTIFIED);
            else
                CHECK(is_ended_for_it(peer::text(e)));
            if (act == std::string("certified-twice"))
                CHECK(is_ended_for_it(peer::text(owner.next())));
        }
        CHECK(shown == said);
    }
}

TEST_CASE("rogue: who comes to us has to show a certificate again, if it has one")
{
    uint16_t port = ports::unused();
    Owner owner("question", {"", port, true, 0, SECURITY_DEFAULT_NAMES, false, true});
    int fd = come_to(port);
    CHECK(is_ended_for_it(peer::text(owner.next())));
    close(fd);
}

TEST_CASE("rogue: who is connected connects to nobody else")
{
    Listening peer;
    Owner owner("connect-late", {"", peer.port});
    CHECK(owner.next()->type == SESSION_CONNECTED);
    CHECK(is_ended_for_it(peer::text(owner.next())));
}

TEST_CASE("rogue: of the servers that come to us a process gets one")
{
    uint16_t port = ports::unused();
    Owner owner("connects", {"", port, true});
    int fd = come_to(port);
    CHECK(is_ended_for_it(peer::text(owner.next())));
    close(fd);
}

TEST_CASE("rogue: sound comes only where the options allow it, in whole frames, and is bounded")
{
    Listening peer;
    for (const char *act : {"sound", "sound-comes"}) {
        INFO(act);
        Owner off(act, {"", peer.port});
        CHECK(is_ended_for_it(said(off, SESSION_CLOSED)));
    }
    Settings on{"", peer.port};
    on.sound = SOUND_WISH_ON;
    {
        Owner part("sound-in-part", on);
        CHECK(is_ended_for_it(said(part, SESSION_CLOSED)));
    }

    std::vector<char> heard(2 * SOUND_QUEUE_MOST);
    auto listen = [&](const char *act) {
        Owner owner(act, on);
        CHECK(said(owner, SESSION_NOTICE) == "all is said");
        session_take_sound(owner, heard.data(), heard.size());
        struct session_stats stats;
        session_stats(owner, false, &stats);
        return stats.sound_late;
    };
    const uint64_t late = listen("sound");
    const auto sounds = std::count(heard.begin(), heard.end(), 'a');
    CHECK((sounds >= SOUND_QUEUE_FIRST && sounds <= SOUND_QUEUE_MOST));
    CHECK(late == 1000u * SOUND_PIECE_MAX - uint64_t(sounds));
    CHECK(listen("sound-ends") == 0); // and not heard in front of the next
    CHECK(std::count(heard.begin(), heard.end(), 0) == long(heard.size()));
}

TEST_CASE("rogue: a device is opened seldom, however often sound comes and ends, but it is opened")
{
    Listening peer;
    Settings on{"", peer.port};
    on.sound = SOUND_WISH_ON;
    Owner owner("sound-on-and-off", on);
    bool comes = false;
    int opened = 0;
    for (peer::Event e = owner.next(); e->type != SESSION_NOTICE; e = owner.next())
        if (e->type == SESSION_SOUND) {
            comes = e->width;
            opened += comes;
        }
    CHECK(opened > 0);
    CHECK(opened < 100);
    while (!comes) // it had to wait
        comes = owner.next()->width;
}

TEST_CASE("rogue: a handshake ends, whatever the process does")
{
    Listening peer;
    Settings short_one{"", peer.port};
    short_one.limit = TICK_S;
    Owner owner("mute", short_one);
    peer::Event e = owner.next();
    CHECK(e->type == SESSION_CLOSED);
    CHECK(peer::text(e).find("it did not answer any more") != std::string::npos);
}

TEST_CASE("rogue: a process that never asks for the connection is ended")
{
    Settings short_one;
    short_one.limit = TICK_S;
    Owner owner("asleep", short_one);
    peer::Event e = owner.next();
    CHECK(e->type == SESSION_CLOSED);
    CHECK(e->failure == FAILURE_START);
    CHECK(peer::text(e).find("it did not answer any more") != std::string::npos);
}

TEST_CASE("rogue: notices end, however many are said")
{
    Owner owner("notices");
    int notices = 0;
    while (owner.next()->type == SESSION_NOTICE)
        notices++;
    CHECK(notices > 0);
    CHECK(notices <= 2000);
}

TEST_CASE("rogue: a process that never stops, and one that does not listen, are left")
{
    for (const char *act : {"flood", "deaf", "busy"}) {
        INFO(act);
        Owner owner(act, {"", 0, false, CLIPBOARD_RECEIVE});
        for (int i = 0; i < 50; i++) {
            struct session_stats s;
            session_stats(owner, false, &s);
            peer::Event e(session_next_event(owner));
            CHECK((!e || e->type == SESSION_NAME || e->type == SESSION_CUT_TEXT));
            session_send_key(owner, 'x', true);
        }
    }
}

TEST_CASE("rogue: a spoilt picture is not read")
{
    Owner owner("picture");
    peer::Event e = owner.next();
    REQUIRE(e->type == SESSION_NOTICE);
    framebuffer_view view;
    CHECK_FALSE(framebuffer_lock(session_framebuffer(owner), &view, true));
}
