/* Many clients on one loop: what an idle one costs, and whether active ones get equal shares. Not a
 * test of speed: shares and sizes are compared, and printed for who measures. */
#include <algorithm>

#include "tests/accelerator/accelerator.hpp"
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

    /* One thread takes one update of each client in turn, and asks for the next at once: none gets
     * less because this machine has let its client wait. */
    const int ACTIVE = 20;
    const double ENOUGH = 60, TOO_MUCH = 10 * ENOUGH; /* another one starves */
    std::vector<std::unique_ptr<RawClient>> active;
    for (int i = 0; i < ACTIVE; i++) {
        active.push_back(std::make_unique<RawClient>(a.port));
        active.back()->greet(mode);
    }
    for (auto &client : active)
        client->ask(false);
    std::vector<double> updates(ACTIVE, 0);
    auto last = Clock::now();
    for (int step = 0; *std::min_element(updates.begin(), updates.end()) < ENOUGH; step++) {
        server->screen->draw(step); /* whoever still waits for an update gets one */
        server->screen->settle();
        for (size_t i = 0; i < active.size(); i++) {
            if (active[i]->waits() == 0)
                continue;
            REQUIRE(active[i]->update());
            REQUIRE(active[i]->ask(true));
            updates[i]++;
            last = Clock::now();
        }
        REQUIRE(*std::max_element(updates.begin(), updates.end()) < TOO_MUCH);
        REQUIRE(Clock::now() - last < PATIENCE);
    }
    double index = fairness(updates);
    WARN("Jain's index of " << ACTIVE << " active clients: " << index);
    CHECK(index > 0.95);
}
