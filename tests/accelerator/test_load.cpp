/* Many clients on one loop: what an idle one costs, and whether active ones get equal shares. Not a
 * test of speed: shares and sizes are compared, and printed for who measures. */
#include <atomic>
#include <thread>

#include "accelerator.hpp"
#include "tests/e2e/servers.hpp"

using namespace e2e;
using namespace accelerator;

namespace
{

/* Jain's index: 1 when all are equal, 1/n when one has all. */
double fairness(const std::vector<double> &shares)
{
    double sum = 0, squares = 0;
    for (double s : shares) {
        sum += s;
        squares += s * s;
    }
    return squares > 0 ? sum * sum / (static_cast<double>(shares.size()) * squares) : 0;
}

} // namespace

TEST_CASE("two hundred idle clients and twenty active ones", "[load]")
{
    const Mode mode = GENERATE(NO_TLS, TLS_ON_BOTH);
    INFO(mode.name);
    XvncOptions options;
    if (mode.server)
        options.more = {"-SecurityTypes", "TLSNone"};
    auto server = start_tigervnc(options);
    if (!server)
        return;
    Accelerator a(server->address, {"--clients", "300", "--clients-per-address", "300",
                                    "--handshake-limit", "3600"});
    long before = memory(*a.process);
    std::vector<std::unique_ptr<RawClient>> idle;
    for (int i = 0; i < 200; i++) {
        idle.push_back(std::make_unique<RawClient>(a.port));
        idle.back()->greet(mode);
    }
    double each = static_cast<double>(memory(*a.process) - before) / 200;
    WARN(each << " kB for each idle client with " << mode.name);
    CHECK(each < 300);

    /* each counts until all have had enough */
    const int ACTIVE = 20, ENOUGH = 60;
    std::vector<double> updates(ACTIVE, 0);
    std::vector<std::thread> threads;
    std::atomic<int> have_enough{0}, finished{0};
    std::atomic<bool> good{true};
    std::vector<std::unique_ptr<RawClient>> active;
    for (int i = 0; i < ACTIVE; i++) {
        active.push_back(std::make_unique<RawClient>(a.port));
        active.back()->greet(mode);
    }
    for (int i = 0; i < ACTIVE; i++)
        threads.emplace_back([&, i] {
            active[static_cast<size_t>(i)]->ask(false);
            while (have_enough < ACTIVE && good) {
                if (!active[static_cast<size_t>(i)]->update()) {
                    good = false;
                    break;
                }
                active[static_cast<size_t>(i)]->ask(true);
                if (++updates[static_cast<size_t>(i)] == ENOUGH)
                    have_enough++;
            }
            finished++;
        });
    for (int i = 0; finished < ACTIVE; i++) { /* whoever still waits for an update gets one */
        server->screen->draw(i);
        server->screen->settle();
    }
    for (auto &t : threads)
        t.join();
    REQUIRE(good);
    double index = fairness(updates);
    WARN("Jain's index of " << ACTIVE << " active clients: " << index);
    CHECK(index > 0.95);
}
