// Recordings: the file that is written, and what a file is as a server.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <thread>

#include "fbs_file.hpp"
#include "rfb/net/recording/file_writer.h"
#include "rfb/net/recording/playback.h"
#include "rfb/net/recording/recording.h"
#include "rfb/net/stream.h"
#include "rfb/system/clock.h"
#include "tests/catch.hpp"
#include "tests/temp_dir.hpp"

using fbs::block;
using fbs::number;

namespace
{

const std::string GREETING = "FBS 001.000\n";

std::string content(const std::string &file)
{
    std::ifstream f(file, std::ios::binary);
    std::ostringstream bytes;
    bytes << f.rdbuf();
    return bytes.str();
}

void put(const std::string &file, const std::string &bytes)
{
    std::ofstream(file, std::ios::binary) << bytes;
}

recording *create(const std::string &file)
{
    reason why = {};
    recording *r = recording_create(file.c_str(), &why);
    INFO(why.text);
    REQUIRE(r);
    return r;
}

void close_whole(recording *r)
{
    reason why = {};
    bool whole = recording_close(r, &why);
    INFO(why.text);
    CHECK(whole);
}

/* A stream from the recording, which has no handshake. */
struct Played {
    explicit Played(const std::string &file, double speed = PLAYBACK_MAX,
                    const play_wish &wish = {})
    {
        transport *t = playback_open(file.c_str(), speed, &why);
        INFO(why.text);
        REQUIRE(t);
        s = stream_create(t);
        stream_play(s, &wish);
    }
    ~Played()
    {
        stream_destroy(s);
    }
    play_state state()
    {
        transport_info info = {};
        stream_info(s, &info);
        return info.play;
    }
    std::string rest()
    {
        std::string all;
        char some[1000];
        while (size_t n = stream_read_some(s, some, sizeof some, &why))
            all.append(some, n);
        return all;
    }
    reason why = {};
    stream *s;
};

std::string refused(const std::string &file)
{
    reason why = {};
    CHECK_FALSE(playback_check(file.c_str(), &why));
    return why.text;
}

const tick_t T = 1000 * TICK_S;

} // namespace

TEST_CASE("a recording has the form of FBS 001.000")
{
    TempDir folder;
    recording *r = create(folder.file("a"));
    CHECK(recording_begin(r, "init", 4, T) == 1);
    recording_add(r, 1, "x", 1, T + 20 * TICK_MS);
    recording_add(r, 1, "yz", 2, T + 3 * TICK_S);
    close_whole(r);
    CHECK(content(folder.file("a")) == GREETING + block("RFB 003.003\n", 0) +
                                           block(std::string("\0\0\0\1", 4), 0) + block("init", 0) +
                                           block("x", 20) + block("yz", 3000));
    struct stat status;
    REQUIRE(stat(folder.file("a").c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0600);
}

TEST_CASE("what comes at once is several blocks when it is long")
{
    TempDir folder;
    recording *r = create(folder.file("a"));
    std::string bytes(FBS_BLOCK_MAX + 5, 'b');
    recording_begin(r, "init", 4, T);
    recording_add(r, 1, bytes.data(), bytes.size(), T);
    close_whole(r);
    std::string all = content(folder.file("a")), last = block("bbbbb", 0);
    CHECK(all.substr(all.size() - last.size()) == last);
    CHECK(all.find(block(std::string(FBS_BLOCK_MAX, 'b'), 0)) != std::string::npos);
}

TEST_CASE("each connection is a part with a file and a time of its own")
{
    TempDir folder;
    recording *r = create(folder.file("a"));
    CHECK(recording_begin(r, "one", 3, T) == 1);
    CHECK(recording_begin(r, "two", 3, T + 9 * TICK_S) == 2);
    CHECK(recording_begin(r, "three", 5, T + 20 * TICK_S) == 3);
    recording_add(r, 1, "late", 4, T + 21 * TICK_S); /* its connection is over */
    recording_add(r, 3, "new", 3, T + 21 * TICK_S);
    close_whole(r);
    CHECK(content(folder.file("a")).find(block("one", 0)) != std::string::npos);
    CHECK(content(folder.file("a.2")).find(block("two", 0)) != std::string::npos);
    std::string third = content(folder.file("a.3")), end = block("three", 0) + block("new", 1000);
    CHECK(third.substr(third.size() - end.size()) == end);
    for (const char *name : {"a", "a.2", "a.3"})
        CHECK(content(folder.file(name)).find("late") == std::string::npos);
}

TEST_CASE("a recording overwrites nothing")
{
    TempDir folder;
    reason why = {};
    put(folder.file("a"), "precious");
    CHECK_FALSE(recording_create(folder.file("a").c_str(), &why));
    CHECK(std::string(why.text) ==
          folder.file("a") + " exists already: name a new file for the recording");
    unlink(folder.file("a").c_str());
    put(folder.file("a.2"), "precious");
    recording *r = create(folder.file("a"));
    CHECK(recording_begin(r, "one", 3, T) == 1);
    CHECK(recording_begin(r, "two", 3, T) == 0);
    CHECK(recording_failed(r, &why));
    CHECK(std::string(why.text).find("a.2 exists already") != std::string::npos);
    CHECK_FALSE(recording_close(r, &why));
    CHECK(content(folder.file("a.2")) == "precious");
    CHECK(content(folder.file("a")).find(block("one", 0)) != std::string::npos);
}

TEST_CASE("without a connection no file is left")
{
    TempDir folder;
    close_whole(create(folder.file("a")));
    CHECK(access(folder.file("a").c_str(), F_OK) != 0);
}

TEST_CASE("a folder that does not exist is named")
{
    reason why = {};
    CHECK_FALSE(recording_create("/nonexistent/a", &why));
    CHECK(std::string(why.text) ==
          "cannot write the recording /nonexistent/a: No such file or directory");
}

TEST_CASE("who still holds a closed recording adds nothing to it")
{
    TempDir folder;
    recording *r = create(folder.file("a"));
    recording_begin(r, "init", 4, T);
    recording *held = recording_share(r);
    close_whole(r);
    std::string before = content(folder.file("a"));
    recording_add(held, 1, "more", 4, T);
    CHECK(recording_begin(held, "init", 4, T) == 0);
    recording_release(held);
    CHECK(content(folder.file("a")) == before);
}

TEST_CASE("a disk that is full ends the recording")
{
    int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
    file_writer *w = file_writer_create(fd);
    REQUIRE(w);
    struct iovec part = {const_cast<char *>("bytes"), 5};
    CHECK(file_writer_add(w, &part, 1));
    while (file_writer_error(w) == 0)
        usleep(1000);
    CHECK_FALSE(file_writer_add(w, &part, 1));
    CHECK(file_writer_destroy(w) == ENOSPC);
}

TEST_CASE("a disk that is too slow does not fill the memory")
{
    int ends[2];
    REQUIRE(pipe2(ends, O_CLOEXEC) == 0); /* nobody reads: as a disk that hangs */
    file_writer *w = file_writer_create(ends[1]);
    REQUIRE(w);
    std::string bytes(1 << 20, 'x');
    struct iovec part = {&bytes[0], bytes.size()};
    size_t taken = 0;
    while (file_writer_add(w, &part, 1))
        taken += bytes.size();
    CHECK(taken >= FILE_WRITER_WAITING_MAX);
    CHECK(taken <= 2 * FILE_WRITER_WAITING_MAX);
    CHECK(file_writer_error(w) == FILE_WRITER_TOO_SLOW);
    size_t written = 0; /* what was taken before is written all the same */
    std::thread reader([&] {
        char some[65536];
        for (ssize_t n; (n = read(ends[0], some, sizeof some)) > 0;)
            written += static_cast<size_t>(n);
    });
    CHECK(file_writer_destroy(w) == FILE_WRITER_TOO_SLOW);
    reader.join();
    close(ends[0]);
    CHECK(written == taken);
}

TEST_CASE("a stream adds what it has read already, and what it reads, once")
{
    TempDir folder;
    put(folder.file("a.3"), GREETING + block("headrest", 0) + block("more", 0));
    recording *r = create(folder.file("a"));
    {
        Played p(folder.file("a.3"));
        char out[8];
        REQUIRE(stream_read(p.s, out, 4, &p.why));
        stream_record(p.s, r, recording_begin(r, "init", 4, tick_now()));
        stream_unread(p.s, "un", 2);
        CHECK(p.rest() == "unrestmore");
    }
    close_whole(r);
    std::string all = content(folder.file("a"));
    all.erase(0, all.find("init"));
    CHECK(all.find("rest") != std::string::npos);
    CHECK(all.find("more") != std::string::npos);
    CHECK(all.find("un") == std::string::npos);
    CHECK(all.find("head") == std::string::npos);
}

TEST_CASE("a playback gives the bytes of all blocks, and says that it has ended")
{
    TempDir folder;
    put(folder.file("a"), GREETING + block("one", 5) + block("", 7) + block("three", 3));
    Played p(folder.file("a"));
    CHECK(p.rest() == "onethree");
    CHECK(std::string(p.why.text) == "the recording has ended");
    CHECK(stream_failure(p.s) == FAILURE_LOST);
    CHECK(stream_write(p.s, "request", 7));
    CHECK(stream_wait_writable(p.s, -1, 0) == TRANSPORT_READY);
    transport_info info = {};
    stream_info(p.s, &info);
    CHECK(info.bytes_received == 8);
    CHECK(info.bytes_sent == 7);
}

TEST_CASE("a playback waits for the times in the file, divided by the speed")
{
    TempDir folder;
    put(folder.file("a"), GREETING + block("now", 0) + block("later", 300000));
    tick_t start = tick_now();
    Played p(folder.file("a"), 1000);
    CHECK(p.rest() == "nowlater");
    CHECK(tick_now() - start >= 300 * TICK_MS);
}

TEST_CASE("who waits for a time far away is woken by the end of the session")
{
    TempDir folder;
    put(folder.file("a"), GREETING + block("never", UINT32_MAX));
    Played p(folder.file("a"), PLAYBACK_SPEED_LEAST);
    std::thread cutter([&] { stream_cut(p.s); });
    CHECK(p.rest().empty());
    cutter.join();
    CHECK(std::string(p.why.text) == "stopped");
    CHECK(stream_wait_writable(p.s, -1, TICK_NEVER) == TRANSPORT_GONE);
}

TEST_CASE("a playback is paused, goes on, and knows its place and its length")
{
    TempDir dir;
    std::string file = dir.file("a.fbs");
    put(file, GREETING + block("a", 0) + block("b", 20000) + block("c", 40000));
    Played p(file, 0.001);
    reason why = {};
    char c = 0;
    auto play = [&](bool paused, bool seeks, uint32_t place) {
        const play_wish wish = {paused, seeks, place};
        stream_play(p.s, &wish);
        return p.state();
    };
    REQUIRE(stream_read(p.s, &c, 1, &why));
    CHECK(c == 'a');
    play_state s = play(true, false, 0);
    CHECK(s.paused);
    CHECK(s.place == 0);
    CHECK(stream_wait_readable(p.s, -1, tick_now()) == TRANSPORT_LATE);
    CHECK(p.state().length == 40000);
    /* who waits for what comes later is woken by the wish */
    std::thread person([&] { play(true, true, 20000); });
    REQUIRE(stream_read(p.s, &c, 1, &why));
    person.join();
    CHECK(c == 'b');
    CHECK(play(true, false, 0).place == 20000);
    play(false, true, 40000);
    REQUIRE(stream_read(p.s, &c, 1, &why));
    CHECK(c == 'c');
    CHECK_FALSE(stream_read(p.s, &c, 1, &why));
}

TEST_CASE("a playback begins at a later place")
{
    TempDir dir;
    std::string file = dir.file("a.fbs");
    put(file, GREETING + block("a", 0) + block("b", 20000) + block("c", 40000));
    Played p(file, 0.001, {true, true, 30000});
    reason why = {};
    char got[2];
    REQUIRE(stream_read(p.s, got, 2, &why));
    CHECK(std::string(got, 2) == "ab");
    CHECK(p.state().place == 30000);
    CHECK(p.state().paused);
    std::thread person([&] { /* it waits there for a wish */
                             const play_wish wish = {true, true, 40000};
                             stream_play(p.s, &wish);
    });
    CHECK(stream_read(p.s, got, 1, &why));
    person.join();
    CHECK(got[0] == 'c');
}

TEST_CASE("nothing is waited for before the first wish: that is the handshake")
{
    TempDir dir;
    std::string file = dir.file("a.fbs");
    put(file, GREETING + block("hand", 120000) + block("shake", 130000) + block("a", 130000) +
                  block("b", 140000));
    reason why = {};
    transport *t = playback_open(file.c_str(), PLAYBACK_SPEED_LEAST, &why);
    REQUIRE(t);
    stream *s = stream_create(t);
    char got[9];
    REQUIRE(stream_read(s, got, sizeof got, &why));
    CHECK(std::string(got, sizeof got) == "handshake");
    /* a place before its end is there already */
    for (uint32_t place : {0u, 130000u}) {
        const play_wish wish = {true, true, place};
        stream_play(s, &wish);
        transport_info info = {};
        stream_info(s, &info);
        CHECK(info.play.paused);
        CHECK(info.play.place == 130000);
        CHECK(info.play.seeking == (place > 0));
    }
    REQUIRE(stream_read(s, got, 1, &why));
    CHECK(got[0] == 'a');
    stream_destroy(s);
}

TEST_CASE("who waits looks how long a recording is, a few blocks at a time")
{
    TempDir dir;
    std::string file = dir.file("a.fbs"), bytes = GREETING;
    for (uint32_t i = 0; i < 1000; i++)
        bytes += block("x", i < 900 ? 10 * i : 0); /* its times go back */
    put(file, bytes + number(9) + "cut");          /* and it is cut off */
    Played p(file, PLAYBACK_SPEED_LEAST, {true, false, 0});
    CHECK(p.state().length == 0);
    stream_wait_readable(p.s, -1, 0);
    CHECK(p.state().length == 0);
    for (int waits = 0; waits < 1000 && p.state().length == 0; waits++)
        stream_wait_readable(p.s, -1, 0);
    CHECK(p.state().length == 8990);
}

TEST_CASE("beyond the end of a recording is its end")
{
    TempDir dir;
    std::string file = dir.file("a.fbs");
    put(file, GREETING + block("a", 0) + block("b", 20000));
    Played p(file, PLAYBACK_SPEED_LEAST, {true, true, UINT32_MAX});
    CHECK(p.rest() == "ab");
    CHECK(p.state().place == 20000);
    CHECK(p.state().length == 20000);
    CHECK_FALSE(p.state().seeking);
}

TEST_CASE("a file that is cut off is played up to its last whole block")
{
    TempDir folder;
    const std::string whole = GREETING + block("one", 0), two = block("two", 0);
    for (size_t kept = 1; kept < two.size(); kept++) {
        INFO(kept);
        put(folder.file("a"), whole + two.substr(0, kept));
        Played p(folder.file("a"));
        CHECK(p.rest() == "one");
        CHECK(std::string(p.why.text).find("its file is cut off") != std::string::npos);
    }
}

TEST_CASE("a hole in a file ends the playback")
{
    TempDir folder;
    put(folder.file("a"), GREETING + block("one", 0));
    REQUIRE(truncate(folder.file("a").c_str(), off_t{1} << 40) == 0);
    Played p(folder.file("a"));
    CHECK(p.rest() == "one");
    CHECK(std::string(p.why.text).find("its file is damaged") != std::string::npos);
}

TEST_CASE("a length that reaches over the end of the file is no block")
{
    TempDir folder;
    for (uint32_t length : {5u, 100u, 0x7fffffffu, 0x80000000u, 0xfffffffcu, UINT32_MAX}) {
        INFO(length);
        put(folder.file("a"), GREETING + number(length) + "data" + number(0));
        Played p(folder.file("a"));
        CHECK(p.rest().empty());
        CHECK(std::string(p.why.text).find("its file is cut off") != std::string::npos);
    }
}

TEST_CASE("what is no recording is refused by one line")
{
    TempDir folder;
    CHECK(refused("/nonexistent") == "cannot read /nonexistent: No such file or directory");
    CHECK(refused("/tmp") == "cannot read /tmp: Is a directory");
    for (const char *bytes : {"", "FBS 001.00", "FBS 001.001\n", "GIF89a and so on"}) {
        put(folder.file("a"), bytes);
        CHECK(refused(folder.file("a")).find("is no recording") != std::string::npos);
    }
    REQUIRE(mkfifo(folder.file("a.2").c_str(), 0600) == 0);
    CHECK(refused(folder.file("a.2")).find("is no recording") != std::string::npos);
}
