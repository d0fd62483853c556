/* The window connects again, and the far end sends only what is not as it was: a real server, the
 * accelerator, a thin link. */
#include "again.hpp"

using namespace e2e;
using namespace accelerator;

namespace
{

/* Bytes until the window shows the server's screen again, after a break in which `meanwhile`
 * happens. It leads to `to` from then on. */
template <typename F> uint64_t again(InWindow &shown, Counted &counted, Again &to, F meanwhile)
{
    const Image before = shown.capture();
    uint64_t bytes = counted.bytes();
    size_t pushed = to.accelerator.count("event=pushed");
    counted.cut();
    REQUIRE(wait_until(PATIENCE, [&] { return shown.capture() != before; })); /* it is dimmed */
    meanwhile();
    counted.lead_to(to.link.port);
    to.accelerator.await("event=pushed", pushed + 1);
    shown.require_shows(to.server->screen->capture());
    return counted.bytes() - bytes;
}

/* What `come` brings, less than `most` bytes if that can be. On a busy machine all may leave before
 * the digests are there; the next time has them, too. */
template <typename F> uint64_t least(uint64_t most, F come)
{
    uint64_t bytes = come();
    for (int i = 0; i < 2 && bytes >= most; i++)
        bytes = come();
    return bytes;
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

    uint64_t still = least(first / 10, [&] { return again(shown, counted, a, [] {}); });
    INFO(still << " of " << first << " bytes");
    CHECK(still < first / 10);
    unsigned seed = 100;
    uint64_t changed = least(first / 4, [&] {
        return again(shown, counted, a, [&] { put(*a.server, noise(200, 150, seed++), 300, 200); });
    });
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
    XvncOptions encrypted = {300, 200, {"-SecurityTypes", "TLSNone,None"}, true};
    auto one = can_run() ? start_tigervnc(encrypted) : nullptr;
    if (!one)
        return;
    Counted counted;
    Again clear(start_tigervnc({300, 200, {}, true}), counted);
    Again tls(std::move(one), counted);
    for (Again *each : {&clear, &tls})
        put(*each->server, noise(300, 200, 1), 0, 0);
    Desk desk;
    InWindow shown(desk, counted.address());
    shown.require_shows(tls.server->screen->capture());
    again(shown, counted, tls, [] {}); /* the first one may have found out that there is a way */
    const uint64_t less = again(shown, counted, clear, [] {});
    again(shown, counted, tls, [] {});
    const uint64_t same = least(less / 2, [&] { return again(shown, counted, tls, [] {}); });
    const uint64_t more = least(less / 2, [&] {
        again(shown, counted, clear, [] {});
        return again(shown, counted, tls, [] {});
    });
    INFO(same << ", " << less << ", " << more << " bytes");
    CHECK(same < less / 2);
    CHECK(more < less / 2);
}
