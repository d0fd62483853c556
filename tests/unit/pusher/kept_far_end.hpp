// A far end that keeps, with a server, and viewers that come one after the other.
#pragma once

#include <memory>

#include "datagram_end.hpp"
#include "rfb/proto/bytes.h"

namespace far_end
{

inline const std::string EARLY =
    "RFB 003.008\n\1\1"; // all that a newcomer says, with its ClientInit
inline const rect ALL = {0, 0, WIDTH, HEIGHT};

inline rect draw_all(Picture &p, uint32_t colour)
{
    p = Picture(p.w, p.h, colour);
    return {0, 0, p.w, p.h};
}

// Exactly so many bytes; fewer at the end.
inline std::string hear(int fd, size_t size)
{
    std::string all(size, '\0');
    ssize_t n = recv(fd, &all[0], size, MSG_WAITALL);
    all.resize(n < 0 ? 0 : size_t(n));
    return all;
}

// Until the other side has closed it.
inline bool is_closed(int fd)
{
    char bytes[4096];
    while (recv(fd, bytes, sizeof bytes, 0) > 0)
        ;
    return true; // a hang is a test that times out
}

struct Screen {
    int width = 0, height = 0;
    std::string name;
};

inline Screen hear_screen(int fd)
{
    Screen s;
    const std::string head = hear(fd, 24);
    if (head.size() != 24)
        return s;
    const uint8_t *bytes = reinterpret_cast<const uint8_t *>(head.data());
    s.width = int(get16(bytes));
    s.height = int(get16(bytes + 2));
    s.name = hear(fd, get32(bytes + 20));
    return s;
}

// The whole handshake, said at once.
inline Screen greet(int fd)
{
    send_all(fd, EARLY);
    CHECK(hear(fd, 12) == "RFB 003.008\n");
    CHECK(hear(fd, 2) == "\1\1");
    CHECK(hear(fd, 4) == std::string(4, '\0'));
    return hear_screen(fd);
}

// A server, a far end that keeps, and viewers one after the other.
struct Kept {
    Far far;
    Server server;
    std::unique_ptr<Viewer> viewer;
    std::vector<int> sockets;

    explicit Kept(tick_t keep = 3600 * TICK_S, int door = -1)
        : far(WIDTH, HEIGHT, true, keep, door), server(far.server, WIDTH, HEIGHT)
    {
        viewer = std::make_unique<Viewer>(far.viewer, WIDTH, HEIGHT);
        check();
    }
    ~Kept()
    {
        viewer.reset();
        shutdown(far.keeper, SHUT_RDWR); // then all ends
        for (int fd : sockets)
            close(fd);
    }
    Picture picture()
    {
        return server.with([&] { return server.picture; });
    }
    void check()
    {
        CHECK(viewer->await_picture(picture()));
        CHECK(viewer->with([&] { return viewer->blocks == viewer->drawn; }));
    }
    // It goes without a word.
    void lose()
    {
        viewer.reset();
    }
    // What its keeper says: a ticket, and that it was used at this socket.
    void ticket(const uint8_t *secret, uint16_t port)
    {
        door_opening o = {{}, port};
        memcpy(o.secret, secret, sizeof o.secret);
        const std::string word =
            KEEPER_TICKET + std::string(reinterpret_cast<char *>(&o), sizeof o);
        REQUIRE(send(far.keeper, word.data(), word.size(), 0) == ssize_t(word.size()));
    }
    void use(int fd, bool proved, uint16_t tries = 0)
    {
        const char word[KEEPER_USED_BYTES] = {KEEPER_USED, char(proved), char(tries >> 8),
                                              char(tries)};
        REQUIRE(descriptors_send(far.keeper, word, sizeof word, &fd, 1));
    }
    int come(const std::string &name = "desk", int door = -1)
    {
        sockets.push_back(far.come(name, door));
        return sockets.back();
    }
    Screen return_again(int door = -1)
    {
        int fd = come("desk", door);
        Screen s = greet(fd);
        viewer = std::make_unique<Viewer>(fd, s.width, s.height);
        return s;
    }
    std::string told()
    {
        return viewer->with([&] { return viewer->told; });
    }
};

} // namespace far_end
