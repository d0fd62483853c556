// What the process of a session says first, by the real program.
#include "tests/catch.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "rfb/decode/picture_memory.h"
#include "rfb/worker/channel.h"
#include "rfb/worker/worker_message.h"

namespace
{

// Starts it, and ends it.
class Process
{
  public:
    explicit Process(enum sandbox sandbox)
    {
        const char *program = getenv("VNCHL_SESSION");
        int ends[2];
        REQUIRE(program);
        REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
        int picture = picture_memory_create();
        REQUIRE(picture >= 0);
        pid_ = fork();
        if (pid_ == 0) {
            int high = fcntl(ends[1], F_DUPFD, 20), memory = fcntl(picture, F_DUPFD, 20);
            dup2(high, 3);
            dup2(memory, 4);
            execl(program, program, static_cast<char *>(nullptr));
            _exit(127);
        }
        close(ends[1]);
        close(picture);
        const channel_options options = {worker_limit_of_process, false};
        channel_ = channel_create(ends[0], &options);
        auto start = std::make_unique<worker_start>();
        start->version = WORKER_VERSION;
        start->size = sizeof *start;
        start->options.sandbox = sandbox;
        start->options.connect_timeout = 30 * TICK_S;
        start->options.encodings.blocks = start->options.encodings.jpeg = true;
        start->options.encodings.quality = -1;
        strcpy(start->options.address.host, "127.0.0.1");
        REQUIRE(channel_send(channel_, WORKER_START, start.get(), sizeof *start));
    }
    ~Process()
    {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
        channel_destroy(channel_);
    }
    // The next message that is no line of the log.
    uint32_t next()
    {
        channel_message m;
        channel_state state;
        pollfd p = {channel_fd(channel_), POLLIN, 0};
        while ((state = channel_receive(channel_, &m)) == CHANNEL_EMPTY ||
               (state == CHANNEL_MESSAGE && m.type == WORKER_LINE))
            if (state == CHANNEL_EMPTY)
                poll(&p, 1, -1);
        REQUIRE(state == CHANNEL_MESSAGE);
        return m.type;
    }

  private:
    pid_t pid_;
    channel *channel_;
};

} // namespace

TEST_CASE("worker: the connection is asked for before the system's files are read")
{
    Process p(SANDBOX_AUTO);
    CHECK(p.next() == WORKER_CONNECT);
    CHECK(p.next() == WORKER_CONFINED);
}

TEST_CASE("worker: where the process has to be confined, there is no connection before")
{
    Process p(SANDBOX_REQUIRE);
    CHECK(p.next() == WORKER_CONFINED);
}
