/* A session as its owner has it, and the server's side of its beginning. */
#pragma once

#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <string>

#include "tests/catch.hpp"
#include "tests/expect.hpp"
#include "tests/rfb_peer.hpp"
#include "tests/session_events.hpp"

namespace peer
{

// Owns one session, from one thread.
class Owner
{
  public:
    explicit Owner(const Server &server, const std::string &x509_ca = "", tick_t timeout = 0)
        : Owner(at(server), {}, x509_ca, timeout)
    {
    }
    // Of `o` the address and the route count.
    explicit Owner(struct session_options o, struct session_hooks hooks = {},
                   const std::string &x509_ca = "", tick_t timeout = 0,
                   const char *encodings = "raw")
    {
        struct reason why = {};
        EXPECT(encoding_list_parse(&o.encodings.list, encodings, &why));
        o.scheduler.policy = PRP_OFF;
        o.connect_timeout = timeout ? timeout : 1000 * TICK_S;
        o.stall_timeout = 1000 * TICK_S;
        o.security = security_default();
        o.clipboard = CLIPBOARD_SEND | CLIPBOARD_RECEIVE;
        snprintf(o.x509_ca, sizeof o.x509_ca, "%s", x509_ca.c_str());
        events_.hear_of(hooks);
        session_ = session_create(&o, &hooks);
        EXPECT(session_);
    }
    ~Owner()
    {
        session_destroy(session_);
    }
    Owner(const Owner &) = delete;
    Owner &operator=(const Owner &) = delete;
    operator session *()
    {
        return session_;
    }
    // The next event but SESSION_CERTIFIED, which is counted.
    Event next()
    {
        Event e = events_.next(session_);
        for (; e->type == SESSION_CERTIFIED; e = events_.next(session_))
            certified_++;
        return e;
    }
    // So often the server has shown a certificate that is accepted, in what was taken up to now.
    int certified() const
    {
        return certified_;
    }
    struct session_question question()
    {
        Event e = next();
        INFO(text(e));
        REQUIRE(e->type == SESSION_QUESTION);
        return *session_event_question(e.get());
    }
    // The session is connected; the desktop's name.
    std::string connected()
    {
        Event e = next();
        INFO(text(e));
        CHECK(e->type == SESSION_CONNECTED);
        return text(e);
    }
    // The next event is the last one; why.
    std::string closed()
    {
        Event e = next();
        EXPECT(e->type == SESSION_CLOSED);
        failure_ = static_cast<enum failure>(e->failure);
        return text(e);
    }
    // What kind of end it was, after closed().
    enum failure failure() const
    {
        return failure_;
    }

  private:
    static struct session_options at(const Server &server)
    {
        struct session_options o = {};
        strcpy(o.address.path, server.path().c_str());
        return o;
    }
    enum failure failure_ = FAILURE_NONE;
    int certified_ = 0;
    Events events_;
    session *session_;
};

inline std::string bytes(std::initializer_list<unsigned> values)
{
    std::string all;
    for (unsigned v : values)
        all += static_cast<char>(v);
    return all;
}

inline void greet(Peer &p)
{
    p.write("RFB 003.008\n");
    p.read(12);
}

// The only way in is this one of VeNCrypt, up to its TLS. With a certificate: it is shown.
inline void ask_inside(Peer &p, unsigned subtype, const Certificate *certificate,
                       const char *priority = "NORMAL:+ANON-ECDH:+ANON-DH")
{
    greet(p);
    p.write(bytes({1, SECURITY_VENCRYPT}));
    p.read(1);
    p.write(bytes({0, 2}));
    p.read(2);
    p.write(bytes({0, 1, 0, 0, subtype >> 8, subtype & 255}));
    p.read(4);
    p.write(bytes({1}));
    p.start_tls(certificate, priority);
}

// Accepts the client; a screen of 64 x 48.
inline void let_in(Peer &p, const std::string &name = "name")
{
    unsigned length = static_cast<unsigned>(name.size());

    p.write(bytes({0, 0, 0, 0}));
    p.read(1);
    p.write(bytes({0, 64, 0, 48, 32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0, 0, 0, 0}) +
            bytes({0, 0, length >> 8, length & 255}) + name);
}

} // namespace peer
