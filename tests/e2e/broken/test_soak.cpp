/* A long session with pictures all the time, over a link that breaks again and again. */
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "tests/e2e/breaking.hpp"
#include "tests/e2e/program.hpp"
#include "tests/e2e/resident.hpp"
#include "tests/e2e/shown_viewer.hpp"

using namespace e2e;

namespace
{

constexpr auto BETWEEN_FAULTS = seconds(30);
/* For medians of thirds: a slow machine comes to so many later. */
constexpr size_t LEAST_FAULTS = 6;

seconds duration()
{
    const char *s = getenv("VNCHL_SOAK_S");
    return seconds(s ? atoi(s) : 300);
}

/* kB that the viewer and its session's process have in memory. */
double resident_with_session(pid_t viewer)
{
    return resident(viewer) + resident(session_of(viewer));
}

/* Descriptors of the viewer. */
size_t descriptors(pid_t pid)
{
    std::filesystem::directory_iterator all("/proc/" + std::to_string(pid) + "/fd");
    return static_cast<size_t>(std::distance(begin(all), end(all)));
}

} // namespace

TEST_CASE("soak: memory and descriptors stay as they are, and the picture is right", "[soak]")
{
    auto server = can_run() ? start_tigervnc({640, 480, {}, true}) : nullptr;
    if (!server)
        return;
    Relay relay;
    relay.start(*server);
    Desk desk;
    Watched at(relay);
    ShownViewer viewer(desk, at);
    const pid_t pid = viewer.process().pid();
    std::vector<double> memory, files;
    const auto end = std::chrono::steady_clock::now() + duration();

    for (int fault = 0; std::chrono::steady_clock::now() < end || memory.size() < LEAST_FAULTS;
         fault++) {
        INFO("fault " << fault);
        server->screen->animate(BETWEEN_FAULTS / milliseconds(16), milliseconds(16));
        if (fault % 2) {
            relay.process().signal(SIGSTOP);
            server->screen->animate(120, milliseconds(16));
            relay.process().signal(SIGCONT);
        } else {
            relay.stop();
            CHECK(wait_title(desk, viewer.window(), "connecting again"));
            relay.start(*server);
        }
        server->screen->settle();
        REQUIRE(viewer.wait_shows(server->screen->capture()));
        memory.push_back(resident_with_session(pid));
        files.push_back(static_cast<double>(descriptors(pid)));
        fprintf(stderr, "soak: fault %d: %.1f MB, %.0f descriptors\n", fault + 1,
                memory.back() / 1e3, files.back());
    }
    const auto third = static_cast<std::ptrdiff_t>(memory.size() / 3);
    const double first = median({memory.begin() + 1, memory.begin() + 1 + third});
    const double last = median({memory.end() - third, memory.end()});
    INFO("at first " << first << " kB, at last " << last << " kB");
    CHECK(last < first * 1.05);
    CHECK(files.back() <= files[1]);
}
