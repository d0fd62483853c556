// What the tests of a session in a hostile process have in common: the session, and who is at the
// other end.
#pragma once

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

namespace rogue
{

inline const uint8_t fingerprint[FINGERPRINT_BYTES] = {1};

struct Settings {
    std::string folder = {};
    uint16_t port = 0;
    bool listen = false;
    unsigned clipboard = 0;
    const char *security = SECURITY_DEFAULT_NAMES;
    bool pinned = false;
    bool certified_before = false; // whoever comes to us
    trace_log *trace = nullptr;
    bool datagrams = true;
    sound_wish sound = SOUND_WISH_OFF;
    uint16_t repeater = 0;        // 0: the way is straight
    std::string *shown = nullptr; // who has shown a certificate, as the viewer hears it
    uint16_t ticket = 0;          // where a ticket is used; 0: there is none
    tick_t limit = 120 * TICK_S;  // of the handshake: only a hang takes so long
};

inline sockaddr_in loopback(uint16_t port)
{
    sockaddr_in a = {};
    a.sin_family = AF_INET;
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    a.sin_port = htons(port);
    return a;
}

inline void note_shown(void *user, const struct address *server, const struct route *, bool vouched)
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
        const sockaddr_in host = loopback(settings.ticket);
        memcpy(o.ticket.host, &host, sizeof host);
        o.ticket.port = settings.ticket;
        strcpy(o.x509_crl, act.c_str()); // there is no such file
        session_hooks hooks = {};
        hooks.trace = settings.trace;
        o.connect_timeout = settings.limit;
        o.stall_timeout = getpid(); // so that the process knows whom to attack
        REQUIRE(security_parse(&o.security, settings.security, &why));
        if (settings.certified_before)
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
inline int connected(uint16_t port)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in a = loopback(port);
    if (connect(fd, reinterpret_cast<sockaddr *>(&a), sizeof a) == 0)
        return fd;
    close(fd);
    return -1;
}

// Whether somebody listens at this port. To connect would be taken for the server.
inline bool is_taken(uint16_t port)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in a = loopback(port);
    bool taken = bind(fd, reinterpret_cast<sockaddr *>(&a), sizeof a) != 0;
    close(fd);
    return taken;
}

// A server that comes to this port, as soon as somebody listens there.
inline int come_to(uint16_t port)
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
inline bool is_ended_for_it(const std::string &why)
{
    return why.find("it sent a message that is not allowed") != std::string::npos ||
           why.find("it sent what is no message") != std::string::npos;
}

// The text of the next event of this type.
inline std::string said(Owner &owner, uint32_t type)
{
    peer::Event e = owner.next();
    while (e->type != type)
        e = owner.next();
    return peer::text(e);
}

// It names another server.
inline void check_question(Owner &owner, uint16_t port)
{
    peer::Event e = owner.next();
    INFO(peer::text(e));
    REQUIRE(e->type == SESSION_QUESTION);
    const session_question *q = session_event_question(e.get());
    CHECK(std::string(q->host) == "127.0.0.1");
    CHECK(q->port == port);
}

} // namespace rogue
