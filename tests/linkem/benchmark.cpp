// What a quiet machine gives, for docs/linkem.md. Prints, and judges nothing.
#include <cstdio>

#include "tests/linkem/lab.hpp"

using lab::Result;
using lab::Strings;

namespace lab
{

static void bulk(const char *name, const Strings &options, const char *way, const char *times)
{
    Result r = traffic(options, std::string("$PEER ") + way + " $AT " + times);
    std::string prefix = std::string(way) == "pull" ? "down" : "up";
    printf("%-34s %-5s %9.2f Mbit/s payload, late %.3f ms mean %.3f max, tail drops %.0f\n", name,
           way, r.value("mbit"), r.stat(prefix + ".late_mean_ms"), r.stat(prefix + ".late_max_ms"),
           r.stat(prefix + ".dropped_full"));
}

static void echo(const char *rtt)
{
    Result r = traffic({"--rtt", rtt}, "$PEER rtt $AT 300 2000", std::chrono::seconds(600));
    printf("round trip %-8s min %.3f p50 %.3f p95 %.3f max %.3f ms\n", rtt, r.value("min"),
           r.value("p50"), r.value("p95"), r.value("max"));
}

static void flood(const char *name, const Strings &options, const char *what)
{
    Result r = traffic(options, std::string("$PEER flood $AT ") + what);
    printf("%-34s in %.0f, tail %.0f, lost %.0f (%.3f%%), received %.0f in %.0f gaps; one way "
           "min %.3f p50 %.3f max %.3f ms\n",
           name, r.stat("down.packets_in"), r.stat("down.dropped_full"),
           r.stat("down.dropped_loss"),
           100 * r.stat("down.dropped_loss") / r.stat("down.packets_in"), r.value("received"),
           r.value("gaps"), r.value("min"), r.value("p50"), r.value("max"));
}

void benchmark()
{
    for (const char *rtt : {"0", "40ms", "300ms"})
        echo(rtt);
    for (const char *way : {"pull", "push"}) {
        bulk("8 Mbit/s, 40 ms", {"--rtt", "40ms", "--rate", "8mbit"}, way, "3 10");
        bulk("100 Mbit/s, 40 ms", {"--rtt", "40ms", "--rate", "100mbit"}, way, "3 10");
        bulk("8 Mbit/s, 300 ms, 256k", {"--rtt", "300ms", "--rate", "8mbit", "--queue", "256k"},
             way, "5 10");
        bulk("unlimited, 100 ms", {"--rtt", "100ms"}, way, "5 10");
        bulk("unlimited, 0 ms", {}, way, "1 5");
    }
    for (const char *name : {"reno", "cubic", "bbr"}) {
        std::string title = std::string("100 Mbit/s, 40 ms, ") + name;
        bulk(title.c_str(),
             {"--rtt", "40ms", "--rate", "100mbit", "--queue", "512k", "--congestion", name},
             "pull", "3 10");
        title = std::string("20 Mbit/s, 100 ms, 1% loss, ") + name;
        bulk(title.c_str(),
             {"--rtt", "100ms", "--rate", "20mbit", "--loss", "1%", "--congestion", name}, "pull",
             "3 10");
    }
    flood("full queue, 8 Mbit/s, 50000 bytes",
          {"--delay", "10ms", "--rate", "8mbit", "--queue", "50000"}, "3000 1400 476");
    flood("loss 1%", {"--down-loss", "1%"}, "100000 64 20");
    flood("gemodel 1%,25%", {"--down-gemodel", "1%,25%"}, "100000 64 20");
}

} // namespace lab
