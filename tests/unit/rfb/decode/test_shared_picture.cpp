// The shared picture between two processes that do not trust each other.
#include "rfb/system/clock.h"
#include "tests/catch.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "picture.hpp"

using namespace picture_test;

namespace
{

// A child that hangs ends by itself, and fails its test, long after any that works.
constexpr unsigned HANG_S = 120;

struct Child {
    pid_t pid;

    // Runs `main` in a process of its own; what it returns is the exit status.
    explicit Child(const std::function<int()> &main) : pid(fork())
    {
        REQUIRE(pid >= 0);
        if (pid == 0) {
            alarm(HANG_S);
            _exit(main());
        }
    }
    Child(const Child &) = delete;
    Child &operator=(const Child &) = delete;

    // waitpid's status once it has ended; -1: it has not.
    int status_if_ended()
    {
        int status;
        return waitpid(pid, &status, WNOHANG) == pid ? status : -1;
    }

    int kill_and_wait()
    {
        int status = 0;
        kill(pid, SIGKILL);
        waitpid(pid, &status, 0);
        return status;
    }
};

void draw(framebuffer *fb, int width, int height, uint32_t colour)
{
    uint32_t *pixels = framebuffer_private(fb);

    for (size_t i = 0; i < size_t(width) * size_t(height); i++)
        pixels[i] = colour;
    framebuffer_drawn(fb, {0, 0, width, height});
}

enum { WHOLE = 0, TORN = 1, UNKNOWN_SIZE = 2, NO_MEMORY = 3 };

// What a reader in a process of its own does: reads until it has seen that many pictures, and
// among them that many colours and sizes.
int read_pictures(int fd, unsigned pictures, size_t colours, const std::set<int> &widths)
{
    framebuffer_reader *reader = framebuffer_map(fd);
    std::set<uint32_t> seen;
    std::set<int> seen_widths;
    framebuffer_view view;

    if (!reader)
        return NO_MEMORY;
    for (unsigned i = 0; i < pictures || seen.size() < colours || seen_widths != widths; i++) {
        while (!framebuffer_lock(reader, &view, true))
            ; // on a very busy machine a writer may sleep with the lock for a second
        uint32_t colour = colour_of(view);
        framebuffer_unlock(reader);
        if (colour == UINT32_MAX)
            return TORN;
        if (!widths.count(view.width) || view.height != view.width / 2)
            return UNKNOWN_SIZE;
        seen.insert(colour);
        seen_widths.insert(view.width);
    }
    framebuffer_unmap(reader);
    return WHOLE;
}

} // namespace

TEST_CASE("a reader in another process never sees two updates in one picture")
{
    framebuffer *fb = framebuffer_create(-1);
    const int width = 400, height = 200;
    uint32_t colour = 0;
    int status;

    REQUIRE(framebuffer_resize(fb, width, height));
    Child child([&] { return read_pictures(framebuffer_fd(fb), 1000, 50, {width}); });
    while ((status = child.status_if_ended()) == -1) {
        draw(fb, width, height, colour = (colour + 1) & 0xffffff);
        framebuffer_publish(fb);
    }
    CHECK(status == 0);
    framebuffer_destroy(fb);
}

TEST_CASE("a reader in another process follows the size")
{
    framebuffer *fb = framebuffer_create(-1);
    const std::set<int> widths = {2, 300, 800};
    uint32_t colour = 0;
    int status;

    REQUIRE(framebuffer_resize(fb, 2, 1));
    Child child([&] { return read_pictures(framebuffer_fd(fb), 3000, 50, widths); });
    while ((status = child.status_if_ended()) == -1)
        for (int width : widths) {
            REQUIRE(framebuffer_resize(fb, width, width / 2));
            for (int i = 0; i < 3; i++) {
                draw(fb, width, width / 2, colour = (colour + 1) & 0xffffff);
                framebuffer_publish(fb);
            }
        }
    CHECK(status == 0);
    framebuffer_destroy(fb);
}

TEST_CASE("damage crosses the border between processes, and so does that it was taken")
{
    Memory m(40, 30);
    int go[2];
    REQUIRE(pipe(go) == 0);
    Child child([&] {
        framebuffer_reader *reader = framebuffer_map(framebuffer_fd(m.fb));
        framebuffer_view view;
        char c;

        if (read(go[0], &c, 1) != 1 || !framebuffer_lock(reader, &view, true))
            return 1;
        framebuffer_unlock(reader);
        const rect &r = view.damage.rects[0];
        return view.damage.count == 1 && r.x == 5 && r.y == 6 && r.w == 7 && r.h == 8 ? 0 : 2;
    });
    framebuffer_view view;
    int status;

    REQUIRE(framebuffer_lock(m.reader, &view, true)); // all of the new picture
    framebuffer_unlock(m.reader);
    framebuffer_drawn(m.fb, {5, 6, 7, 8});
    CHECK(framebuffer_publish(m.fb));
    REQUIRE(write(go[1], "", 1) == 1);
    REQUIRE(waitpid(child.pid, &status, 0) == child.pid);
    CHECK(status == 0);
    framebuffer_drawn(m.fb, {1, 1, 1, 1});
    CHECK(framebuffer_publish(m.fb)); // the child has taken the other
    close(go[0]);
    close(go[1]);
}

TEST_CASE("a writer that is killed while it holds the lock stops nobody")
{
    const int side = 2000;
    Memory m(side, side);

    REQUIRE(m.readable());
    // it spends nearly all of its time publishing; should it be killed elsewhere, the next one
    do {
        int ready[2];
        char c;
        REQUIRE(pipe(ready) == 0);
        Child writer([&] {
            for (;;) {
                framebuffer_drawn(m.fb, {0, 0, side, side});
                framebuffer_publish(m.fb);
                if (write(ready[1], "", 1) != 1)
                    return 1;
            }
        });
        REQUIRE(read(ready[0], &c, 1) == 1);
        CHECK(WIFSIGNALED(writer.kill_and_wait()));
        close(ready[0]);
        close(ready[1]);
    } while (__atomic_load_n(&m.header->lock, __ATOMIC_ACQUIRE) == 0);

    tick_t start = tick_now();
    CHECK_FALSE(m.readable());
    CHECK(tick_now() - start >= TICK_S / 2); // it was waited for
    CHECK_FALSE(m.readable());
    __atomic_store_n(&m.header->lock, 0, __ATOMIC_RELEASE);
    CHECK(m.readable()); // what only stood still may go on
}

TEST_CASE("a lock that is never given back is waited for once for a second, then shortly")
{
    struct lock_patience p = {};
    const tick_t begin = 3600 * TICK_S;
    tick_t now = begin;

    for (int i = 0; i < 3600; i++) {
        tick_t wait = lock_patience_next(&p, now);
        CHECK(wait >= 20 * TICK_MS);
        lock_patience_used(&p, now, now + wait);
        now += wait;
    }
    CHECK(now - begin == TICK_S + 3599 * 20 * TICK_MS);
    // a reader that has not had to wait for long may wait again
    CHECK(lock_patience_next(&p, now + 15 * TICK_S) == TICK_S / 2);
    CHECK(lock_patience_next(&p, now + 3600 * TICK_S) == TICK_S);
}

TEST_CASE("whatever the lock says, a reader comes back")
{
    Memory m(4, 4);

    for (uint32_t nonsense : {2u, UINT32_MAX}) {
        __atomic_store_n(&m.header->lock, nonsense, __ATOMIC_RELEASE);
        CHECK_FALSE(m.readable());
        __atomic_store_n(&m.header->lock, 0, __ATOMIC_RELEASE);
        CHECK(m.readable());
    }
    // it changes all the time, and is never free
    Child writer([&]() -> int {
        for (uint32_t i = 1;; i = i % 1000 + 1)
            __atomic_store_n(&m.header->lock, i, __ATOMIC_RELEASE);
    });
    while (__atomic_load_n(&m.header->lock, __ATOMIC_ACQUIRE) == 0)
        ;
    CHECK_FALSE(m.readable());
    CHECK(WIFSIGNALED(writer.kill_and_wait()));
}

TEST_CASE("figures beside the picture are of one moment, and nobody waits for them")
{
    framebuffer *fb = framebuffer_create(-1);
    framebuffer_reader *r = framebuffer_map(framebuffer_fd(fb));
    std::vector<uint64_t> seen(500), put(500);
    REQUIRE(r);
    CHECK_FALSE(framebuffer_get_figures(r, seen.data(), 4000)); // there are none yet
    framebuffer_put_figures(fb, put.data(), 4000);
    REQUIRE(framebuffer_get_figures(r, seen.data(), 4000));
    CHECK(seen == put);
    std::atomic<bool> done{false};
    std::thread writer([&] {
        for (uint64_t n = 1; n <= 20000; n++) {
            std::fill(put.begin(), put.end(), n);
            framebuffer_put_figures(fb, put.data(), 4000);
        }
        done = true;
    });
    uint64_t mixed = 0, older = 0, newest = 0;
    while (!done) {
        if (!framebuffer_get_figures(r, seen.data(), 4000))
            continue; // the writer was always at it
        mixed += std::count(seen.begin(), seen.end(), seen[0]) != 500;
        older += seen[0] < newest;
        newest = seen[0];
    }
    writer.join();
    CHECK(mixed == 0);
    CHECK(older == 0);
    REQUIRE(framebuffer_get_figures(r, seen.data(), 4000));
    CHECK(seen[499] == 20000);
    framebuffer_unmap(r);
    framebuffer_destroy(fb);
}

TEST_CASE("figures can be read wherever their writer stands still")
{
    framebuffer *fb = framebuffer_create(-1);
    framebuffer_reader *r = framebuffer_map(framebuffer_fd(fb));
    std::vector<uint64_t> seen(500), put(500);
    REQUIRE(r);
    framebuffer_put_figures(fb, put.data(), 4000);
    Child writer([&]() -> int {
        for (;;) {
            for (uint64_t &word : put)
                word++;
            framebuffer_put_figures(fb, put.data(), 4000);
        }
    });
    for (int i = 0; i < 200; i++) {
        int status;
        std::this_thread::sleep_for(std::chrono::milliseconds(1)); // it goes on to some place
        kill(writer.pid, SIGSTOP);
        CHECK(waitpid(writer.pid, &status, WUNTRACED) == writer.pid);
        CHECK(framebuffer_get_figures(r, seen.data(), 4000));
        CHECK(std::count(seen.begin(), seen.end(), seen[0]) == 500);
        kill(writer.pid, SIGCONT);
    }
    CHECK(WIFSIGNALED(writer.kill_and_wait()));
    framebuffer_unmap(r);
    framebuffer_destroy(fb);
}
