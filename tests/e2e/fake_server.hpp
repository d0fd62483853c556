/* A server that fails on demand: a list of steps played to every client that connects.
 *
 * Only for what no real server does when asked: close or stall in the middle of a message, send
 * garbage. It keeps reading what the client says, so that nothing blocks for want of a reader. */
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "process.hpp"
#include "rfb/proto/encodings.h"
#include "tests/wire.hpp"

namespace e2e
{

struct Step {
    enum Kind {
        SEND,          /* bytes */
        EXPECT,        /* wait until the client has sent `count` more bytes of its handshake */
        AWAIT_REQUEST, /* wait for one more FramebufferUpdateRequest */
        AWAIT_PUSH,    /* the next messages of push extensions are `bytes`; else the end */
        AWAIT_INPUT,   /* wait until keys, pointer events, wishes for sound and the heads of texts
                        * have `bytes` among   them; then forget them, and all before them */
        TAKE_BUTTONS,  /* from now on pointer events may be extended */
        NO_PUSH,       /* there was none but those awaited; else the end */
        REPEAT,        /* send `bytes` again and again until the client goes away */
        PAUSE,         /* say nothing for `count` ms, or longer */
        DEAF,          /* the same, but read nothing from now on; `count` ms lie between two */
        STALL,         /* keep the connection open and silent until the client goes away */
        TLS,           /* begin TLS, with `shown` or anonymous: all that follows is inside of it */
        RESET,         /* close with a reset instead of an orderly end */
    } kind;
    std::string bytes;
    size_t count;
    gnutls_certificate_credentials_t shown = nullptr;
};

inline Step send_step(std::string bytes)
{
    return {Step::SEND, std::move(bytes), 0};
}
inline Step expect(size_t count)
{
    return {Step::EXPECT, "", count};
}
inline Step await_request()
{
    return {Step::AWAIT_REQUEST, "", 0};
}
inline Step await_push(std::string bytes)
{
    return {Step::AWAIT_PUSH, std::move(bytes), 0};
}
inline Step await_input(std::string bytes)
{
    return {Step::AWAIT_INPUT, std::move(bytes), 0};
}
inline Step take_buttons()
{
    return {Step::TAKE_BUTTONS, "", 0};
}
inline Step no_push()
{
    return {Step::NO_PUSH, "", 0};
}
inline Step repeat(std::string bytes)
{
    return {Step::REPEAT, std::move(bytes), 0};
}
inline Step deaf(std::string bytes, milliseconds between)
{
    return {Step::DEAF, std::move(bytes), static_cast<size_t>(between.count())};
}
inline Step pause(milliseconds least)
{
    return {Step::PAUSE, "", static_cast<size_t>(least.count())};
}
inline Step stall()
{
    return {Step::STALL, "", 0};
}
/* nullptr: anonymous */
inline Step tls_step(gnutls_certificate_credentials_t shown)
{
    return {Step::TLS, "", 0, shown};
}
inline Step reset()
{
    return {Step::RESET, "", 0};
}

using Script = std::vector<Step>;

class FakeServer
{
  public:
    /* The script ends in an orderly close unless its last step says otherwise. */
    explicit FakeServer(Script script);
    ~FakeServer();
    FakeServer(const FakeServer &) = delete;
    FakeServer &operator=(const FakeServer &) = delete;

    /* For those who come from now on. Whoever is being served is served to the end. */
    void play(Script script);

    int port() const
    {
        return port_;
    }
    std::string address() const
    {
        return "127.0.0.1::" + std::to_string(port_);
    }
    int clients() const /* served to the end */
    {
        return clients_;
    }
    bool stalled() const /* the present client has heard all before STALL */
    {
        return stalled_;
    }
    unsigned requests() const /* FramebufferUpdateRequests of the present client */
    {
        return requests_;
    }
    /* The keys that have come since it was last asked, in their order. */
    struct Key {
        uint32_t keysym, code; /* code: 0 when it has come without */
        bool down;
    };
    std::vector<Key> take_keys();

  private:
    void serve();
    std::shared_ptr<const Script> script_now();
    bool wait_ready(int fd, short events, short &got);
    bool rest(int fd, milliseconds least, const std::function<bool()> &drain);
    bool deaf_write(Wire &wire, const std::string &bytes, milliseconds after);
    void one_client(Wire &wire, const Script &script);

    std::mutex lock_;
    std::vector<Key> keys_;
    std::shared_ptr<const Script> script_;
    int listener_ = -1, stop_[2] = {-1, -1}, port_ = 0;
    std::atomic<int> clients_{0};
    std::atomic<bool> stalled_{false};
    std::atomic<unsigned> requests_{0};
    std::thread thread_;
};

/* Pieces of the protocol, big-endian. */
std::string u8(unsigned v);
std::string u16(unsigned v);
std::string u32(uint32_t v);

/* RFB 3.8, security type None, a screen of this size: ready for the first update. */
Script handshake(int width, int height, const std::string &name = "fake");

/* What a server says. The payload of a fence may be longer than is allowed. */
std::string fence(uint32_t flags, const std::string &payload);
std::string ends_of_continuous_updates(size_t count);
std::string bells(size_t count);

/* What a client says. */
std::string fence_answer(uint32_t flags, const std::string &payload);
std::string enable_continuous_updates(int width, int height);
std::string key_event(uint32_t keysym, bool down);
std::string key_code_event(uint32_t keysym, uint32_t code, bool down);
std::string pointer_event(int x, int y, unsigned buttons, bool extended = false);

/* The heads of SetColourMapEntries and ServerCutText: colours and text follow. */
std::string colour_map(unsigned colours);
std::string cut_text(uint32_t length);

/* The head of a FramebufferUpdate, and of a rectangle. */
std::string update(unsigned rectangles);
std::string rectangle(unsigned x, unsigned y, unsigned w, unsigned h, int32_t encoding);

/* What follows the rectangle of ExtendedDesktopSize. */
std::string screens(unsigned count);

/* A whole update: the screen in one colour, raw. */
std::string raw_screen(int width, int height, uint32_t colour);

Script operator+(Script a, const Script &b);

} // namespace e2e
