/* vnchl-linkem as its users see it, with the kernel's own TCP and UDP across the link.
 *
 *   test-linkem               every check; the bounds are coarse enough for a busy machine
 *   test-linkem NAME...       some of them
 *   test-linkem --benchmark   measures what needs a quiet machine, and judges nothing
 *
 * Exits with 77, "skipped", where the system allows neither namespaces nor TUN devices.
 */

#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>

#include "tests/linkem/lab.hpp"
#include "tests/linkem/lifecycle.hpp"

using lab::check;
using lab::Result;
using lab::Strings;
using lab::traffic;
using std::to_string;

namespace
{

// Never early: that is the model. Late by less than 1 ms in the best of many tries, busy or not.
void check_delay(double ms, double expected, const std::string &what)
{
    check(ms >= expected && ms <= expected + 1,
          what + ": " + to_string(ms) + " ms instead of " + to_string(expected));
}

void round_trip()
{
    auto r = traffic({"--rtt", "40ms"}, "$PEER rtt $AT 50 1000");
    check_delay(r.value("min"), 40, "round trip");
    r = traffic({"--up-delay", "5ms", "--down-delay", "30ms"}, "$PEER rtt $AT 50 1000");
    check_delay(r.value("min"), 35, "round trip of unequal ways");
    r = traffic({"--up-delay", "5ms", "--delay", "30ms"}, "$PEER flood $AT 200 100 1000");
    check_delay(r.value("min"), 30, "one way");
    r = traffic({}, "$PEER rtt $AT 50 1000");
    check_delay(r.value("min"), 0, "no delay");
}

void ipv6()
{
    auto r = traffic({"--rtt", "40ms"}, "[ -z \"$LINKEM_SERVER6\" ] && echo min=40 && exit\n"
                                        "exec $PEER rtt $LINKEM_SERVER6 7000 50 1000");
    check_delay(r.value("min"), 40, "round trip over IPv6");
}

void rate_is(const Strings &options, const std::string &way, double mbit, double least)
{
    auto r = traffic(options, "$PEER " + way + " $AT 1.5 2.5");
    std::string name = way + " at " + to_string(mbit) + " Mbit/s";
    check(r.value("mbit") >= mbit * least, name + ": only " + r.values["mbit"]);
    // the model cannot give more, up to the packet that is on the line
    std::string out = way == "pull" ? "down.bytes_out" : "up.bytes_out";
    double most = mbit * 1e6 / 8 * (r.stat("duration_s") + 3) + 1500;
    check(r.stat(out) <= most, name + ": " + to_string(r.stat(out)) + " bytes went through");
}

void rate()
{
    // 0.965 of the bytes are payload: 1448 of 1500
    rate_is({"--rtt", "20ms", "--rate", "8mbit"}, "pull", 8, 0.8);
    rate_is({"--rtt", "20ms", "--rate", "100mbit", "--up-rate", "8mbit"}, "push", 8, 0.8);
    rate_is({"--rtt", "20ms", "--up-rate", "1mbit", "--down-rate", "100mbit"}, "pull", 100, 0.5);
}

void full_queue()
{
    // Three times the rate. A packet that just fits finds between a queue less itself and a full
    // queue with a whole packet on the line ahead of its own end.
    const double queue = 50000, packet = 1400 + 28, rate = 8e6;
    auto r = traffic({"--delay", "10ms", "--down-rate", "8mbit", "--down-queue", "50000"},
                     "$PEER flood $AT 1500 1400 476");
    double least = 10 + (queue - packet) * 8e3 / rate, most = 10 + (queue + packet) * 8e3 / rate;
    check(r.value("p50") >= least && r.value("p50") <= most + 10,
          "delay of a full queue: " + r.values["p50"] + " ms instead of " + to_string(least) +
              " to " + to_string(most));
    double high = r.stat("down.queue_max_bytes");
    check(high <= queue && high > queue - packet, "high-water mark " + to_string(high));
    check(r.stat("down.dropped_full") > 500, "a full queue drops");
    check(r.stat("down.packets_in") - r.stat("down.packets_out") == r.stat("down.dropped_full"),
          "packets are missing");
}

Result flood_with(const Strings &options, int count)
{
    auto seed = to_string(std::random_device{}());
    printf("  seed %s\n", seed.c_str());
    Strings all = {"--seed", seed};
    all.insert(all.end(), options.begin(), options.end());
    return traffic(all, "$PEER flood $AT " + to_string(count) + " 64 20");
}

void check_share(const Result &r, double expected, double sigma)
{
    // five standard deviations: one run in two million
    double share = r.stat("down.dropped_loss") / r.stat("down.packets_in");
    check(std::fabs(share - expected) <= 5 * sigma,
          "lost " + to_string(share) + " instead of " + to_string(expected));
    check(r.stat("down.packets_in") - r.stat("down.dropped_loss") == r.stat("down.packets_out"),
          "packets are missing");
    check(r.value("received") <= r.stat("down.packets_out"), "packets out of nowhere");
    check(r.stat("up.dropped_loss") == 0, "lost the other way");
}

void loss()
{
    const int count = 20000;
    check_share(flood_with({"--down-loss", "10%"}, count), 0.1, std::sqrt(0.1 * 0.9 / count));
    double p = 0.01, r = 0.25, bad = p / (p + r), stays = 1 - p - r;
    check_share(flood_with({"--down-gemodel", "1%,25%"}, count), bad,
                std::sqrt(bad * (1 - bad) / count * (1 + stays) / (1 - stays)));
}

void order()
{
    auto r = traffic({"--delay", "10ms", "--jitter", "10ms"}, "$PEER flood $AT 2000 64 500");
    check(r.value("overtaken") == 0, "jitter overtakes");
    r = traffic({"--delay", "10ms", "--jitter", "10ms", "--reorder"},
                "$PEER flood $AT 2000 64 500");
    check(r.value("overtaken") > 500, "nothing overtakes with --reorder");
}

void schedule()
{
    auto r = traffic({"--rtt", "20ms", "--at", "1s:rtt=60ms"}, "$PEER rtt $AT 10 1000");
    check_delay(r.value("min"), 20, "before the change");
    r = traffic({"--rtt", "20ms", "--at", "200ms:rtt=60ms"}, "sleep 0.3; $PEER rtt $AT 10 1000");
    check_delay(r.value("min"), 60, "after the change");
    check(r.stat("down.link.delay_ms") == 30, "--stats has the last setting");
}

void congestion()
{
    std::string available = e2e::read_file("/proc/sys/net/ipv4/tcp_available_congestion_control");
    for (const char *name : {"reno", "cubic", "bbr"}) {
        if (available.find(name) == std::string::npos)
            continue;
        auto r =
            traffic({"--congestion", "reno", "--client-congestion", name}, "$PEER push $AT 0 0.2");
        check(r.values["congestion"] == name, r.values["congestion"] + " instead of " + name);
    }
}

struct {
    const char *name;
    void (*run)();
} const tests[] = {
    {"round_trip", round_trip},
    {"ipv6", ipv6},
    {"rate", rate},
    {"full_queue", full_queue},
    {"loss", loss},
    {"order", order},
    {"schedule", schedule},
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
