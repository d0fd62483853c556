// The far end that pushes blocks (rfb/pusher/pusher.h) in a thread of the test, with a server and a
// viewer that the test plays.
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <fstream>
#include <functional>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "rfb/framing/client_framing.h"
#include "rfb/net/sockets/socket.h"
#include "rfb/proto/server_messages.h"
#include "rfb/pusher/pusher.h"
#include "rfb/pusher/words.h"
#include "rfb/session/pictures/messages.h"
#include "rfb/system/clock.h"
#include "rfb/system/descriptors.h"
#include "tests/catch.hpp"
#include "tests/unit/blocks.hpp"

namespace far_end
{

using blocks_test::Picture;

constexpr auto PATIENCE = std::chrono::seconds(120); // only a hang takes so long

// What a function of rfb/proto/ writes.
template <typename Write> std::string written(Write write)
{
    uint8_t out[4096];
    size_t size = write(out);
    return std::string(reinterpret_cast<char *>(out), size);
}

// ---- what a server says ----

inline std::string update(unsigned rectangles)
{
    return written([=](uint8_t *o) { return server_write_update(o, rectangles); });
}

inline std::string rectangle(rect r, int32_t encoding)
{
    return written([=](uint8_t *o) { return server_write_rectangle(o, r, encoding); });
}

inline std::string raw(const Picture &p, rect r)
{
    std::string out = rectangle(r, ENCODING_RAW);
    for (int y = r.y; y < r.y + r.h; y++)
        out.append(reinterpret_cast<const char *>(&p.pixels[size_t(y) * size_t(p.w) + size_t(r.x)]),
                   size_t(r.w) * 4);
    return out;
}

inline std::string raw_update(const Picture &p, rect r)
{
    return update(1) + raw(p, r);
}

inline std::string cut_text(const std::string &text)
{
    return written([&](uint8_t *o) { return server_write_cut_text(o, uint32_t(text.size())); }) +
           text;
}

inline std::string extended_text(const std::string &body)
{
    return written(
               [&](uint8_t *o) { return server_write_cut_text(o, 0u - uint32_t(body.size())); }) +
           body;
}

inline std::string desktop_name(const std::string &name)
{
    return rectangle({0, 0, 0, 0}, PSEUDO_DESKTOP_NAME) + written([&](uint8_t *o) {
               return server_write_desktop_name(o, uint32_t(name.size()));
           }) +
           name;
}

inline std::string screens(int x, int y, int width, int height)
{
    std::string out = rectangle({x, y, width, height}, PSEUDO_EXTENDED_DESKTOP_SIZE);
    out += written([](uint8_t *o) { return server_write_screens(o, 1); });
    return out + written([=](uint8_t *o) {
               const server_screen s = {7, {0, 0, width, height}, 0};
               return size_t(server_screen_write(o, &s) - o);
           });
}

inline std::string fence(uint32_t flags, const std::string &payload)
{
    return written([&](uint8_t *o) { return server_write_fence(o, flags, payload.size()); }) +
           payload;
}

// ---- what a viewer says ----

inline std::string key(uint32_t keysym, bool down = true)
{
    return written([=](uint8_t *o) { return client_write_key(o, keysym, down); });
}

inline std::string pointer(int x, int y, unsigned buttons, bool extended = false)
{
    return written([=](uint8_t *o) { return client_write_pointer(o, x, y, buttons, extended); });
}

inline std::string client_text(const std::string &text)
{
    return written([&](uint8_t *o) { return client_write_cut_text(o, uint32_t(text.size())); }) +
           text;
}

inline std::string request(bool incremental, rect r)
{
    return written([=](uint8_t *o) { return client_write_update_request(o, incremental, r); });
}

inline std::string acknowledge(uint32_t sequence)
{
    blocks_message m = {};
    m.kind = BLOCKS_ACKNOWLEDGE;
    m.marks = 1;
    m.mark[0].sequence = sequence;
    return written([&](uint8_t *o) { return blocks_write(o, &m); });
}

inline std::string refused(rect area)
{
    blocks_message m = {};
    m.kind = BLOCKS_REFUSED;
    m.refused = area;
    return written([&](uint8_t *o) { return blocks_write(o, &m); });
}

inline std::string wishes(bool jpeg, bool hidden = false)
{
    blocks_message m = {};
    m.kind = BLOCKS_WISHES;
    m.wishes = {jpeg ? 1 : LEVEL_AUTO, jpeg, true, hidden, 0, 0};
    return written([&](uint8_t *o) { return blocks_write(o, &m); });
}

inline std::string goodbye()
{
    blocks_message m = {};
    m.kind = BLOCKS_GOODBYE;
    return written([&](uint8_t *o) { return blocks_write(o, &m); });
}

inline std::string key_code(uint32_t keysym, uint32_t code, bool down = true)
{
    return written([=](uint8_t *o) { return client_write_key_code(o, keysym, code, down); });
}

// SetEncodings of a viewer of ours that takes blocks; `pushing`: and wants to be told how they are
// pushed; `references`: and takes those that refer to what it has; `foretold`: and foretold text;
// `kept_mib`: and has so many MiB for tiles; `sound`: and plays the server's sound.
inline std::string encodings(bool pushing = false, bool references = true, bool foretold = true,
                             unsigned kept_mib = KEPT_MIB_USUAL, bool sound = false)
{
    encoding_options o = {};
    encoding_list_all(&o.list);
    o.local_cursor = o.clipboard = o.key_codes = o.steps = o.blocks = true;
    o.pushing = pushing;
    o.kept_mib = kept_mib;
    o.sound = sound;
    std::string all = written([&](uint8_t *out) { return client_write_set_encodings(out, &o); });
    for (const char *takes : {references ? "" : "VHLR", references && foretold ? "" : "VHLS"})
        if (const size_t at = all.find(takes); *takes && at != std::string::npos) {
            all.erase(at, 4); // PSEUDO_REFERENCES, PSEUDO_FORETOLD
            all[3]--;
        }
    return all;
}

// ---- what the two have in common ----

// Something that others wait for to change.
class Awaited
{
  public:
    // Waits until it is so; `so` is asked with the lock held.
    bool await(const std::function<bool()> &so)
    {
        std::unique_lock<std::mutex> hold(lock_);
        return changed_.wait_for(hold, PATIENCE, so);
    }
    template <typename F> auto with(F f)
    {
        std::lock_guard<std::mutex> hold(lock_);
        return f();
    }

  protected:
    template <typename F> void change(F f)
    {
        std::lock_guard<std::mutex> hold(lock_);
        f();
        changed_.notify_all();
    }

  private:
    std::mutex lock_;
    std::condition_variable changed_;
};

// All of it; false when the other side has gone.
inline bool send_all(int fd, const std::string &bytes)
{
    for (size_t done = 0; done < bytes.size();) {
        ssize_t n = send(fd, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
        if (n < 0)
            return false;
        done += size_t(n);
    }
    return true;
}

// ---- the far end itself ----

class Far
{
  public:
    // `keep`: ns, how long it waits for another viewer. `door`: it takes it.
    Far(int width, int height, bool near = true, tick_t keep = 0, int door = -1,
        bool octopus = false)
    {
        int a[2], b[2], c[2];
        REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, a) == 0);
        REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, b) == 0);
        server = a[0];
        viewer = b[0];
        options_.server = a[1];
        options_.viewer = b[1];
        REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, c) == 0);
        keeper = c[0];
        options_.newcomers = c[1];
        options_.door = door;
        options_.octopus = octopus;
        options_.keep = keep;
        options_.near = near;
        options_.width = width;
        options_.height = height;
        strcpy(options_.congestion, "bbr");
        options_.confine_begin = options_.confine_finish = [] {};
        thread_ = std::thread([this] {
            prctl(PR_SET_NAME, "pusher-loop");
            pusher_run(&options_, &why_);
            ended_ = true;
        });
    }
    ~Far()
    {
        shutdown(viewer, SHUT_RDWR);
        shutdown(server, SHUT_RDWR);
        if (thread_.joinable())
            thread_.join();
        close(viewer);
        close(server);
        close(keeper);
    }
    Far(const Far &) = delete;
    Far &operator=(const Far &) = delete;
    // Another viewer comes to it, with a door if it has one, which it takes. Returns the viewer's
    // socket, which is the caller's.
    int come(const std::string &name = "desk", int door = -1)
    {
        int pair[2];
        REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
        const int fds[2] = {pair[1], door};
        const std::string word = KEEPER_VIEWER + name;
        REQUIRE(descriptors_send(keeper, word.c_str(), word.size() + 1, fds, door >= 0 ? 2 : 1));
        close(pair[1]);
        if (door >= 0)
            close(door);
        return pair[0];
    }
    // It ends by itself. A hang is a test that times out.
    void join()
    {
        thread_.join();
    }
    bool ended() const
    {
        return ended_;
    }
    // How it has ended; after join().
    std::string why() const
    {
        return why_.text;
    }
    // Waits until none of its threads has anything to do: each sleeps whenever it is looked at,
    // ten times in a row, and has not run in between. Who spins never sleeps. The test's own
    // threads have to sleep, too: else the far end may wait for what one of them has yet to say.
    bool comes_to_rest(const std::function<void()> &look = [] {}) const
    {
        std::string before;
        auto end = std::chrono::steady_clock::now() + PATIENCE;
        for (int rests = 0; std::chrono::steady_clock::now() < end;) {
            bool sleeps = true;
            std::string ran = threads(sleeps);
            look();
            rests = sleeps && ran == before ? rests + 1 : 0;
            before = ran;
            if (rests >= 10)
                return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return false;
    }

    int server, viewer, keeper; // the test's ends

  private:
    // How long each of the far end's has run; whether all but this one sleep.
    static std::string threads(bool &sleeps)
    {
        const std::string own = std::to_string(gettid());
        std::string all;
        DIR *tasks = opendir("/proc/self/task");
        for (dirent *e; (e = readdir(tasks));) {
            const std::string folder = std::string("/proc/self/task/") + e->d_name;
            const std::string name = read(folder + "/comm"), stat = read(folder + "/stat");
            if (e->d_name[0] == '.' || e->d_name == own)
                continue;
            sleeps = sleeps && stat.find(") S ") != std::string::npos;
            if (name == "pusher-loop\n" || name == "puller\n")
                all += read(folder + "/schedstat");
        }
        closedir(tasks);
        return all;
    }
    static std::string read(const std::string &file)
    {
        std::ifstream in(file);
        std::stringstream all;
        all << in.rdbuf();
        return all.str();
    }

    pusher_options options_ = {};
    reason why_ = {};
    std::atomic<bool> ended_{false};
    std::thread thread_;
};

} // namespace far_end
