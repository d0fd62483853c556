/* The window connects again, and the far end sends only what is not as it was: a real server, the
 * accelerator, a thin link. */
#include <algorithm>
#include <cstdlib>

#include "again.hpp"
#include "tests/seed.hpp"

using namespace e2e;
using namespace accelerator;

namespace
{

/* Bytes until the window shows the server's screen again, after a break in which `meanwhile`
 * happens. It leads to `to` from then on. `by_digests`: its picture is said before more comes than
 * a greeting. */
template <typename F>
uint64_t again(InWindow &shown, Counted &counted, Again &to, F meanwhile, bool by_digests = false)
{
    const Image before = shown.capture();
    uint64_t bytes = counted.bytes();
    size_t pushed = to.accelerator.count("event=pushed"), said = shown.digests();
    counted.cut();
    REQUIRE(wait_until(PATIENCE, [&] { return shown.capture() != before; })); /* it is dimmed */
    meanwhile();
    if (by_digests)
        counted.hold_after(GREETING);
    counted.lead_to(to.link.port);
    to.accelerator.await("event=pushed", pushed + 1);
    if (by_digests)
        shown.require_digests(counted, said + 1);
    shown.require_shows(to.server->screen->capture());
    return counted.bytes() - bytes;
}

} // namespace

TEST_CASE("pushed again: a still desktop of noise comes back for next to nothing", "[push]")
{
    auto behind = can_run() ? start_tigervnc({1024, 768, {}, true}) : nullptr;
    if (!behind)
        return;
    Counted counted;
    Again a(std::move(behind), counted);
    put(*a.server, noise(1024, 768, 1), 0, 0);
    Desk desk;
    InWindow shown(desk, counted.address());
    shown.require_shows(a.server->screen->capture());
    uint64_t first = counted.bytes();

    uint64_t still = again(
        shown, counted, a, [] {}, true);
    INFO(still << " of " << first << " bytes");
    CHECK(still < first / 10);
    uint64_t changed = again(
        shown, counted, a, [&] { put(*a.server, noise(200, 150, 2), 300, 200); }, true);
    INFO(changed << " of " << first << " bytes");
    CHECK(changed < first / 4);
    put(*a.server, noise(64, 64, 3), 777, 555); /* and all goes on */
    shown.require_shows(a.server->screen->capture());
}

TEST_CASE("pushed again: another size comes whole", "[push]")
{
    auto behind = can_run() ? start_tigervnc({320, 240, {}, true}) : nullptr;
    if (!behind)
        return;
    Counted counted;
    Again a(std::move(behind), counted);
    put(*a.server, noise(320, 240, 1), 0, 0);
    Desk desk;
    InWindow shown(desk, counted.address());
    shown.require_shows(a.server->screen->capture());
    again(shown, counted, a, [&] {
        REQUIRE(a.server->screen->resize(400, 300));
        put(*a.server, noise(400, 300, 1), 0, 0);
    });
    again(shown, counted, a, [&] {
        REQUIRE(a.server->screen->resize(401, 303)); /* no whole cells and tiles */
        put(*a.server, noise(401, 303, 2), 0, 0);
    });
    again(shown, counted, a, [&] { put(*a.server, noise(30, 30, 3), 371, 273); });
}

TEST_CASE("pushed again: nothing is said over a way that protects less", "[push]")
{
    XvncOptions encrypted = {400, 300, {"-SecurityTypes", "TLSNone,None"}, true};
    auto one = can_run() ? start_tigervnc(encrypted) : nullptr;
    if (!one)
        return;
    Counted counted;
    Again clear(start_tigervnc({400, 300, {}, true}), counted);
    Again tls(std::move(one), counted);
    for (Again *each : {&clear, &tls})
        put(*each->server, noise(400, 300, 1), 0, 0);
    Desk desk;
    InWindow shown(desk, counted.address());
    shown.require_shows(tls.server->screen->capture());
    again(shown, counted, tls, [] {}); /* the first one may have found out that there is a way */
    const uint64_t less = again(shown, counted, clear, [] {});
    again(shown, counted, tls, [] {});
    const uint64_t same = again(
        shown, counted, tls, [] {}, true);
    again(shown, counted, clear, [] {});
    const uint64_t more = again(
        shown, counted, tls, [] {}, true);
    INFO(same << ", " << less << ", " << more << " bytes");
    CHECK(same < less / 2);
    CHECK(more < less / 2);
}

/* VNCHL_RESUMES=100 in the environment: so many times, in 50 minutes. After a session that ends
 * soon the window waits twice as long before it connects again, up to half a minute. */
TEST_CASE("pushed again: many times in a row while the screen changes, exact each time",
          "[resumes]")
{
    auto behind = can_run() ? start_tigervnc({640, 480, {}, true}) : nullptr;
    if (!behind)
        return;
    Counted counted;
    Again a(std::move(behind), counted);
    std::mt19937 random(any_seed());
    /* A piece of any size, somewhere. */
    auto change = [&] {
        const int w = int(random() % 40 + 1), h = int(random() % 30 + 1);
        const int x = int(random() % (640 - 40)), y = int(random() % (480 - 30));
        put(*a.server, noise(w, h, unsigned(random())), x, y);
    };
    put(*a.server, noise(640, 480, 1), 0, 0);
    Desk desk;
    InWindow shown(desk, counted.address());
    shown.require_shows(a.server->screen->capture());

    const char *wanted = getenv("VNCHL_RESUMES");
    const int times = std::max(1, wanted ? atoi(wanted) : 4);
    std::vector<uint64_t> bytes;
    for (int i = 0; i < times; i++) {
        INFO("after " << i << " times");
        const uint64_t before = counted.bytes();
        const size_t pushed = a.accelerator.count("event=pushed"), said = shown.digests();
        const Image old = shown.capture();
        counted.cut();
        REQUIRE(wait_until(PATIENCE, [&] { return shown.capture() != old; })); /* it is dimmed */
        change();
        counted.hold_after(GREETING);
        counted.lead_to(a.link.port);
        auto again = [&] {
            change();
            return a.accelerator.count("event=pushed") > pushed;
        };
        REQUIRE(wait_until(PATIENCE, again, milliseconds(20)));
        shown.require_digests(counted, said + 1);
        change();
        shown.require_shows(a.server->screen->capture());
        bytes.push_back(counted.bytes() - before);
    }
    std::sort(bytes.begin(), bytes.end());
    fprintf(stderr, "resumes: %d, exact each time; %llu bytes at the median, %llu at most\n", times,
            static_cast<unsigned long long>(bytes[bytes.size() / 2]),
            static_cast<unsigned long long>(bytes.back()));
}
