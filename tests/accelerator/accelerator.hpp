/* The accelerator as an administrator starts it, and a client that says exactly what a test wants.
 */
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <string>
#include <vector>

#include "rfb/framing/server_framing.h"
#include "rfb/proto/client_messages.h"
#include "tests/catch.hpp"
#include "tests/e2e/process.hpp"

namespace accelerator
{

inline e2e::Command command(const std::vector<std::string> &arguments)
{
    const char *path = getenv("VNCHL_ACCEL");
    REQUIRE(path);
    e2e::Command c;
    c.argv = {path};
    c.argv.insert(c.argv.end(), arguments.begin(), arguments.end());
    return c;
}

/* In front of one server. */
class Accelerator
{
  public:
    explicit Accelerator(const std::string &server, const std::vector<std::string> &more = {})
    {
        std::vector<std::string> all = {"--listen", std::to_string(port), "--server", server};
        all.insert(all.end(), more.begin(), more.end());
        process = std::make_unique<e2e::Process>(command(all));
        await("event=listening");
    }
    std::string address() const
    {
        return "127.0.0.1::" + std::to_string(port);
    }
    /* Until it has said so, `times` times. */
    void await(const std::string &text, size_t times = 1)
    {
        bool said = e2e::wait_until(e2e::PATIENCE, [&] { return count(text) >= times; });
        INFO(process->err());
        INFO(text);
        REQUIRE(said);
    }
    size_t count(const std::string &text) const
    {
        const std::string all = process->err();
        size_t n = 0;
        for (size_t at = 0; (at = all.find(text, at)) != std::string::npos; at += text.size())
            n++;
        return n;
    }

    int port = e2e::free_port();
    std::unique_ptr<e2e::Process> process;
};

/* Bytes of a client: RFB 3.8, security type None. */
class RawClient
{
  public:
    explicit RawClient(int port)
    {
        sockaddr_in to = e2e::loopback(port);
        fd_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        REQUIRE(connect(fd_, reinterpret_cast<sockaddr *>(&to), sizeof to) == 0);
        timeval limit = {std::chrono::seconds(e2e::PATIENCE).count(), 0};
        setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    }
    ~RawClient()
    {
        hang_up();
    }
    RawClient(const RawClient &) = delete;
    RawClient &operator=(const RawClient &) = delete;

    void hang_up()
    {
        if (fd_ >= 0)
            close(fd_);
        fd_ = -1;
    }
    void send_no_more()
    {
        shutdown(fd_, SHUT_WR);
    }
    bool say(const std::string &bytes)
    {
        return send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
               static_cast<ssize_t>(bytes.size());
    }
    /* As much of it as is taken before nothing is taken for a second. Returns how much that is. */
    size_t say_what_is_taken(const std::string &bytes)
    {
        timeval limit = {1, 0};
        setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
        ssize_t taken = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        return taken > 0 ? static_cast<size_t>(taken) : 0;
    }
    /* Exactly so many; fewer when the connection ends. */
    std::string hear(size_t size)
    {
        std::string out(size, '\0');
        ssize_t n = recv(fd_, &out[0], size, MSG_WAITALL);
        out.resize(n > 0 ? static_cast<size_t>(n) : 0);
        return out;
    }
    /* Bytes that have come and were not heard; -1: the connection has failed. */
    ssize_t waits()
    {
        char piece[4096];
        ssize_t n = recv(fd_, piece, sizeof piece, MSG_DONTWAIT | MSG_PEEK);

        return n < 0 && errno == EAGAIN ? 0 : n > 0 ? n : -1;
    }
    /* All until the end. */
    std::string hear_all()
    {
        std::string out;
        char piece[65536];
        for (ssize_t n; (n = recv(fd_, piece, sizeof piece, 0)) > 0;)
            out.append(piece, static_cast<size_t>(n));
        return out;
    }

    /* Up to the normal phase. */
    void greet()
    {
        hear(12);
        say("RFB 003.008\n");
        std::string count = hear(1);
        REQUIRE(count.size() == 1);
        hear(static_cast<unsigned char>(count[0]));
        say(std::string(1, '\1'));
        REQUIRE(hear(4) == std::string(4, '\0'));
        say(std::string(1, '\1'));
        std::string init = hear(24);
        REQUIRE(init.size() == 24);
        auto byte = [&](size_t i) { return static_cast<unsigned char>(init[i]); };
        width = byte(0) << 8 | byte(1);
        height = byte(2) << 8 | byte(3);
        hear(static_cast<size_t>(byte(22)) << 8 | byte(23));
        reason why;
        pixel_format format;
        REQUIRE(pixel_format_read(reinterpret_cast<const uint8_t *>(&init[4]), &format, &why));
        server_framing_begin(&framing_, &format, width, height);
    }
    bool ask(bool incremental)
    {
        uint8_t message[CLIENT_WRITE_MAX];
        size_t size = client_write_update_request(message, incremental, {0, 0, width, height});
        return say(std::string(reinterpret_cast<char *>(message), size));
    }
    bool set_format(const pixel_format &format)
    {
        uint8_t message[CLIENT_WRITE_MAX];
        size_t size = client_write_set_pixel_format(message, &format);
        return say(std::string(reinterpret_cast<char *>(message), size));
    }
    bool set_encodings(const std::vector<int32_t> &encodings)
    {
        std::string message("\2\0\0", 3);
        message += static_cast<char>(encodings.size());
        for (int32_t encoding : encodings)
            for (int shift : {24, 16, 8, 0})
                message += static_cast<char>(static_cast<uint32_t>(encoding) >> shift);
        return say(message);
    }
    /* The message for ContinuousUpdates of the whole screen, or none. */
    std::string push_message(bool on) const
    {
        uint8_t message[CLIENT_WRITE_MAX];
        size_t size = client_write_enable_continuous_updates(message, {0, 0, width, height});
        message[1] = on;
        return std::string(reinterpret_cast<char *>(message), size);
    }
    bool push(bool on)
    {
        return say(push_message(on));
    }
    bool answer_fence(const server_frame &fence)
    {
        uint8_t message[CLIENT_WRITE_MAX];
        size_t size = client_write_fence(message, fence.flags & FENCE_BLOCK_BEFORE, fence.payload,
                                         fence.payload_size);
        return say(std::string(reinterpret_cast<char *>(message), size));
    }
    /* What comes from now on has this format. */
    void expect_format(const pixel_format &format)
    {
        server_framing_set_format(&framing_, &format);
    }
    /* Reads up to the next event. False: the connection has ended, or what comes is no RFB. */
    bool frame(server_frame &found)
    {
        for (;;) {
            if (at_ == size_) {
                ssize_t n = recv(fd_, piece_, sizeof piece_, 0);
                if (n <= 0)
                    return false;
                at_ = 0;
                size_ = static_cast<size_t>(n);
            }
            at_ += server_framing_read(&framing_, piece_ + at_, size_ - at_, &found);
            if (found.event == SERVER_FRAME_UNKNOWN || found.event == SERVER_FRAME_HOSTILE) {
                WARN(server_framing_why(&framing_));
                return false;
            }
            if (found.event != SERVER_FRAME_NONE)
                return true;
        }
    }
    /* Reads one whole update. */
    bool update(server_frame &found)
    {
        do
            if (!frame(found))
                return false;
        while (found.event != SERVER_FRAME_UPDATE_ENDS);
        return true;
    }
    bool update()
    {
        server_frame found;
        return update(found);
    }

    int width = 0, height = 0;

  private:
    int fd_ = -1;
    server_framing framing_ = {};
    uint8_t piece_[65536];
    size_t at_ = 0, size_ = 0;
};

} // namespace accelerator
