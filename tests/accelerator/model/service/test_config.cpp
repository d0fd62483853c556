// What the accelerator is told: addresses, settings, files.
#include <arpa/inet.h>
#include <netinet/in.h>

#include "tests/catch.hpp"
#include "tests/temp_dir.hpp"

#include <fstream>
#include <memory>
#include <vector>

#include "rfb/bytes_held.h"
#include "tools/accelerator/exchange/backlog.h"
#include "tools/accelerator/service/announcement.h"
#include "tools/accelerator/service/config.h"
#include "tools/accelerator/transport/leg.h"

namespace
{

struct Config {
    std::unique_ptr<config, void (*)(config *)> c{config_create(-1), config_free};
    reason why = {};
    TempDir dir;

    bool read(const std::string &text)
    {
        std::string path = dir.file("accel.conf");
        std::ofstream(path) << text;
        c.reset(config_create(-1));
        why = {};
        return config_read(c.get(), path.c_str(), &why) && config_check(c.get(), &why);
    }
    void refused(const std::string &text, const std::string &cause)
    {
        INFO(text);
        CHECK_FALSE(read(text));
        INFO(why.text);
        CHECK(std::string(why.text).find(cause) != std::string::npos);
    }
};

std::string listens(const char *text)
{
    sockaddr_storage a;
    reason why;
    char out[64];

    if (!config_parse_listen(&a, text, &why))
        return "";
    if (a.ss_family == AF_INET) {
        auto *v4 = reinterpret_cast<sockaddr_in *>(&a);
        inet_ntop(AF_INET, &v4->sin_addr, out, sizeof out);
        return std::string(out) + " " + std::to_string(ntohs(v4->sin_port));
    }
    auto *v6 = reinterpret_cast<sockaddr_in6 *>(&a);
    inet_ntop(AF_INET6, &v6->sin6_addr, out, sizeof out);
    return std::string(out) + " " + std::to_string(ntohs(v6->sin6_port));
}

} // namespace

TEST_CASE("where to listen", "[config]")
{
    CHECK(listens("5910") == "127.0.0.1 5910");
    CHECK(listens("192.0.2.1:5910") == "192.0.2.1 5910");
    CHECK(listens("192.0.2.1::5910") == "192.0.2.1 5910");
    CHECK(listens("*:5910") == "0.0.0.0 5910");
    CHECK(listens("[::1]:5910") == "::1 5910");
    CHECK(listens(":::5910") == ":: 5910");
    for (const char *bad : {"", ":", "0", "65536", "x", "host:5910", "1.2.3.4:", "[::1]", "5910x",
                            "-1", "1.2.3:5", "[]:5"}) {
        INFO(bad);
        CHECK(listens(bad).empty());
    }
}

TEST_CASE("who counts as one client", "[config]")
{
    auto address = [](const char *text) {
        sockaddr_storage a;
        reason why;
        REQUIRE(config_parse_listen(&a, text, &why));
        return a;
    };
    auto same = [&](const char *a, const char *b) {
        sockaddr_storage first = address(a), second = address(b);
        return leg_same_client(&first, &second);
    };
    CHECK(same("192.0.2.1:1", "192.0.2.1:2"));
    CHECK_FALSE(same("192.0.2.1:1", "192.0.2.2:1"));
    CHECK(same("[2001:db8:0:1::1]:1", "[2001:db8:0:1:ffff:1:2:3]:2"));
    CHECK_FALSE(same("[2001:db8:0:1::1]:1", "[2001:db8:0:2::1]:1"));
    CHECK(same("[::ffff:192.0.2.1]:1", "192.0.2.1:2"));
    CHECK_FALSE(same("[::ffff:192.0.2.1]:1", "[::ffff:192.0.2.2]:1"));
    CHECK_FALSE(same("[::1]:1", "0.0.0.0:1"));
}

TEST_CASE("a file of ports and settings", "[config]")
{
    Config t;

    REQUIRE(t.read("; all of it\n[accelerator]\nhold = 100\nclients=7\naccelerate = no\n"
                   "continuous-updates = pass\nforward = whole\nmetrics = 9590\n"
                   "[desk]\nlisten = 5910\nserver = 127.0.0.1:1\n"
                   "[repeater]\nlisten = *:5500\nid.12 = 127.0.0.1::5902\nid.13 = /run/vnc\n"));
    CHECK(t.c->connection.hold_most == 100 << 10);
    CHECK(t.c->most_clients == 7);
    CHECK_FALSE(t.c->connection.accelerate);
    CHECK(t.c->connection.continuous == CONTINUOUS_PASS);
    CHECK(t.c->connection.whole);
    REQUIRE(t.c->count == 2);
    CHECK(std::string(t.c->ports[0].target->text) == "127.0.0.1:1");
    CHECK(t.c->ports[0].target->count == 1);
    CHECK_FALSE(t.c->ports[1].target);
    CHECK(std::string(targets_find(t.c->ports[1].by_name, 13)->text) == "/run/vnc");
    CHECK_FALSE(targets_find(t.c->ports[1].by_name, 14));
}

TEST_CASE("a port of the command line is none of the file's, whatever these are called", "[config]")
{
    Config t;

    REQUIRE(t.read("[2]\nlisten = 5910\nserver = 127.0.0.1:1\n"));
    CHECK(config_add_port(t.c.get(), "5911", "127.0.0.1:2", &t.why));
    INFO(t.why.text);
    REQUIRE(t.c->count == 2);
    CHECK(std::string(t.c->ports[1].name) == "3");
    CHECK(std::string(t.c->ports[1].listen) == "5911");
}

TEST_CASE("by which policy blocks leave", "[config]")
{
    Config t;
    const std::string desk = "[desk]\nlisten = 5910\nserver = 127.0.0.1:1\n";
    auto reads = [&](const std::string &value) {
        return t.read("[accelerator]\npush-policy = " + value + "\n" + desk);
    };

    REQUIRE(t.read(desk));
    CHECK_FALSE(t.c->connection.octopus);
    REQUIRE(reads("octopus"));
    CHECK(t.c->connection.octopus);
    CHECK(t.c->connection.interval_ms == 0);
    for (const char *ms : {"10", "50", "1000"}) {
        REQUIRE(reads(std::string("octopus:") + ms));
        CHECK(t.c->connection.octopus);
        CHECK(t.c->connection.interval_ms == unsigned(std::stoi(ms)));
    }
    REQUIRE(reads("auto"));
    CHECK_FALSE(t.c->connection.octopus);
    for (const char *bad : {"yes", "octopus:", "octopus:9", "octopus:1001", "octopus:5x",
                            "octopus:-50", "octopus:00050", "octopus50", "auto:50", "octopus: 50"})
        t.refused(
            std::string("[accelerator]\npush-policy = ") + bad + "\n" + desk,
            "line 2: push-policy takes auto, octopus, or octopus:MS with 10 to 1000 ms, not '");
}

TEST_CASE("by whose algorithm updates are asked for", "[config]")
{
    Config t;
    const std::string desk = "[desk]\nlisten = 5910\nserver = 127.0.0.1:1\n";

    REQUIRE(t.read(desk));
    CHECK_FALSE(t.c->connection.paper);
    REQUIRE(t.read("[accelerator]\nalgorithm = paper\n" + desk));
    CHECK(t.c->connection.paper);
    REQUIRE(t.read("[accelerator]\nalgorithm = paper\nalgorithm = auto\n" + desk));
    CHECK_FALSE(t.c->connection.paper);
    t.refused("[accelerator]\nalgorithm = octopus\n" + desk,
              "line 2: algorithm takes auto or paper, not 'octopus'");
}

TEST_CASE("whether there are datagrams, and where", "[config]")
{
    Config t;
    const std::string desk = "[desk]\nlisten = 5910\nserver = 127.0.0.1:1\n";

    REQUIRE(t.read(desk));
    CHECK(t.c->connection.datagrams);
    CHECK(t.c->connection.udp.first == 60000);
    CHECK(t.c->connection.udp.last == 61000);
    REQUIRE(t.read("[accelerator]\ndatagrams = no\nudp-ports = 1024-65535\n" + desk));
    CHECK_FALSE(t.c->connection.datagrams);
    CHECK(t.c->connection.udp.first == 1024);
    CHECK(t.c->connection.udp.last == 65535);
    REQUIRE(t.read("[accelerator]\nudp-ports = 5000-5000\n" + desk));
    t.refused("[accelerator]\ndatagrams = maybe\n" + desk,
              "line 2: datagrams takes no or yes, not 'maybe'");
    for (const char *bad : {"5000", "-", "5000-", "-5000", "5001-5000", "1023-5000", "0-5000",
                            "5000-65536", "5000-5001-5002", "5000--5001", "5000-5001x", "a-b",
                            "+5000-5001", "5000 - 5001", "5000-99999999999999999999"})
        t.refused(std::string("[accelerator]\nudp-ports = ") + bad + "\n" + desk,
                  "line 2: udp-ports takes FIRST-LAST, two numbers from 1024 to 65535, not '");
}

TEST_CASE("where TLS ends, and with whose key", "[config]")
{
    Config t, other, third;
    const std::string key(64, 'a');

    REQUIRE(t.read("[accelerator]\nsecurity = x509\ncertificate = /c.pem\nkey = /k.pem\n"
                   "[desk]\nlisten = 5910\nserver = 127.0.0.1:1\nserver-key = " +
                   key + "\n"));
    CHECK(t.c->connection.ends_tls);
    CHECK(t.c->connection.certificate);
    CHECK(std::string(t.c->certificate) == "/c.pem");
    CHECK(t.c->ports[0].target->has_key);
    CHECK(t.c->ports[0].target->key[31] == 0xaa);
    REQUIRE(other.read("[desk]\nlisten = 5910\nserver = 127.0.0.1:1\n"));
    CHECK(other.c->connection.ends_tls);
    CHECK_FALSE(other.c->connection.certificate);
    CHECK_FALSE(other.c->ports[0].target->has_key);
    REQUIRE(third.read("[accelerator]\nsecurity = pass\n[desk]\nlisten = 1\nserver = 127.0.0.1\n"));
    CHECK_FALSE(third.c->connection.ends_tls);
}

TEST_CASE("a port is announced under the name that it is told", "[config]")
{
    Config t;
    const std::string desk = "[desk]\nlisten = *:5910\nserver = 127.0.0.1\n";
    const std::string repeater = "[r]\nlisten = *:5500\nid.1 = 127.0.0.1\n";

    REQUIRE(t.read(desk));
    CHECK(std::string(t.c->ports[0].announce) == "");
    if (!announcement_built()) {
        t.refused(desk + "announce = x\n", "line 4: announce needs Avahi's client library");
        return;
    }
    REQUIRE(t.read(desk + "announce = Mine, \u00fcber all\n"));
    CHECK(std::string(t.c->ports[0].announce) == "Mine, \u00fcber all");
    REQUIRE(t.read(desk + "announce = " + std::string(63, 'x') + "\n"));
    t.refused(desk + "announce = " + std::string(64, 'x') + "\n", "1 to 63 bytes");
    t.refused(desk + "announce = a\x1b[2J\n", "1 to 63 bytes");
    t.refused(desk + "announce =\n", "1 to 63 bytes");
    t.refused(repeater + "announce = x\n", "[r]: who is announced has one server");
    t.refused("[d]\nlisten = 5910\nserver = 127.0.0.1\nannounce = x\n", "for this machine alone");
}

TEST_CASE("what is not understood in a file is refused, with its line", "[config]")
{
    Config t;
    const std::string desk = "[desk]\nlisten = 5910\nserver = 127.0.0.1\n";

    t.refused("", "no port");
    t.refused("listen = 1\n", "line 1: 'listen' stands before");
    t.refused("[desk]\nlisten = 5910\n", "[desk] needs a server");
    t.refused("[desk]\nserver = 127.0.0.1\n", "[desk] has no listen");
    t.refused(desk + "colour = red\n", "line 4: [desk] has no setting 'colour'");
    t.refused(desk + "server = 127.0.0.1\n", "line 4: [desk] has two servers");
    t.refused(desk + "id.1 = 127.0.0.1\n", "not both");
    t.refused(desk + "[b]\nlisten = 127.0.0.1:5910\nserver = 127.0.0.1\n", "the same port");
    t.refused(desk + "nonsense\n", "line 4 is neither");
    t.refused("[accelerator]\nhold = much\n" + desk, "line 2: hold takes a number");
    t.refused("[accelerator]\nforward = later\n" + desk, "line 2: forward takes at-once or whole");
    t.refused("[accelerator]\nsecurity = none\n" + desk,
              "line 2: security takes server, x509 or pass, not 'none'");
    t.refused("[accelerator]\nkey = /k.pem\n" + desk, "certificate and key have to be named");
    t.refused("[accelerator]\nstate = here\n" + desk, "line 2: state takes a path");
    t.refused(desk + "server-key = 12:34\n", "line 4: server-key takes the SHA-256 fingerprint");
    t.refused("[r]\nlisten = 1\nid.1 = 127.0.0.1\nserver-key = " + std::string(64, '0') + "\n",
              "[r] has a server-key and no server");
    t.refused("[accelerator]\nsecurity = pass\n" + desk + "server-key = " + std::string(64, '0') +
                  "\n",
              "which security = pass cannot look at");
    for (const char *itself :
         {"listen = *:6300\nserver = localhost:6300\n", "listen = 5910\nserver = :10\n",
          "listen = 127.0.0.1:5901\nserver = 0.0.0.0:1\n",
          "listen = [::1]:5901\nserver = [::1]:1\n",
          "listen = 192.0.2.1:5901\nserver = 192.0.2.1:1\n",
          "listen = *:5901\nid.1 = 127.0.0.1:2\nid.2 = 127.0.0.1:1\n"})
        t.refused(std::string("[r]\n") + itself, "[r] leads back to itself");
    for (const char *other :
         {"listen = *:6300\nserver = 127.0.0.1:6301\n", "listen = *:5901\nserver = 192.0.2.1:1\n",
          "listen = 192.0.2.1:5901\nserver = 127.0.0.1:1\n",
          "listen = 127.0.0.2:5901\nserver = 127.0.0.1:1\n"}) {
        INFO(other);
        CHECK(t.read(std::string("[r]\n") + other));
    }
    t.refused("[accelerator]\ncongestion = none-such\n" + desk, "no congestion control");
    t.refused("[r]\nlisten = 1\nid.x = 127.0.0.1\n", "line 3: id.x: an ID is a number");
    t.refused("[r]\nlisten = 1\nid.1 = 127.0.0.1\nid.1 = 127.0.0.1\n",
              "line 4: id.1 is there twice");
    t.refused("[desk]\nlisten = 5910\nserver = no.such.host.invalid\n", "line 3: cannot find host");
    CHECK_FALSE(config_read(t.c.get(), "/no/such/file", &t.why));
    t.refused(std::string("[desk]\nlisten = 5910\n\0server = :1\n", 33), "bytes that are no text");
    CHECK_FALSE(config_read(t.c.get(), "/dev/zero", &t.why)); // it has no end
    CHECK(std::string(t.why.text).find("it is larger than 4 MiB") != std::string::npos);
}

TEST_CASE("bytes come out as they went in", "[bytes]")
{
    bytes_held b = {};
    unsigned char in = 0, out = 0;

    for (int round = 0; round < 2000; round++) {
        unsigned char piece[700];
        size_t size = (size_t)round * 37 % sizeof piece;
        for (size_t i = 0; i < size; i++)
            piece[i] = in++;
        REQUIRE(bytes_append(&b, piece, size));
        size_t taken = b.size * ((size_t)round % 5) / 4;
        bool equal = true;
        for (size_t i = 0; i < taken; i++)
            equal = equal && bytes_first(&b)[i] == out++;
        REQUIRE(equal);
        bytes_take(&b, taken);
    }
    bytes_take(&b, b.size);
    CHECK(b.capacity <= 16384); /* what is not needed is given back */
    bytes_deinit(&b);
}

TEST_CASE("a backlog gives what it was given, in pieces", "[bytes]")
{
    backlog b = {};
    unsigned char in = 0, out = 0;

    for (int round = 0; round < 300; round++) {
        std::vector<unsigned char> piece((size_t)round * 397 % 50000);
        for (auto &byte : piece)
            byte = in++;
        REQUIRE(backlog_append(&b, piece.data(), piece.size()));
        size_t wanted = b.size * ((size_t)round % 5) / 4, taken = 0;
        iovec pieces[3];
        int count = backlog_pieces(&b, wanted, pieces, 3);
        bool equal = true;
        for (int i = 0; i < count; i++)
            for (size_t at = 0; at < pieces[i].iov_len; at++, taken++)
                equal = equal && static_cast<unsigned char *>(pieces[i].iov_base)[at] == out++;
        REQUIRE(equal);
        REQUIRE(taken <= wanted);
        REQUIRE((taken == wanted || count == 3));
        backlog_take(&b, taken);
    }
    backlog_take(&b, b.size);
    CHECK_FALSE(b.first); /* an empty one keeps nothing */
    backlog_deinit(&b);
}
