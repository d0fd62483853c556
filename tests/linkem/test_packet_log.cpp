// The table of packets: what a line says, in virtual time, and files that cannot be written.
#include "tests/catch.hpp"

#include <fstream>

#include "tests/linkem/virtual_link.hpp"
#include "tests/temp_dir.hpp"

extern "C" {
#include "tools/linkem/link/packet_log.h"
}

namespace
{

using Lines = std::vector<std::string>;

const std::string HEAD = "taken_us,left_us,way,bytes,protocol,payload,fate";

// A table that is read once it is complete.
class Table
{
  public:
    Table()
    {
        REQUIRE(packet_log_open(&log, path.c_str()));
    }
    ~Table()
    {
        packet_log_close(&log);
    }
    Table(const Table &) = delete;
    Table &operator=(const Table &) = delete;

    Lines close()
    {
        REQUIRE(packet_log_close(&log));
        std::ifstream file(path);
        Lines all;
        for (std::string line; std::getline(file, line);)
            all.push_back(line);
        return all;
    }

    packet_log log{};

  private:
    const TempDir dir;
    const std::string path = dir.file("packets.csv");
};

// "protocol,payload" of a packet of so many bytes.
std::string content(const std::vector<unsigned char> &packet)
{
    Table t;
    const packet_entry e{2999,           3000,          LINKEM_DOWN,
                         FATE_DELIVERED, packet.data(), static_cast<uint32_t>(packet.size())};
    packet_log_add(&t.log, &e);
    Lines all = t.close();
    REQUIRE(all.size() == 2);
    const std::string before = "2,3,down," + std::to_string(packet.size()) + ",",
                      after = ",delivered";
    REQUIRE(all[1].substr(0, before.size()) == before);
    REQUIRE(all[1].substr(all[1].size() - after.size()) == after);
    return all[1].substr(before.size(), all[1].size() - before.size() - after.size());
}

std::vector<unsigned char> ipv4(size_t bytes, unsigned char protocol)
{
    std::vector<unsigned char> p(bytes, 0);
    p[0] = 0x45;
    p[9] = protocol;
    return p;
}

} // namespace

TEST_CASE("packet log: a line for each packet once its fate is known", "[packet_log]")
{
    Table t;
    VirtualLink l({{"delay", "10ms"}, {"down-udp", "drop"}}, {"20ms:up-loss=100%"});
    linkem_link_log(&l.link, &t.log);
    const auto send = [&](linkem_direction way, uint32_t bytes, unsigned char to = 10) {
        l.send(way, 0, bytes, true, to, IPPROTO_UDP);
    };
    send(LINKEM_UP, 128);
    send(LINKEM_DOWN, 64);
    send(LINKEM_UP, 64, 0xe0); // to a group
    l.run_until(20 * TICK_MS);
    send(LINKEM_UP, 48);
    l.run_until(TICK_S);
    CHECK(t.close() == Lines{HEAD, "0,0,down,64,udp,36,udp", "0,10000,up,128,udp,100,delivered",
                             "20000,20000,up,48,udp,20,loss"});
}

TEST_CASE("packet log: the line, the queue and the way there take their time", "[packet_log]")
{
    Table t;
    // 100 bytes take 100 ms; one waits, and for a second one there is no room
    VirtualLink l({{"delay", "10ms"}, {"rate", "8kbit"}, {"queue", "100"}});
    linkem_link_log(&l.link, &t.log);
    for (uint32_t i = 0; i < 3; i++)
        l.send(LINKEM_DOWN, i, 100, true, 10, IPPROTO_UDP);
    l.run_until(150 * TICK_MS);
    l.send(LINKEM_DOWN, 3, 100, true, 10, IPPROTO_UDP); // still held when the table ends
    CHECK(t.close() ==
          Lines{HEAD, "0,0,down,100,udp,72,full", "0,110000,down,100,udp,72,delivered"});
}

TEST_CASE("packet log: what TCP and UDP carry", "[packet_log]")
{
    auto tcp = ipv4(20 + 32 + 11, IPPROTO_TCP);
    tcp[20 + 12] = 0x80; // a head of 32 bytes
    CHECK(content(tcp) == "tcp,11");
    tcp.resize(20 + 32); // an acknowledgement alone
    CHECK(content(tcp) == "tcp,0");
    CHECK(content(ipv4(28, IPPROTO_UDP)) == "udp,0");
    auto options = ipv4(24 + 8 + 5, IPPROTO_UDP);
    options[0] = 0x46; // IP with options
    CHECK(content(options) == "udp,5");
    std::vector<unsigned char> six(40 + 20 + 7, 0);
    six[0] = 0x60;
    six[6] = IPPROTO_TCP;
    six[40 + 12] = 0x50;
    CHECK(content(six) == "tcp,7");
}

TEST_CASE("packet log: what has no head of TCP or UDP carries nothing that is known",
          "[packet_log]")
{
    CHECK(content(ipv4(84, IPPROTO_ICMP)) == "other,0");
    CHECK(content({0, 1, 2}) == "other,0");
    auto later = ipv4(1000, IPPROTO_UDP);
    later[7] = 185; // a later fragment
    CHECK(content(later) == "other,0");
    auto tcp = ipv4(45, IPPROTO_TCP);
    tcp[20 + 12] = 0x80; // says more than there is
    CHECK(content(tcp) == "other,0");
    CHECK(content(ipv4(39, IPPROTO_TCP)) == "other,0");
}

TEST_CASE("packet log: a file that cannot be written", "[packet_log]")
{
    packet_log none{};
    CHECK(packet_log_open(&none, nullptr));
    CHECK(packet_log_close(&none));
    CHECK_FALSE(packet_log_open(&none, "/nonexistent/packets"));
    CHECK(packet_log_close(&none)); // it was told already

    for (int lines : {1, 10000}) { // found out at the end, or under way
        packet_log full{};
        REQUIRE(packet_log_open(&full, "/dev/full"));
        const auto packet = ipv4(28, IPPROTO_UDP);
        const packet_entry e{0, 0, LINKEM_UP, FATE_DELIVERED, packet.data(), 28};
        for (int i = 0; i < lines; i++)
            packet_log_add(&full, &e);
        CHECK((full.error != 0) == (lines > 1));
        CHECK_FALSE(packet_log_close(&full));
        CHECK(packet_log_close(&full));
    }
}
