// Whose servers listen, from texts as the kernel writes them.
#include <string>

#include "tests/catch.hpp"
#include "tools/accelerator/ssh/own_server.h"

namespace
{

const std::string HEAD =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt"
    "   uid  timeout inode\n";

/* A line of a socket that listens, or is in another state. */
std::string line(const std::string &address, unsigned port, unsigned uid, unsigned inode = 77,
                 const std::string &state = "0A")
{
    char digits[8];
    snprintf(digits, sizeof digits, "%04X", port);
    std::string nobody = std::string(address.size(), '0') + ":0000";
    return "   0: " + address + ":" + digits + " " + nobody + " " + state +
           " 00000000:00000000 00:00000000 00000000 " + std::to_string(uid) + "        0 " +
           std::to_string(inode) + " 1 0000000000000000 100 0 0 10 0\n";
}

const std::string LOOPBACK = "0100007F", ANY = "00000000", ELSEWHERE = "020A0A0A",
                  ANY6 = std::string(32, '0'), LOOPBACK6 = std::string(24, '0') + "01000000";

struct Listening : listening {
    explicit Listening(const std::string &v4, const std::string &v6 = "") : listening()
    {
        listening_add(this, (HEAD + v4).c_str(), false);
        listening_add(this, (HEAD + v6).c_str(), true);
    }
};

/* The port that is found for user 1000, or why none is. */
std::string found(const Listening &l)
{
    uint16_t port = 0;
    reason why{};
    return own_server_find(&l, 1000, &port, &why) ? std::to_string(port) : why.text;
}

bool contains(const std::string &text, const std::string &piece)
{
    INFO(text);
    CHECK(text.find(piece) != std::string::npos);
    return text.find(piece) != std::string::npos;
}

} // namespace

TEST_CASE("the user's one server is found")
{
    CHECK(found(Listening(line(LOOPBACK, 5901, 1000))) == "5901");
    CHECK(found(Listening(line(ANY, 5999, 1000))) == "5999");
    CHECK(found(Listening("", line(ANY6, 5900, 1000))) == "5900");
    CHECK(found(Listening("", line(LOOPBACK6, 5900, 1000))) == "5900");
    /* both families of one server */
    CHECK(found(Listening(line(LOOPBACK, 5901, 1000), line(LOOPBACK6, 5901, 1000))) == "5901");
    /* beside others' */
    CHECK(found(Listening(line(LOOPBACK, 5901, 1001) + line(LOOPBACK, 5902, 1000) +
                          line(LOOPBACK, 5903, 0))) == "5902");
}

TEST_CASE("what is no server of the user's is not found")
{
    for (const auto &l :
         {Listening(""), Listening(line(LOOPBACK, 5901, 1001)), Listening(line(LOOPBACK, 5901, 0)),
          Listening(line(LOOPBACK, 5899, 1000)), Listening(line(LOOPBACK, 6000, 1000)),
          Listening(line(ELSEWHERE, 5901, 1000)), Listening(line(LOOPBACK, 5901, 1000, 77, "01")),
          /* somebody else may get what is sent to that port */
          Listening(line(LOOPBACK, 5901, 1000), line(LOOPBACK6, 5901, 1001)),
          Listening(line(LOOPBACK, 5901, 1001), line(ANY6, 5901, 1000))})
        CHECK(contains(found(l), "has no VNC server here"));
}

TEST_CASE("several servers are named")
{
    CHECK(contains(found(Listening(line(LOOPBACK, 5905, 1000) + line(ANY, 5901, 1000))),
                   "has 2 VNC servers here (:1, :5): name one"));
    std::string all;
    for (unsigned port = 5900; port < 6000; port++)
        all += line(ANY, port, 1000);
    CHECK(contains(found(Listening(all)), "has 100 VNC servers here"));
}

TEST_CASE("what is said of a port")
{
    Listening l(line(LOOPBACK, 5901, 1000, 5) + line(LOOPBACK, 5902, 0) + line(LOOPBACK, 5903, 7),
                line(LOOPBACK6, 5901, 1000, 6) + line(LOOPBACK6, 5904, 1000));
    listening_port own = listening_at(&l, 5901, 1000);
    CHECK(own.sockets == 2);
    CHECK(own.own);
    CHECK(own.trusted);
    CHECK(own.v4);
    CHECK(own.inodes == 11);
    CHECK_FALSE(listening_at(&l, 5902, 1000).own);
    CHECK(listening_at(&l, 5902, 1000).trusted);
    CHECK(listening_at(&l, 5902, 0).own);
    CHECK_FALSE(listening_at(&l, 5903, 1000).trusted);
    CHECK_FALSE(listening_at(&l, 5904, 1000).v4);
    CHECK(listening_at(&l, 5905, 1000).sockets == 0);
    CHECK_FALSE(l.doubtful);
}

TEST_CASE("a table that is not understood says nothing")
{
    CHECK(Listening("   0: 0100007F:170D\n").doubtful);
    CHECK(Listening("nonsense\n").doubtful);
    CHECK(Listening(line(LOOPBACK6, 5901, 1000)).doubtful); /* IPv6 in the file of IPv4 */
    CHECK(Listening("", line(LOOPBACK, 5901, 1000)).doubtful);
    std::string all;
    for (unsigned port = 1; port <= LISTENING_MAX + 1; port++)
        all += line(ANY, port, 1000);
    CHECK(Listening(all).doubtful);
    /* cut off in the middle */
    std::string one = line(LOOPBACK, 5901, 1000);
    for (size_t size = 1; size + 70 < one.size(); size++)
        CHECK(found(Listening(one.substr(0, size))) != "5900");
}
