/* vnchl-linkem as its users see it, with the kernel's own TCP and UDP across the link.
 *
 *   test-linkem               every check; none that a busy machine could fail
 *   test-linkem NAME...       some of them
 *   test-linkem --benchmark   measures what needs a quiet machine, and judges nothing
 *
 * How long things take is judged in virtual time (test_link.cpp, test_queue.cpp). Here a time has a
 * lower bound only: nothing arrives before it can.
 *
 * Exits with 77, "skipped", where the system allows neither namespaces nor TUN devices.
 */

#include <sys/stat.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <sstream>

#include "tests/linkem/lab.hpp"
#include "tests/linkem/lifecycle.hpp"
#include "tests/seed.hpp"

extern "C" {
#include "tools/linkem/link/change.h"
}

using lab::check;
using lab::Result;
using lab::Strings;
using lab::traffic;
using std::to_string;

namespace
{

// What 8 x bytes / rate is, in ms.
double line_ms(double bytes, double bits_per_s)
{
    return bytes * 8e3 / bits_per_s;
}

void not_before(double ms, double expected, const std::string &what)
{
    check(ms >= expected, what + ": " + to_string(ms) + " ms, earlier than " + to_string(expected));
}

void round_trip()
{
    auto r = traffic({"--rtt", "40ms"}, "$PEER rtt $AT 20 1000");
    not_before(r.value("min"), 40, "round trip");
    check(r.value("received") == 20, "echoes are missing");
    check(r.stat("up.link.delay_ms") == 20 && r.stat("down.link.delay_ms") == 20, "half each way");
    r = traffic({"--up-delay", "5ms", "--down-delay", "30ms"}, "$PEER rtt $AT 20 1000");
    not_before(r.value("min"), 35, "round trip of unequal ways");
    r = traffic({"--up-delay", "5ms", "--delay", "30ms"}, "$PEER flood $AT 200 100 1000");
    not_before(r.value("min"), 30, "one way");
    check(r.stat("up.link.delay_ms") == 5, "the other way has its own delay");
}

// What is sent after the line was written meets the new setting: the keeper reads lines first.
void control()
{
    e2e::TempDir dir;
    std::string fifo = dir.file("control");
    check(mkfifo(fifo.c_str(), 0600) == 0, "mkfifo");
    auto r = traffic({"--rtt", "10ms", "--control", fifo}, "echo nonsense >" + fifo +
                                                               "; echo rtt=80ms >" + fifo +
                                                               "; exec $PEER rtt $AT 20 1000");
    not_before(r.value("min"), 80, "round trip after it was set");
    check(r.stat("down.link.delay_ms") == 40, "the setting holds");
    check(r.err.find("'nonsense' is not NAME=VALUE") != std::string::npos,
          "a wrong line is named: " + r.err);
}

void ipv6()
{
    auto r = traffic({"--rtt", "40ms"}, "[ -z \"$LINKEM_SERVER6\" ] && echo min=40 && exit\n"
                                        "exec $PEER rtt $LINKEM_SERVER6 7000 20 1000");
    not_before(r.value("min"), 40, "round trip over IPv6");
}

// An address that came into force later would be news to a browser, which then gives up its
// downloads.
void addresses()
{
    auto r =
        traffic({}, "awk '$6 == \"link\" {n++; if ($5 != \"80\") later++}\n"
                    "END {print \"addresses=\" n + 0 \" later=\" later + 0}' /proc/net/if_inet6 || "
                    "echo addresses=0 later=0");
    check(r.value("addresses") <= 1, "the kernel gave the device an address of its own");
    check(r.value("later") == 0, "an address is not in force yet");
}

// All bytes come, as they were, and not before the line can have carried them.
void carries(const Strings &options, const std::string &way, double bytes, double rate)
{
    auto r = traffic(options, "$PEER " + way + " $AT " + to_string(static_cast<long>(bytes)));
    std::string name = way + " at " + to_string(rate) + " bit/s";
    check(r.value("good") == bytes, name + ": only " + r.values["good"] + " bytes are right");
    not_before(r.value("ms"), line_ms(bytes, rate), name);
    std::string out = way == "fetch" ? "down" : "up";
    check(r.stat(out + ".bytes_out") >= bytes, name + ": bytes out of nowhere");
    check(r.stat(out + ".link.rate") == rate, name + ": another rate was set");
}

void rate()
{
    carries({"--rtt", "20ms", "--rate", "8mbit"}, "fetch", 1e6, 8e6);
    carries({"--rtt", "20ms", "--rate", "100mbit", "--up-rate", "8mbit"}, "give", 1e6, 8e6);
    carries({"--rtt", "20ms", "--up-rate", "1mbit", "--down-rate", "100mbit"}, "fetch", 1e7, 1e8);
}

void full_queue()
{
    // so slow a line that the flood is over long before the line has carried it
    const double queue = 50000, packet = 1400 + 28, rate = 8e5;
    auto r = traffic({"--delay", "10ms", "--down-rate", "800kbit", "--down-queue", "50000"},
                     "$PEER flood $AT 1500 1400 0");
    not_before(r.value("min"), 10 + line_ms(packet, rate), "the packet's own time on the line");
    // who finds no room has found that much
    double high = r.stat("down.queue_max_bytes");
    check(high <= queue && high > queue - packet, "high-water mark " + to_string(high));
    check(r.stat("down.dropped_full") > 0, "a full queue drops");
    check(r.stat("down.bytes_in") - r.stat("down.bytes_out") - r.stat("down.held_bytes") ==
              r.stat("down.dropped_full") * packet,
          "packets are missing");
}

// How many of the first so many packets the model loses.
double lost_by_rule(const linkem_config &c, double packets)
{
    linkem_queue q;
    linkem_packet p;
    double lost = 0;
    check(linkem_queue_init(&q, &c), "the model refuses the settings");
    for (tick_t i = 0; static_cast<double>(i) < packets; i++) {
        lost += linkem_queue_put(&q, 1, 0, i) == LINKEM_LOST;
        linkem_queue_take(&q, i, &p);
    }
    linkem_queue_deinit(&q);
    return lost;
}

// The settings as an option and for the model. The seed says which packets are lost.
void loses(const std::string &option, const std::string &value, linkem_config c,
           const std::string &command)
{
    unsigned seed = any_seed();
    auto r = traffic({"--seed", to_string(seed), option, value}, command);
    c.seed = uint64_t{seed} * LINKEM_DIRECTIONS + LINKEM_DOWN;
    double in = r.stat("down.packets_in"), lost = r.stat("down.dropped_loss");
    std::string name = option + " " + value;
    check(in >= 20, name + ": only " + to_string(in) + " packets");
    check(lost == lost_by_rule(c, in), name + ": lost " + to_string(lost) + " of " + to_string(in) +
                                           ", by rule " + to_string(lost_by_rule(c, in)));
    check(in - lost == r.stat("down.packets_out"), name + ": packets are missing");
    check(r.stat("up.dropped_loss") == 0, name + ": lost the other way");
}

void loss()
{
    linkem_config some{}, bursts{};
    some.loss = 0.1;
    bursts.burst_p = 0.01;
    bursts.burst_r = 0.25;
    bursts.burst_loss = 1;
    loses("--down-loss", "10%", some, "$PEER flood $AT 20000 64 20");
    loses("--down-gemodel", "1%,25%", bursts, "$PEER flood $AT 20000 64 20");
    some.loss = 0.02; // TCP makes up for it
    loses("--down-loss", "2%", some, "$PEER fetch $AT 1000000");
}

void order()
{
    auto r = traffic({"--delay", "10ms", "--jitter", "10ms"}, "$PEER flood $AT 2000 64 500");
    check(r.value("overtaken") == 0, "jitter overtakes");
    not_before(r.value("min"), 10, "with jitter");
    r = traffic({"--delay", "10ms", "--jitter", "10ms", "--reorder"},
                "$PEER flood $AT 2000 64 500");
    check(r.value("overtaken") > 0, "nothing overtakes with --reorder");
    not_before(r.value("min"), 10, "with --reorder");
}

void schedule()
{
    // the shell is COMMAND: it sleeps past the change
    auto r =
        traffic({"--rtt", "20ms", "--at", "200ms:rtt=60ms"}, "sleep 0.3; $PEER rtt $AT 10 1000");
    not_before(r.value("min"), 60, "after the change");
    check(r.stat("down.link.delay_ms") == 30, "--stats has the last setting");
    r = traffic({"--rtt", "20ms", "--at", "3600s:rtt=60ms"}, "$PEER rtt $AT 10 1000");
    not_before(r.value("min"), 20, "before the change");
    check(r.stat("down.link.delay_ms") == 10, "a change came before its time");
}

// The time of this machine's clock, which all programs share, in us.
double clock_us()
{
    return std::chrono::duration<double, std::micro>(e2e::Clock::now().time_since_epoch()).count();
}

// The table of packets agrees with the statistics, and has the times of the one clock.
void packets()
{
    e2e::TempDir dir;
    const double begin = clock_us(), asked = 100000;
    auto r = traffic({"--rtt", "20ms", "--packets", dir.file("packets")},
                     "$PEER fetch $AT " + to_string(static_cast<long>(asked)));
    const double end = clock_us();
    std::istringstream table(e2e::read_file(dir.file("packets")));
    std::string line;
    std::getline(table, line);
    check(line == "taken_us,left_us,way,bytes,protocol,payload,fate", "the head is " + line);
    double bytes[2] = {0, 0}, payload[2] = {0, 0};
    while (std::getline(table, line)) {
        double taken = 0, left = 0, length = 0, carried = 0;
        char way[8] = "", protocol[8] = "", fate[12] = "";
        check(sscanf(line.c_str(), "%lf,%lf,%7[^,],%lf,%7[^,],%lf,%11s", &taken, &left, way,
                     &length, protocol, &carried, fate) == 7,
              "no packet: " + line);
        check(taken >= begin - 1 && left <= end, "another clock: " + line);
        check(left - taken >= 10000 - 1, "earlier than the way takes: " + line);
        check(std::string(fate) == "delivered", "not delivered: " + line);
        bool down = std::string(way) == "down";
        bytes[down] += length;
        payload[down] += std::string(protocol) == "tcp" ? carried : 0;
    }
    check(bytes[0] == r.stat("up.bytes_out"), "bytes up");
    check(bytes[1] == r.stat("down.bytes_out"), "bytes down");
    check(payload[1] >= asked, "payload down: " + to_string(payload[1]));
    check(payload[0] < bytes[0], "acknowledgements carry nothing");
}

void congestion()
{
    std::string available = e2e::read_file("/proc/sys/net/ipv4/tcp_available_congestion_control");
    for (const char *name : {"reno", "cubic", "bbr"}) {
        if (available.find(name) == std::string::npos)
            continue;
        auto r =
            traffic({"--congestion", "reno", "--client-congestion", name}, "$PEER give $AT 1000");
        check(r.values["congestion"] == name, r.values["congestion"] + " instead of " + name);
    }
}

struct {
    const char *name;
    void (*run)();
} const tests[] = {
    {"round_trip", round_trip},
    {"control", control},
    {"ipv6", ipv6},
    {"addresses", addresses},
    {"rate", rate},
    {"full_queue", full_queue},
    {"loss", loss},
    {"order", order},
    {"schedule", schedule},
    {"packets", packets},
    {"congestion", congestion},
    {"options", lifecycle::options},
    {"status", lifecycle::status},
    {"servers", lifecycle::servers},
    {"cleanup", lifecycle::cleanup},
};

} // namespace

int main(int argc, char **argv)
{
    setvbuf(stdout, nullptr, _IOLBF, 0);
    if (!lab::possible())
        return 77;
    if (argc > 1 && strcmp(argv[1], "--benchmark") == 0) {
        lab::benchmark();
        return lab::failures() != 0;
    }
    int ran = 0;
    for (const auto &test : tests) {
        bool wanted = argc == 1;
        for (int i = 1; i < argc; i++)
            wanted = wanted || strcmp(argv[i], test.name) == 0;
        if (wanted) {
            auto begin = e2e::Clock::now();
            test.run();
            std::chrono::duration<double> took = e2e::Clock::now() - begin;
            printf("%s: %.1f s\n", test.name, took.count());
            ran++;
        }
    }
    printf("%d tests, %d checks failed\n", ran, lab::failures());
    return ran == 0 || lab::failures() != 0;
}
