// A session whose process is in a hostile server's hands (rogue.cpp): what it tries fails, what it
// says is not believed, and nothing is left of it.
#include "tests/catch.hpp"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "rfb/session/session.h"
#include "rfb/session/trace_log.h"
#include "rfb/sound_queue.h"
#include "tests/session_events.hpp"
#include "tests/temp_dir.hpp"

namespace
{

const uint8_t fingerprint[FINGERPRINT_BYTES] = {1};

struct Settings {
    std::string folder = {};
    uint16_t port = 0;
    bool listen = false;
    unsigned clipboard = 0;
    const char *security = SECURITY_DEFAULT_NAMES;
    bool pinned = false;
    bool had_certificate = false; // whoever comes to us
    trace_log *trace = nullptr;
    bool datagrams = true;
    sound_wish sound = SOUND_WISH_OFF;
    uint16_t repeater = 0;        // 0: the way is straight
    std::string *shown = nullptr; // who has shown a certificate, as the viewer hears it
};

void note_shown(void *user, const struct address *server, const struct route *, bool vouched)
{
    if (user)
        *static_cast<std::string *>(user) +=
            server->host + std::string(vouched ? " vouched for;" : " accepted;");
}

class Owner
{
  public:
    explicit Owner(const std::string &act, const Settings &settings = {})
    {
        session_options o = {};
        reason why = {};
        REQUIRE(encoding_list_parse(&o.encodings.list, "raw", &why));
        strcpy(o.address.host, "127.0.0.1");
        o.address.port = settings.port;
        o.route.listen = settings.listen;
        o.clipboard = settings.clipboard;
        o.datagrams = settings.datagrams;
        o.sound = settings.sound;
        if (settings.repeater > 0)
            strcpy(o.route.repeater.host, "127.0.0.1");
        o.route.repeater.port = settings.repeater;
        strcpy(o.x509_crl, act.c_str()); // there is no such file
        session_hooks hooks = {};
        hooks.trace = settings.trace;
        o.connect_timeout = TICK_S;
        o.stall_timeout = getpid(); // so that the process knows whom to attack
        REQUIRE(security_parse(&o.security, settings.security, &why));
        if (settings.had_certificate)
            hooks.look_back.had = [](void *, const struct address *, const struct route *,
                                     bool *had, struct reason *) { return *had = true; };
        hooks.look_back.shown = note_shown;
        hooks.look_back.user = settings.shown;
        o.pinned = settings.pinned;
        memcpy(o.fingerprint, fingerprint, sizeof o.fingerprint);
        strcpy(o.x509_ca, settings.folder.c_str());
        events_.hear_of(hooks);
        session_ = session_create(&o, &hooks);
        REQUIRE(session_);
    }
    ~Owner()
    {
        session_destroy(session_);
        // the process was waited for
        CHECK(waitpid(-1, nullptr, WNOHANG) == -1);
        CHECK(errno == ECHILD);
    }
    operator session *()
    {
        return session_;
    }
    peer::Event next()
    {
        return events_.next(session_);
    }

  private:
    peer::Events events_;
    session *session_;
};

sockaddr_in loopback(uint16_t port)
{
    sockaddr_in a = {};
    a.sin_family = AF_INET;
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    a.sin_port = htons(port);
    return a;
}

// A port of this machine on which somebody listens.
struct Listening {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    uint16_t port = 0;
    Listening()
    {
        sockaddr_in a = loopback(0);
        socklen_t size = sizeof a;
        REQUIRE(bind(fd, reinterpret_cast<sockaddr *>(&a), size) == 0);
        REQUIRE(listen(fd, 16) == 0);
        REQUIRE(getsockname(fd, reinterpret_cast<sockaddr *>(&a), &size) == 0);
        port = ntohs(a.sin_port);
    }
    ~Listening()
    {
        close(fd);
    }
};

// What comes to a port of this machine by UDP.
class Datagrams
{
  public:
    explicit Datagrams(uint16_t port)
    {
        sockaddr_in a = loopback(port);
        REQUIRE(bind(fd_, reinterpret_cast<sockaddr *>(&a), sizeof a) == 0);
    }
    Datagrams(const Datagrams &) = delete;
    Datagrams &operator=(const Datagrams &) = delete;
    ~Datagrams()
    {
        close(fd_);
    }
    std::string next()
    {
        struct pollfd p = {fd_, POLLIN, 0};
        REQUIRE(poll(&p, 1, 120000) == 1); // against hangs only
        char bytes[64];
        socklen_t size = sizeof from_;
        ssize_t n =
            recvfrom(fd_, bytes, sizeof bytes, 0, reinterpret_cast<sockaddr *>(&from_), &size);
        REQUIRE(n >= 0);
        return {bytes, static_cast<size_t>(n)};
    }
    // To whoever has sent the last one.
    void answer(const std::string &bytes)
    {
        REQUIRE(sendto(fd_, bytes.data(), bytes.size(), 0, reinterpret_cast<sockaddr *>(&from_),
                       sizeof from_) == static_cast<ssize_t>(bytes.size()));
    }

  private:
    sockaddr_in from_ = {};
    int fd_ = socket(AF_INET, SOCK_DGRAM, 0);
};

// A connection to a port of this machine; -1: nobody listens there.
int connected(uint16_t port)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in a = loopback(port);
    if (connect(fd, reinterpret_cast<sockaddr *>(&a), sizeof a) == 0)
        return fd;
    close(fd);
    return -1;
}

// Whether somebody listens at this port. To connect would be taken for the server.
bool is_taken(uint16_t port)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in a = loopback(port);
    bool taken = bind(fd, reinterpret_cast<sockaddr *>(&a), sizeof a) != 0;
    close(fd);
    return taken;
}

// A server that comes to this port, as soon as somebody listens there.
int come_to(uint16_t port)
{
    int fd = -1;
    for (int i = 0; fd < 0 && i < 12000; i++) { // two minutes, against hangs only
        usleep(10000);
        fd = connected(port);
    }
    REQUIRE(write(fd, "RFB 003.008\n", 12) == 12);
    return fd;
}

// Whether this says that a process was ended for what it has sent.
bool is_ended_for_it(const std::string &why)
{
    return why.find("it sent a message that is not allowed") != std::string::npos ||
           why.find("it sent what is no message") != std::string::npos;
}

// It names another server.
void check_question(Owner &owner, uint16_t port)
{
    peer::Event e = owner.next();
    INFO(peer::text(e));
    REQUIRE(e->type == SESSION_QUESTION);
    const session_question *q = session_event_question(e.get());
    CHECK(std::string(q->host) == "127.0.0.1");
    CHECK(q->port == port);
}

} // namespace

// Sanitizers need calls that are taken away.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("rogue: a process that is shut in can do nothing with files, processes and the network")
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
    session_shut_in_by(owner, layers, sizeof layers);
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

// Before it is shut in it has read nothing of the server, so that is not to blame.
TEST_CASE("rogue: a process that dies before it is shut in has not been made to by the server")
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
    uint16_t port = Listening().port;
    Owner owner("question", {"", port, true});
    int fd = come_to(port);
    check_question(owner, port);
    close(fd);
}

TEST_CASE("rogue: a process is not asked for figures, and not missed, while it waits for a server")
{
    uint16_t port = Listening().port;
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
    uint16_t port = Listening().port;
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
    uint16_t port = Listening().port;
    Owner owner("connects", {"", port, true});
    int fd = come_to(port);
    CHECK(is_ended_for_it(peer::text(owner.next())));
    close(fd);
}

TEST_CASE("rogue: a process gets a UDP socket that leads to the server's host")
{
    Listening peer;
    Datagrams datagrams(peer.port);
    Owner owner("datagrams", {"", peer.port});
    CHECK(datagrams.next() == "hello");
    datagrams.answer("welcome");
    CHECK(peer::text(owner.next()) == "welcome");
}

TEST_CASE("rogue: a UDP socket is not asked for too soon, nor for what may not be asked")
{
    Listening peer;
    for (const char *act : {"datagrams-too-soon", "datagrams-low", "datagrams-short"}) {
        INFO(act);
        Owner owner(act, {"", peer.port});
        CHECK(is_ended_for_it(peer::text(owner.next())));
    }
    Settings off{"", peer.port};
    off.datagrams = false;
    Owner owner("datagrams", off);
    CHECK(is_ended_for_it(peer::text(owner.next())));
}

static std::string said(Owner &owner, uint32_t type)
{
    peer::Event e = owner.next();
    while (e->type != type)
        e = owner.next();
    return peer::text(e);
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
        session_play(owner, heard.data(), heard.size());
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

TEST_CASE("rogue: a ticket counts in a session only, and only where ssh has protected it")
{
    Listening peer;
    {
        Owner owner("ticket", {"", peer.port});
        CHECK(owner.next()->type == SESSION_CONNECTED);
        CHECK(owner.next()->type == SESSION_BELL); // which comes behind it
    }
    for (const char *act : {"ticket-too-soon", "ticket-low"}) {
        INFO(act);
        Owner owner(act, {"", peer.port});
        peer::Event e = owner.next();
        if (e->type == SESSION_CONNECTED)
            e = owner.next();
        CHECK(is_ended_for_it(peer::text(e)));
    }
    Settings off{"", peer.port};
    off.datagrams = false;
    Owner owner("ticket", off);
    CHECK(owner.next()->type == SESSION_CONNECTED);
    CHECK(is_ended_for_it(peer::text(owner.next())));
}

TEST_CASE("rogue: UDP sockets are few, however often a process asks")
{
    Listening peer;
    Owner owner("datagrams-often", {"", peer.port});
    peer::Event e = owner.next();
    REQUIRE(e->type == SESSION_NOTICE);
    CHECK(std::stoi(peer::text(e)) >= 1);
    CHECK(std::stoi(peer::text(e)) <= 64);
}

TEST_CASE("rogue: where a repeater stands in between, no UDP socket leads to the server")
{
    Listening repeater;
    Settings settings{"", 5900};
    settings.repeater = repeater.port;
    Owner owner("datagrams", settings);
    int fd = accept(repeater.fd, nullptr, nullptr);
    REQUIRE(write(fd, "RFB 000.000\n", 12) == 12);
    CHECK(peer::text(owner.next()) == "nowhere");
    close(fd);
}

TEST_CASE("rogue: a handshake ends, whatever the process does")
{
    Listening peer;
    Owner owner("mute", {"", peer.port});
    peer::Event e = owner.next();
    CHECK(e->type == SESSION_CLOSED);
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
