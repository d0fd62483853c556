#include "fake_server.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>

#include "rfb/proto/client_messages.h"
#include "rfb/proto/qemu_audio.h"
#include "rfb/proto/server_messages.h"

namespace e2e
{

std::string u8(unsigned v)
{
    return std::string(1, static_cast<char>(v));
}

std::string u16(unsigned v)
{
    return u8(v >> 8 & 255) + u8(v & 255);
}

std::string u32(uint32_t v)
{
    return u16(v >> 16) + u16(v & 0xffff);
}

namespace
{

/* What a function of rfb/proto/ writes. */
template <typename Write> std::string written(Write write)
{
    uint8_t out[CLIENT_WRITE_MAX];
    size_t size = write(out);
    return std::string(reinterpret_cast<char *>(out), size);
}

rect rect_of(unsigned x, unsigned y, unsigned w, unsigned h)
{
    return {static_cast<int>(x), static_cast<int>(y), static_cast<int>(w), static_cast<int>(h)};
}

} // namespace

Script handshake(int width, int height, const std::string &name)
{
    std::string format =
        written([](uint8_t *out) { return pixel_format_write(out, &pixel_format_xrgb); });
    return {send_step("RFB 003.008\n"),
            expect(12),
            send_step(u8(1) + u8(1)),
            expect(1),
            send_step(u32(0)),
            expect(1),
            send_step(u16(static_cast<unsigned>(width)) + u16(static_cast<unsigned>(height)) +
                      format + u32(static_cast<uint32_t>(name.size())) + name)};
}

std::string update(unsigned rectangles)
{
    return written([=](uint8_t *out) { return server_write_update(out, rectangles); });
}

std::string rectangle(unsigned x, unsigned y, unsigned w, unsigned h, int32_t encoding)
{
    return written(
        [=](uint8_t *out) { return server_write_rectangle(out, rect_of(x, y, w, h), encoding); });
}

std::string screens(unsigned count)
{
    return written([=](uint8_t *out) { return server_write_screens(out, count); }) +
           std::string(count * SCREEN_BYTES, '\0');
}

std::string colour_map(unsigned colours)
{
    return written([=](uint8_t *out) { return server_write_colour_map(out, 0, colours); });
}

std::string cut_text(uint32_t length)
{
    return written([=](uint8_t *out) { return server_write_cut_text(out, length); });
}

std::string bells(size_t count)
{
    return std::string(count, static_cast<char>(SERVER_BELL));
}

std::string ends_of_continuous_updates(size_t count)
{
    return std::string(count, static_cast<char>(SERVER_END_OF_CONTINUOUS_UPDATES));
}

std::string fence(uint32_t flags, const std::string &payload)
{
    return written([&](uint8_t *out) { return server_write_fence(out, flags, payload.size()); }) +
           payload;
}

std::string fence_answer(uint32_t flags, const std::string &payload)
{
    return written([&](uint8_t *out) {
        return client_write_fence(out, flags, reinterpret_cast<const uint8_t *>(payload.data()),
                                  payload.size());
    });
}

std::string enable_continuous_updates(int width, int height)
{
    return written([=](uint8_t *out) {
        return client_write_enable_continuous_updates(out, {0, 0, width, height});
    });
}

std::string key_event(uint32_t keysym, bool down)
{
    return written([=](uint8_t *out) { return client_write_key(out, keysym, down); });
}

std::string key_code_event(uint32_t keysym, uint32_t code, bool down)
{
    return written([=](uint8_t *out) { return client_write_key_code(out, keysym, code, down); });
}

std::string pointer_event(int x, int y, unsigned buttons, bool extended)
{
    return written(
        [=](uint8_t *out) { return client_write_pointer(out, x, y, buttons, extended); });
}

std::string raw_screen(int width, int height, uint32_t colour)
{
    std::string out = update(1) + rectangle(0, 0, static_cast<unsigned>(width),
                                            static_cast<unsigned>(height), ENCODING_RAW);
    for (int i = 0; i < width * height; i++)
        out += u8(colour & 255) + u8(colour >> 8 & 255) + u8(colour >> 16 & 255) + u8(0);
    return out;
}

Script operator+(Script a, const Script &b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

FakeServer::FakeServer(Script script) : script_(std::make_shared<const Script>(std::move(script)))
{
    listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_in a = {};
    a.sin_family = AF_INET;
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof a;
    if (listener_ < 0 || bind(listener_, reinterpret_cast<sockaddr *>(&a), size) != 0 ||
        listen(listener_, 16) != 0 ||
        getsockname(listener_, reinterpret_cast<sockaddr *>(&a), &size) != 0 ||
        pipe2(stop_, O_CLOEXEC) != 0)
        throw std::runtime_error("cannot listen");
    port_ = ntohs(a.sin_port);
    thread_ = std::thread([this] { serve(); });
}

FakeServer::~FakeServer()
{
    close(stop_[1]); /* the reading end becomes readable */
    thread_.join();
    close(stop_[0]);
    close(listener_);
}

std::vector<FakeServer::Key> FakeServer::take_keys()
{
    std::lock_guard<std::mutex> guard(lock_);
    std::vector<Key> taken;
    taken.swap(keys_);
    return taken;
}

void FakeServer::play(Script script)
{
    auto next = std::make_shared<const Script>(std::move(script));
    std::lock_guard<std::mutex> guard(lock_);
    script_ = next;
}

std::shared_ptr<const Script> FakeServer::script_now()
{
    std::lock_guard<std::mutex> guard(lock_);
    return script_;
}

/* False when the server is being stopped. */
bool FakeServer::wait_ready(int fd, short events, short &got)
{
    pollfd p[2] = {{fd, events, 0}, {stop_[0], POLLIN, 0}};
    while (poll(p, 2, -1) < 0 && errno == EINTR) {
    }
    got = p[0].revents;
    return p[1].revents == 0;
}

/* Goes on reading meanwhile. False when the client is gone or the server is being stopped. */
bool FakeServer::rest(int fd, milliseconds least, const std::function<bool()> &drain)
{
    pollfd p[2] = {{fd, POLLIN, 0}, {stop_[0], POLLIN, 0}};
    auto end = Clock::now() + least;
    while (Clock::now() < end) {
        if (poll(p, 2, 10) <= 0)
            continue;
        if (p[1].revents || !drain())
            return false;
    }
    return true;
}

/* False when the client is gone or the server is being stopped. */
bool FakeServer::deaf_write(Wire &wire, const std::string &bytes, milliseconds after)
{
    short got;
    for (size_t done = 0; done < bytes.size();) {
        if (!wait_ready(wire.fd(), POLLOUT, got) || (got & (POLLHUP | POLLERR)))
            return false;
        ssize_t n = wire.write(bytes.data() + done, bytes.size() - done);
        if (n < 0 && errno != EAGAIN)
            return false;
        done += n > 0 ? static_cast<size_t>(n) : 0;
    }
    return rest(-1, after, [] { return true; });
}

void FakeServer::serve()
{
    short got;
    while (wait_ready(listener_, POLLIN, got)) {
        int fd = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0)
            continue;
        stalled_ = false;
        requests_ = 0;
        Wire wire(fd);
        const auto script = script_now(); /* as long as this one is served */
        one_client(wire, *script);
        wire.hang_up();
        clients_++;
    }
}

namespace
{

/* What the client says after its handshake, message by message; requests are counted, messages of
 * the push extensions kept. */
class Messages
{
  public:
    void feed(const char *bytes, size_t size)
    {
        struct client_message m;
        struct reason why;
        size_t count;

        data_.append(bytes, size);
        for (;;) {
            size_t drop = std::min(dropped_, data_.size());
            data_.erase(0, drop);
            dropped_ -= drop;
            if (is_of_sound()) {
                if (data_.size() < size_of_sound())
                    return;
                input.append(data_, 0, size_of_sound());
                data_.erase(0, size_of_sound());
                continue;
            }
            switch (client_message_read(reinterpret_cast<const uint8_t *>(data_.data()),
                                        data_.size(), extended, &m, &count, &why)) {
            case MESSAGE_PARTIAL:
                return;
            case MESSAGE_WHOLE:
                break;
            case MESSAGE_REFUSED:
                data_.clear(); /* not ours to judge */
                return;
            }
            requests += m.type == CLIENT_UPDATE_REQUEST;
            if (m.type == CLIENT_KEY)
                keys.push_back({number_at(4), 0, data_[1] != 0});
            if (m.type == CLIENT_QEMU)
                keys.push_back({number_at(4), number_at(8), data_[3] != 0});
            if (m.type == CLIENT_KEY || m.type == CLIENT_QEMU || m.type == CLIENT_POINTER)
                input.append(data_, 0, count);
            if (m.type == CLIENT_CUT_TEXT)
                input.append(data_, 0, TEXT_HEAD);
            if (m.type == CLIENT_ENABLE_CONTINUOUS_UPDATES || m.type == CLIENT_FENCE)
                push.append(data_, 0, count);
            data_.erase(0, count);
            dropped_ = m.dropped;
        }
    }
    unsigned requests = 0;
    bool extended = false; /* pointer events may be so */
    static constexpr size_t TEXT_HEAD = 8;
    std::string push, input;
    std::vector<FakeServer::Key> keys;

  private:
    bool is_of_sound() const
    {
        return data_.size() >= 2 && data_[0] == '\xff' && data_[1] == QEMU_AUDIO;
    }
    size_t size_of_sound() const
    {
        return data_.size() >= 4 && data_[3] == QEMU_AUDIO_SET_FORMAT ? QEMU_AUDIO_FORMAT_BYTES
                                                                      : QEMU_AUDIO_BYTES;
    }
    uint32_t number_at(size_t place) const
    {
        uint32_t n = 0;
        for (size_t i = 0; i < 4; i++)
            n = n << 8 | static_cast<uint8_t>(data_[place + i]);
        return n;
    }

    std::string data_;
    size_t dropped_ = 0; /* bytes still to come that nobody wants */
};

} // namespace

void FakeServer::one_client(Wire &wire, const Script &script)
{
    const int fd = wire.fd();
    std::string early; /* handshake bytes nobody has asked for yet */
    Messages messages;
    unsigned awaited = 0;
    size_t handshake_left = 0;
    for (const auto &s : script)
        if (s.kind == Step::EXPECT)
            handshake_left += s.count;

    /* Reads what is there. False when the client is gone. */
    auto drain = [&] {
        char buffer[65536];
        ssize_t n;
        while ((n = wire.read(buffer, sizeof buffer)) > 0) {
            size_t size = static_cast<size_t>(n), mine = std::min(size, handshake_left);
            early.append(buffer, mine);
            handshake_left -= mine;
            messages.feed(buffer + mine, size - mine);
        }
        requests_ = messages.requests;
        std::lock_guard<std::mutex> guard(lock_);
        keys_.insert(keys_.end(), messages.keys.begin(), messages.keys.end());
        messages.keys.clear();
        return n < 0 && (errno == EAGAIN || errno == EINTR);
    };
    short got;
    for (const auto &step : script) {
        switch (step.kind) {
        case Step::SEND:
        case Step::REPEAT:
            do {
                size_t done = 0;
                while (done < step.bytes.size()) {
                    if (!wait_ready(fd, POLLIN | POLLOUT, got))
                        return;
                    if ((got & (POLLIN | POLLHUP | POLLERR)) && !drain())
                        return;
                    ssize_t n = wire.write(step.bytes.data() + done, step.bytes.size() - done);
                    if (n < 0 && errno != EAGAIN)
                        return;
                    done += n > 0 ? static_cast<size_t>(n) : 0;
                }
            } while (step.kind == Step::REPEAT);
            break;
        case Step::EXPECT:
            while (early.size() < step.count)
                if (!wait_ready(fd, POLLIN, got) || !drain())
                    return;
            early.erase(0, step.count);
            break;
        case Step::AWAIT_REQUEST:
            awaited++;
            while (messages.requests < awaited)
                if (!wait_ready(fd, POLLIN, got) || !drain())
                    return;
            break;
        case Step::AWAIT_PUSH:
            while (messages.push.size() < step.bytes.size())
                if (!wait_ready(fd, POLLIN, got) || !drain())
                    return;
            if (messages.push.compare(0, step.bytes.size(), step.bytes) != 0)
                return;
            messages.push.erase(0, step.bytes.size());
            break;
        case Step::AWAIT_INPUT: {
            size_t at;
            while ((at = messages.input.find(step.bytes)) == std::string::npos)
                if (!wait_ready(fd, POLLIN, got) || !drain())
                    return;
            messages.input.erase(0, at + step.bytes.size());
            break;
        }
        case Step::TAKE_BUTTONS:
            messages.extended = true;
            break;
        case Step::NO_PUSH:
            if (!drain() || !messages.push.empty())
                return;
            break;
        case Step::PAUSE:
            if (!rest(fd, milliseconds(step.count), drain))
                return;
            break;
        case Step::DEAF:
            while (deaf_write(wire, step.bytes, milliseconds(step.count))) {
            }
            return;
        case Step::STALL:
            stalled_ = true;
            while (wait_ready(fd, POLLIN, got) && drain()) {
            }
            return;
        case Step::TLS:
            if (!wire.serve_tls(step.shown, "NORMAL:+ANON-ECDH:+ANON-DH") ||
                !wire.shake([&] { return wait_ready(fd, POLLIN, got); }))
                return;
            break;
        case Step::RESET: {
            linger l = {1, 0};
            setsockopt(fd, SOL_SOCKET, SO_LINGER, &l, sizeof l);
            return;
        }
        }
    }
    /* An orderly end: what was sent has to arrive, so no close with unread bytes. */
    wire.end();
    while (wait_ready(fd, POLLIN, got) && drain()) {
    }
}

} // namespace e2e
