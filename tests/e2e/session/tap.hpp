/* Between a viewer and a server: passes the connection on as rfb/framing finds its parts, and says
 * what it has seen. Every piece is of a random size, so that each boundary comes to lie in every
 * place. */
#pragma once

#include <mutex>
#include <string>
#include <thread>

#include "rfb/framing/client_framing.h"
#include "rfb/framing/handshake_framing.h"
#include "rfb/framing/server_framing.h"
#include "tests/e2e/process.hpp"

namespace e2e
{

class Tap
{
  public:
    struct Seen {
        bool connected = false, ended = false;
        handshake_state handshake = HANDSHAKE_GOES_ON;
        int minor = 0;
        uint32_t security = 0;
        bool between = false;               /* both directions are between messages */
        uint64_t updates = 0, pictures = 0; /* pictures: updates with pixels */
        uint64_t requests = 0, keys = 0, client_messages = 0;
        std::string lost; /* the first thing that was not understood */
    };

    explicit Tap(int server_port);
    ~Tap();
    Tap(const Tap &) = delete;
    Tap &operator=(const Tap &) = delete;

    int port() const
    {
        return port_;
    }
    std::string address() const
    {
        return "127.0.0.1::" + std::to_string(port_);
    }
    Seen seen();

  private:
    void serve();
    bool pass_on(int from_client, std::string &waiting);
    void from_server(const uint8_t *bytes, size_t size);
    size_t from_client(const uint8_t *bytes, size_t size);
    void send_all(int fd, const uint8_t *bytes, size_t size);
    void normal_phase();
    void lose(const std::string &why);

    int server_port_, port_ = 0, listener_ = -1, viewer_ = -1, server_ = -1, stop_[2];
    std::mutex lock_;
    Seen seen_;
    handshake_framing handshake_{};
    server_framing server_framing_{};
    client_framing client_framing_{};
    std::string from_client_; /* not understood yet */
    bool server_counts_ = false;
    std::thread thread_;
};

} // namespace e2e
