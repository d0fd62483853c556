#include "tap.hpp"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <random>
#include <stdexcept>

#include "tests/seed.hpp"

namespace e2e
{

static const int PIECE_MAX = 5000;

Tap::Tap(int server_port) : server_port_(server_port)
{
    sockaddr_in a = loopback(0);
    socklen_t size = sizeof a;

    listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener_ < 0 || bind(listener_, reinterpret_cast<sockaddr *>(&a), sizeof a) != 0 ||
        listen(listener_, 1) != 0 ||
        getsockname(listener_, reinterpret_cast<sockaddr *>(&a), &size) != 0 || pipe(stop_) != 0)
        throw std::runtime_error("cannot listen");
    port_ = ntohs(a.sin_port);
    handshake_framing_begin(&handshake_);
    client_framing_begin(&client_framing_);
    thread_ = std::thread([this] { serve(); });
}

Tap::~Tap()
{
    close(stop_[1]);
    thread_.join();
    for (int fd : {stop_[0], listener_, viewer_, server_})
        if (fd >= 0)
            close(fd);
}

Tap::Seen Tap::seen()
{
    std::lock_guard<std::mutex> held(lock_);
    return seen_;
}

void Tap::lose(const std::string &why)
{
    if (seen_.lost.empty())
        seen_.lost = why;
}

void Tap::send_all(int fd, const uint8_t *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        ssize_t n = send(fd, bytes + at, size - at, MSG_NOSIGNAL);
        if (n <= 0)
            return; /* the other end is seen to be closed where it is read */
        at += static_cast<size_t>(n);
    }
}

/* Both directions are behind the handshake. */
void Tap::normal_phase()
{
    server_framing_begin(&server_framing_, &handshake_.format, handshake_.width, handshake_.height);
    server_counts_ = true;
}

/* What the server sends goes on as it is, and is counted. */
void Tap::from_server(const uint8_t *bytes, size_t size)
{
    size_t at = 0;

    if (handshake_.state == HANDSHAKE_GOES_ON) {
        at = handshake_framing_server(&handshake_, bytes, size);
        if (handshake_.state == HANDSHAKE_GOES_ON && at < size)
            lose("the server spoke before its client");
    }
    if (handshake_.state == HANDSHAKE_DONE) {
        server_frame found;
        if (!server_counts_)
            normal_phase();
        do {
            at += server_framing_read(&server_framing_, bytes + at, size - at, &found);
            seen_.updates += found.event == SERVER_FRAME_UPDATE_ENDS;
            seen_.pictures += found.event == SERVER_FRAME_UPDATE_ENDS && found.pictures > 0;
            if (found.event >= SERVER_FRAME_UNKNOWN)
                lose(server_framing_why(&server_framing_));
        } while (found.event != SERVER_FRAME_NONE && found.event < SERVER_FRAME_UNKNOWN);
    }
    send_all(viewer_, bytes, size);
}

/* What the client sends goes on as it is handed out. Returns how many bytes were taken. */
size_t Tap::from_client(const uint8_t *bytes, size_t size)
{
    size_t at = 0;

    if (handshake_.state == HANDSHAKE_GOES_ON) {
        at = handshake_framing_client(&handshake_, bytes, size);
        send_all(server_, bytes, at);
        return at;
    }
    if (handshake_.state != HANDSHAKE_DONE || !seen_.lost.empty()) {
        send_all(server_, bytes, size);
        return size;
    }
    for (client_frame found;;) {
        client_framing_.extended_buttons = server_framing_.extended_buttons;
        at += client_framing_read(&client_framing_, bytes + at, size - at, &found);
        if (found.size > 0)
            send_all(server_, found.bytes, found.size);
        if (found.event >= CLIENT_FRAME_UNKNOWN) {
            lose(client_framing_why(&client_framing_));
            send_all(server_, bytes + at, size - at);
            return size;
        }
        if (found.event == CLIENT_FRAME_NONE)
            return at;
        seen_.client_messages += found.event == CLIENT_FRAME_MESSAGE;
        seen_.requests += found.type == CLIENT_UPDATE_REQUEST;
        seen_.keys += found.type == CLIENT_KEY || found.type == CLIENT_QEMU;
        if (found.understood && found.type == CLIENT_SET_PIXEL_FORMAT) {
            if (!server_counts_)
                normal_phase();
            if (!server_framing_between(&server_framing_))
                lose("the pixel format changes inside of a message");
            server_framing_set_format(&server_framing_, &found.message.format);
        }
    }
}

/* Reads a piece of one side and passes it on. False: that side has closed. */
bool Tap::pass_on(int client, std::string &waiting)
{
    static std::mt19937 random(any_seed());
    uint8_t bytes[PIECE_MAX];
    size_t most = random() % 4 ? 1 + random() % 16 : 1 + random() % PIECE_MAX;
    ssize_t n = recv(client ? viewer_ : server_, bytes, most, 0);

    if (n <= 0)
        return false;
    std::lock_guard<std::mutex> held(lock_);
    if (client)
        waiting.append(reinterpret_cast<char *>(bytes), static_cast<size_t>(n));
    else
        from_server(bytes, static_cast<size_t>(n));
    for (size_t taken = 1; taken > 0 && !waiting.empty();) {
        taken = from_client(reinterpret_cast<const uint8_t *>(waiting.data()), waiting.size());
        waiting.erase(0, taken);
    }
    seen_.handshake = handshake_.state;
    seen_.minor = handshake_.minor;
    seen_.security = handshake_.security;
    seen_.between = server_counts_ && server_framing_between(&server_framing_) &&
                    client_framing_between(&client_framing_);
    return true;
}

void Tap::serve()
{
    sockaddr_in a = loopback(server_port_);
    pollfd p[3] = {{listener_, POLLIN, 0}, {-1, 0, 0}, {stop_[0], POLLIN, 0}};

    if (poll(p, 3, -1) < 0 || p[2].revents)
        return;
    viewer_ = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    server_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool open = connect(server_, reinterpret_cast<sockaddr *>(&a), sizeof a) == 0;
    {
        std::lock_guard<std::mutex> held(lock_);
        seen_.connected = open;
    }
    while (open) {
        p[0] = {server_, POLLIN, 0};
        p[1] = {viewer_, POLLIN, 0};
        open = poll(p, 3, -1) >= 0 && !p[2].revents;
        for (int client = 0; client < 2 && open; client++)
            if (p[client].revents)
                open = pass_on(client, from_client_);
    }
    shutdown(viewer_, SHUT_RDWR);
    shutdown(server_, SHUT_RDWR);
    std::lock_guard<std::mutex> held(lock_);
    seen_.ended = true;
}

} // namespace e2e
