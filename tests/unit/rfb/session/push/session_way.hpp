// The far end's end of a session's way by datagrams, and what such a session asks for.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <condition_variable>
#include <cstring>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "rfb/datagrams/body.h"
#include "rfb/datagrams/sealed.h"
#include "tests/unit/session_blocks.hpp"

namespace datagram_way
{

using namespace peer;

const std::string TEXT("\3\0\0\0\0\0\0\1x", 9);
const int W = 64, H = 48; // of let_in()
const uint16_t PORT = 60123;

// The ports that sessions have asked for.
inline struct {
    std::mutex lock;
    std::condition_variable changed;
    std::vector<uint16_t> ports;
    void begin()
    {
        std::lock_guard<std::mutex> hold(lock);
        ports.clear();
    }
    void add(uint16_t port)
    {
        std::lock_guard<std::mutex> hold(lock);
        ports.push_back(port);
        changed.notify_all();
    }
    void await(size_t count)
    {
        std::unique_lock<std::mutex> hold(lock);
        changed.wait(hold, [&] { return ports.size() >= count; });
    }
    std::vector<uint16_t> all()
    {
        std::lock_guard<std::mutex> hold(lock);
        return ports;
    }
} asked;

inline session_hooks hooks()
{
    session_hooks h = {};
    h.ask_datagrams = [](uint16_t port) { asked.add(port); };
    asked.begin();
    return h;
}

// The session's socket, for a hook that connects it.
inline int given_socket;

inline session_options options(const Server &server)
{
    session_options o = options_for(server);
    o.datagrams = true;
    return o;
}

inline std::string shows(uint16_t port = PORT, unsigned oldest = 1, unsigned newest = 1)
{
    accelerator_shown shown = {"bbr", oldest, newest, false, false, port, {}, {}, false, {}, 0, {}};
    memset(shown.datagrams_secret, 's', sizeof shown.datagrams_secret);
    return written([&](uint8_t *o) { return server_write_accelerator(o, &shown); });
}

// A block as a datagram has it.
inline std::string block_of(rect area, uint32_t sequence, uint32_t colour, bool last = false,
                            uint8_t generation = 1)
{
    return one(area, sequence, colour, last, generation).substr(1);
}

inline std::string packed(block b)
{
    uint8_t wire[BLOCK_MAX];
    b.generation = 1;
    return std::string(reinterpret_cast<char *>(wire), block_pack(&b, wire));
}

// The far end's end of the way.
class Way
{
  public:
    int given; // the session's end

    Way()
    {
        uint8_t secret[SEALED_SECRET];
        memset(secret, 's', sizeof secret);
        open();
        hello_ = opener_create(secret, SEALED_HELLO);
        up_ = opener_create(secret, SEALED_TO_FAR_END);
        down_ = sealer_create(secret, SEALED_TO_VIEWER);
        hello_seals_ = sealer_create(secret, SEALED_HELLO);
        REQUIRE((hello_ && up_ && down_ && hello_seals_));
    }
    ~Way()
    {
        close(fd_);
        opener_destroy(hello_);
        opener_destroy(up_);
        sealer_destroy(down_);
        sealer_destroy(hello_seals_);
    }
    Way(const Way &) = delete;
    Way &operator=(const Way &) = delete;

    // There is another socket.
    void move()
    {
        close(fd_);
        open();
    }

    // Reads the next packet.
    void next()
    {
        uint8_t packet[SEALED_MAX + 1];
        ssize_t n = recv(fd_, packet, sizeof packet, 0);
        size_t size = 0;
        bool newest;
        if (n <= 0)
            throw Gone();
        if (opener_open(hello_, packet, size_t(n), body_, &size, &newest)) {
            hellos++;
            bad += size > 0;
        } else if (opener_open(up_, packet, size_t(n), body_, &size, &newest) &&
                   body_read_up(body_, size, &up)) {
            ups++;
            hear();
        } else {
            bad++;
        }
    }
    void until(const std::function<bool()> &so)
    {
        do
            next();
        while (!so());
    }
    std::string seal(uint16_t mark, uint32_t heard, const std::string &block = "", bool good = true)
    {
        uint8_t body[SEALED_BODY_MAX], packet[SEALED_MAX];
        const body_down d = {mark,         heard, reinterpret_cast<const uint8_t *>(block.data()),
                             block.size(), 0,     0};
        size_t size = body_write_down(body, &d);
        size = sealer_seal(good ? down_ : hello_seals_, body, size, packet);
        return std::string(reinterpret_cast<char *>(packet), size);
    }
    // A probe of so many bytes, with its seal.
    std::string probe(uint16_t mark, uint8_t search, size_t bytes)
    {
        uint8_t body[SEALED_BODY_MAX], packet[SEALED_MAX];
        const body_down d = {mark, 0, nullptr, 0, bytes - SEALED_HEAD - SEALED_TAG, search};
        size_t size = sealer_seal(down_, body, body_write_down(body, &d), packet);
        return std::string(reinterpret_cast<char *>(packet), size);
    }
    bool put(const std::string &packet)
    {
        return send(fd_, packet.data(), packet.size(), MSG_NOSIGNAL) == ssize_t(packet.size());
    }
    void say(uint16_t mark, uint32_t heard, const std::string &block = "")
    {
        put(seal(mark, heard, block));
    }
    // Whether the newest packet says that this one has come, or was made of parity.
    bool told(uint32_t number) const
    {
        return up.tells && (up.newest == number || bit(up.before, number));
    }
    bool made(uint32_t number) const
    {
        return up.makes && bit(up.made, number);
    }

    unsigned hellos = 0, ups = 0, bad = 0;
    body_up up = {};   // of the newest packet
    std::string heard; // what was repeated, put together

  private:
    bool bit(const uint8_t *bits, uint32_t number) const
    {
        uint32_t back = up.newest - number - 1;
        return back < BODY_BEFORE && (bits[back / 8] >> back % 8 & 1);
    }
    void open()
    {
        int pair[2];
        timeval patience = {120, 0}; // only a hang takes so long
        if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair) != 0)
            throw Gone();
        fd_ = pair[0];
        given = pair[1];
        setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    }
    void hear()
    {
        size_t known = heard.size() - up.at;
        if (up.at <= heard.size() && known < up.size)
            heard.append(reinterpret_cast<const char *>(up.said) + known, up.size - known);
    }

    int fd_;
    opener *hello_, *up_;
    sealer *down_, *hello_seals_;
    uint8_t body_[SEALED_BODY_MAX];
};

// Up to where the session counts what it says.
inline void begin_counting(Peer &p, Heard &heard)
{
    begin(p);
    p.write(shows());
    while (!heard.counted)
        heard.next();
}

// The session gets the way that it asks for.
inline void give(Owner &owner, const Way &way)
{
    owner.connected();
    asked.await(1);
    session_give_path(owner, way.given);
}

// How a session ends that gets this as a datagram.
inline std::string end_of(const std::string &block)
{
    Way way;
    Server server([&](Peer &p) {
        Heard heard(p);
        begin_counting(p, heard);
        way.until([&] { return way.hellos > 0; });
        way.say(1, 0, block_of({0, 0, W, H}, 1, 5, true));
        way.say(1, 0, block);
        p.read_rest();
    });
    Owner owner(options(server), hooks());
    give(owner, way);
    std::string why = owner.closed();
    CHECK(owner.failure() == FAILURE_PROTOCOL);
    return why;
}

} // namespace datagram_way
