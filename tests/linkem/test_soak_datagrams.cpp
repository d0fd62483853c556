/* A long session whose pictures come as datagrams, over a link that loses packets and is cut again
 * and again. What moves comes as a film while the link is thin. After each cut the picture is
 * exact, and pictures come as datagrams and films again. The memory of all processes of the product
 * stays as it is.
 *
 * VNCHL_SOAK_S=3600 in the environment: an hour, with a cut every 30 s (tools/soak.sh). Without it
 * as few cuts as show all of it.
 */
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/catch.hpp"
#include "tests/e2e/resident.hpp"
#include "tests/linkem/far_datagrams.hpp"

/* after the harness, which has names that are macros there */
#include <X11/Xlib.h>
#include <X11/keysym.h>

using std::chrono::milliseconds;
using std::chrono::seconds;

namespace
{

/* The content's own pace. */
constexpr auto DRAWN_EVERY = milliseconds(20), FILMED_EVERY = milliseconds(50);
/* Frames from one look at the far end to the next. */
constexpr int FILM_PIECE = 20;
/* Cuts, half of them of UDP alone, before memory is judged: it grows up to what a cut needs. On a
 * busy machine that takes longer, so it begins anew while it still grows, up to so many cuts. */
constexpr size_t FIRST_CUTS = 4, MOST_FIRST_CUTS = 16;
/* kB that a process may take more at the end than after the first cuts. Chosen: what the allocator
 * keeps, and pages of files, make up to 400 more; in an hour 16 bytes for each frame make 2000. */
constexpr double MAY_GROW = 1000;

/* How long it goes on, and what lies between two cuts. */
struct Course {
    seconds all, between, cut;
};

Course course()
{
    const char *s = getenv("VNCHL_SOAK_S");
    return s ? Course{seconds(atoi(s)), seconds(26), seconds(4)}
             : Course{seconds(0), seconds(4), seconds(2)};
}

/* A film while the link is as thin as this, for which JPEG is too much, even when a busy machine
 * draws a quarter of the frames. */
constexpr const char *THIN = "rate=150k", *WIDE = "rate=0";

void film(lab::Far &far, seconds time, int first)
{
    far.set(THIN);
    far.screen().film(first, int(time / FILMED_EVERY), FILMED_EVERY);
    far.set(WIDE);
}

/* What a user sees on a screen: all kinds of content for a while, then a film. */
void play(lab::Far &far, seconds time, int first)
{
    far.screen().animate(int(time / 2 / DRAWN_EVERY), DRAWN_EVERY);
    film(far, time / 2, first);
}

/* Whether the process, or one that it has started, has this library. */
bool has_library(pid_t pid, const std::string &name)
{
    if (e2e::read_file("/proc/" + std::to_string(pid) + "/maps").find(name) != std::string::npos)
        return true;
    const auto children = e2e::children_of(pid);
    return std::any_of(children.begin(), children.end(),
                       [&](pid_t child) { return has_library(child, name); });
}

/* Whether the far end has an encoder, and the viewer a decoder. */
bool makes_films(lab::Far &far)
{
    return has_library(far.accelerator(), "libx264") && has_library(far.viewer(), "libavcodec");
}

/* Ticks of the system: what encoding films took at the far end, in its threads "film". */
uint64_t encoding(pid_t far_end)
{
    uint64_t all = 0;
    std::error_code gone;
    for (const auto &thread :
         std::filesystem::directory_iterator("/proc/" + std::to_string(far_end) + "/task", gone)) {
        std::istringstream stat(e2e::read_file(thread.path() / "stat"));
        std::string field;
        for (int i = 1; stat >> field && i <= 15; i++) {
            if (i == 2 && field != "(film)")
                break;
            if (i >= 14) /* in the program, and in the kernel */
                all += strtoull(field.c_str(), nullptr, 10);
        }
    }
    for (pid_t child : e2e::children_of(far_end))
        all += encoding(child);
    return all;
}

/* What moves comes as a film, now or soon: first the far end has to see how thin the link is, and
 * on a busy machine that takes long. */
bool come_as_film(lab::Far &far)
{
    const uint64_t before = encoding(far.accelerator());
    int frame = 0;
    far.set(THIN);
    bool comes = e2e::wait_until(e2e::PATIENCE, [&] {
        far.screen().film(frame, FILM_PIECE, FILMED_EVERY);
        frame += FILM_PIECE;
        return encoding(far.accelerator()) > before;
    });
    far.set(WIDE);
    return comes;
}

/* What a process of the product takes. */
struct Taken {
    pid_t pid;
    std::string name;
    double kb;
};
/* All of them, always in the same order. */
using Memory = std::vector<Taken>;

/* With those that it has started; `whose` stands before their names. */
void add_with_children(pid_t pid, const std::string &whose, Memory &all)
{
    std::string name;
    std::ifstream("/proc/" + std::to_string(pid) + "/comm") >> name;
    all.push_back({pid, whose + name, e2e::resident(pid)});
    for (pid_t child : e2e::children_of(pid))
        add_with_children(child, whose, all);
}

Memory memory_of(lab::Far &far)
{
    Memory all;
    add_with_children(far.viewer(), "", all);
    add_with_children(far.accelerator(), "far ", all);
    return all;
}

std::string in_words(const Memory &memory)
{
    std::string all;
    for (const Taken &one : memory) {
        char text[100];
        snprintf(text, sizeof text, "%s%s %.1f", all.empty() ? "" : ", ", one.name.c_str(),
                 one.kb / 1e3);
        all += text;
    }
    return all + " MB";
}

/* The usual memory of some samples. */
Memory usual(const std::vector<Memory> &samples)
{
    Memory all = samples.front();
    for (size_t i = 0; i < all.size(); i++) {
        std::vector<double> values;
        for (const Memory &m : samples)
            values.push_back(m[i].kb);
        all[i].kb = e2e::median(values);
    }
    return all;
}

bool same_processes(const Memory &a, const Memory &b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Taken &x, const Taken &y) { return x.pid == y.pid; });
}

/* Pictures and a key on their way while it is cut. */
void cut(lab::Far &far, bool udp_alone, seconds time, int number)
{
    const unsigned long key = XK_a + static_cast<unsigned long>(number % 26);
    far.set(udp_alone ? "udp=drop" : "loss=100%");
    far.desk.tap(key);
    play(far, time, number);
    far.set(udp_alone ? "udp=pass" : "loss=5%");
    far.screen().settle();
    REQUIRE(far.wait_exact());
    CHECK(far.screen().wait_key(key, true, e2e::PATIENCE));
    CHECK(far.screen().wait_key(key, false, e2e::PATIENCE));
}

/* Some process takes more than it may. */
bool grows(const Memory &before, const Memory &now)
{
    return !std::equal(now.begin(), now.end(), before.begin(), before.end(),
                       [](const Taken &x, const Taken &y) { return x.kb - y.kb < MAY_GROW; });
}

/* `first_cuts`: how many there were before. */
void judge(const std::vector<Memory> &samples, size_t first_cuts)
{
    const auto third = static_cast<std::ptrdiff_t>(std::max<size_t>(samples.size() / 3, 1));
    const Memory first = usual({samples.begin(), samples.begin() + third}),
                 last = usual({samples.end() - third, samples.end()});
    double most = 0;
    for (size_t i = 0; i < last.size(); i++) {
        INFO(last[i].name << ": " << first[i].kb << " kB, at last " << last[i].kb);
        CHECK(last[i].kb - first[i].kb < MAY_GROW);
        most = std::max(most, last[i].kb - first[i].kb);
    }
    fprintf(stderr,
            "soak: %zu cuts, after each the picture was exact; memory: %s, %+.0f kB at most\n",
            samples.size() + first_cuts, in_words(last).c_str(), most);
}

} // namespace

TEST_CASE("soak: pictures come as datagrams, with cuts, and memory stays as it is")
{
    if (!lab::far_possible())
        return;
    const Course c = course();
    lab::Far far(lab::accelerated({"--rtt", "100ms", "--loss", "5%"}));
    std::vector<Memory> samples;
    size_t first_cuts = FIRST_CUTS;
    const auto begin = std::chrono::steady_clock::now();
    auto passed = [&] { return std::chrono::steady_clock::now() - begin; };
    CHECK(lab::come_as_datagrams(far));
    const bool films = makes_films(far);
    if (!films)
        fprintf(stderr, "soak: no films: there is no encoder, or no decoder\n");

    for (size_t n = 0; samples.size() < 2 || passed() < c.all; n++) {
        INFO("cut " << n + 1 << "; the viewer has said: " << far.all_said());
        play(far, c.between, int(n));
        cut(far, n % 2 == 0, c.cut, int(n));
        REQUIRE(lab::come_as_datagrams(far));
        if (films) {
            REQUIRE(come_as_film(far));
            REQUIRE(far.wait_exact()); /* memory is judged at rest */
        }
        const Memory now = memory_of(far);
        fprintf(stderr, "soak: cut %zu, after %.0f s: %s\n", n + 1,
                std::chrono::duration<double>(passed()).count(), in_words(now).c_str());
        REQUIRE(far.all_said().empty()); /* it is still the first connection */
        if (n < FIRST_CUTS)
            continue;
        REQUIRE((samples.empty() || same_processes(now, samples.front())));
        if (n < MOST_FIRST_CUTS && !samples.empty() && grows(samples.back(), now)) {
            samples.clear();
            first_cuts = n;
        }
        samples.push_back(now);
    }
    judge(samples, first_cuts);
    far.close();
}
