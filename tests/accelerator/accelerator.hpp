/* The accelerator as an administrator starts it, and a client that says exactly what a test wants.
 */
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "rfb/framing/server_framing.h"
#include "rfb/proto/client_messages.h"
#include "rfb/proto/handshake/security.h"
#include "tests/catch.hpp"
#include "tests/e2e/fake_server.hpp"
#include "tests/e2e/process.hpp"
#include "tests/rfb_peer.hpp"
#include "tests/temp_dir.hpp"
#include "tests/wire.hpp"

namespace accelerator
{

inline e2e::Command command(const std::vector<std::string> &arguments)
{
    const char *path = getenv("VNCHL_ACCEL");
    REQUIRE(path);
    static const TempDir state; /* not the user's own */
    e2e::Command c;
    const char *sanitizer = getenv("ASAN_OPTIONS");
    c.env = {{"XDG_STATE_HOME", state.path()},
             /* what was freed is not to look like memory that it holds */
             {"ASAN_OPTIONS", std::string(sanitizer ? sanitizer : "") + ":quarantine_size_mb=1"}};
    c.argv = {path};
    c.argv.insert(c.argv.end(), arguments.begin(), arguments.end());
    return c;
}

/* s, for --handshake-limit where its end is waited for. A client of a slow machine gets so far
 * before it that it is sent away for the right reason. */
const char *const HANDSHAKE_LIMIT = "5";

/* The message of a key. */
const std::string KEY_A("\4\1\0\0\0\0\0a", 8);

/* What client, accelerator and server have between each other. */
struct Mode {
    const char *name;
    uint32_t client, server; /* subtypes of VeNCrypt; 0: no VeNCrypt */
    const char *security;    /* the setting */

    bool piped() const /* the accelerator reads nothing behind the handshake */
    {
        return std::string(security) == "pass";
    }
    std::vector<std::string> options(std::vector<std::string> more = {}) const
    {
        more.insert(more.end(), {"--security", security});
        return more;
    }
};

const Mode NO_TLS = {"no TLS", 0, 0, "server"};
const Mode TLS_ON_BOTH = {"TLS on both legs", VENCRYPT_TLS_NONE, VENCRYPT_TLS_NONE, "server"};
const Mode CERTIFICATES = {"certificates on both legs", VENCRYPT_X509_NONE, VENCRYPT_X509_NONE,
                           "x509"};
const Mode MODES[] = {
    NO_TLS,
    {"TLS towards the viewer", VENCRYPT_TLS_NONE, SECURITY_NONE, "server"},
    TLS_ON_BOTH,
    CERTIFICATES,
    {"TLS passed on", VENCRYPT_TLS_NONE, VENCRYPT_TLS_NONE, "pass"},
};

/* The case in each mode. */
inline Mode each_mode()
{
    return GENERATE(from_range(std::begin(MODES), std::end(MODES)));
}

/* A server's side of it, as e2e::handshake(). */
inline e2e::Script handshake(const Mode &mode, int width, int height)
{
    using namespace e2e;
    static const peer::Certificate certificate("localhost");
    const Script plain = e2e::handshake(width, height);
    if (mode.client == 0)
        return plain;
    const bool tls = mode.server != SECURITY_NONE;
    const std::string list = tls ? u8(1) + u32(mode.server) : u8(2) + u32(mode.client) + u32(1);
    Script script = {plain[0],
                     plain[1],
                     send_step(u8(1) + u8(SECURITY_VENCRYPT)),
                     expect(1),
                     send_step(u8(0) + u8(2)),
                     expect(2),
                     send_step(u8(0) + list),
                     expect(4)};
    if (tls)
        script = script + Script{send_step(u8(1)), tls_step(mode.server == VENCRYPT_X509_NONE
                                                                ? certificate.credentials()
                                                                : nullptr)};
    script.insert(script.end(), plain.begin() + 4, plain.end());
    return script;
}

/* In front of one server. */
class Accelerator
{
  public:
    explicit Accelerator(const std::string &server, const std::vector<std::string> &more = {})
    {
        std::vector<std::string> all = {"--listen", std::to_string(port), "--server", server,
                                        "--state",  state.file("state")};
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
    /* The certificate that it shows. */
    std::string certificate() const
    {
        return state.file("state/certificate.pem");
    }
    size_t count(const std::string &text) const
    {
        const std::string all = process->err();
        size_t n = 0;
        for (size_t at = 0; (at = all.find(text, at)) != std::string::npos; at += text.size())
            n++;
        return n;
    }

    TempDir state;
    int port = e2e::free_port();
    std::unique_ptr<e2e::Process> process;
};

/* For gnutls: nothing but anonymous TLS. */
const char *const ANONYMOUS = "NORMAL:-VERS-TLS1.3:-KX-ALL:+ANON-ECDH:+ANON-DH";

/* Bytes of a client: RFB 3.8, security type None, also inside VeNCrypt and TLS. */
class RawClient
{
  public:
    /* A connection that is there already, and the client's from then on. */
    struct Connected {
        int fd;
    };
    explicit RawClient(Connected there) : wire_(there.fd)
    {
        be_patient();
    }
    /* From 127.0.0.`host`. */
    explicit RawClient(int port, unsigned host = 1)
        : wire_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        sockaddr_in to = e2e::loopback(port), from = e2e::loopback(0);
        from.sin_addr.s_addr = htonl(INADDR_LOOPBACK - 1 + host);
        REQUIRE(bind(wire_.fd(), reinterpret_cast<sockaddr *>(&from), sizeof from) == 0);
        REQUIRE(connect(wire_.fd(), reinterpret_cast<sockaddr *>(&to), sizeof to) == 0);
        be_patient();
    }

    void hang_up()
    {
        wire_.hang_up();
    }
    gnutls_session_t tls() const
    {
        return wire_.tls();
    }
    void send_no_more()
    {
        wire_.end();
    }
    bool say(const std::string &bytes)
    {
        return wire_.write_all(bytes) == bytes.size();
    }
    /* As they are, also inside TLS. */
    bool say_below(const std::string &bytes)
    {
        return wire_.write_below(bytes);
    }
    /* As much of it as is taken before nothing is taken for a second. Returns how much that is. */
    size_t say_what_is_taken(const std::string &bytes)
    {
        timeval limit = {1, 0};
        setsockopt(wire_.fd(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
        return wire_.write_all(bytes);
    }
    /* Exactly so many; fewer when the connection ends. */
    std::string hear(size_t size)
    {
        return wire_.read_all(size);
    }
    /* Bytes that have come and were not heard (of TLS: as they are); -1: the connection has failed.
     */
    ssize_t waits()
    {
        char piece[4096];
        ssize_t n = recv(wire_.fd(), piece, sizeof piece, MSG_DONTWAIT | MSG_PEEK);

        return n < 0 && errno == EAGAIN ? 0 : n > 0 ? n : -1;
    }
    /* All until the end. */
    std::string hear_all()
    {
        std::string out;
        char piece[65536];
        for (ssize_t n; (n = wire_.read(piece, sizeof piece)) > 0;)
            out.append(piece, static_cast<size_t>(n));
        return out;
    }
    /* The first byte says how many of `size` bytes follow. */
    std::string hear_list(size_t size)
    {
        std::string count = hear(1);
        return count.empty() ? "" : hear(size * static_cast<unsigned char>(count[0]));
    }

    /* VeNCrypt up to the list of subtypes; returns it. */
    std::vector<uint32_t> begin()
    {
        const std::string version = e2e::u8(0) + e2e::u8(2);
        hear(12);
        say("RFB 003.008\n");
        if (hear_list(1).empty() || !say(e2e::u8(SECURITY_VENCRYPT)) || hear(2) != version)
            return {};
        say(version);
        std::string answer = hear(1), all = hear_list(4);
        std::vector<uint32_t> list;
        for (size_t at = 0; answer == e2e::u8(0) && at + 4 <= all.size(); at += 4) {
            uint32_t number = 0;
            for (char c : all.substr(at, 4))
                number = number << 8 | static_cast<unsigned char>(c);
            list.push_back(number);
        }
        return list;
    }
    /* Up to where TLS begins. */
    bool choose(uint32_t subtype)
    {
        begin();
        say(e2e::u32(subtype));
        return hear(1) == e2e::u8(1);
    }
    /* The handshake of TLS, anonymous. */
    bool shake(const char *priority = ANONYMOUS)
    {
        return wire_.join_tls(false, priority) && wire_.shake();
    }
    /* The same with whichever certificate is shown. */
    bool shake_with_certificate()
    {
        return wire_.join_tls(true, "NORMAL") && wire_.shake();
    }
    /* Once more. */
    bool shake_again()
    {
        return wire_.shake();
    }

    /* Up to the normal phase. */
    void greet(const Mode &mode = NO_TLS)
    {
        if (mode.client == 0) {
            hear(12);
            say("RFB 003.008\n");
            REQUIRE_FALSE(hear_list(1).empty());
            say(e2e::u8(SECURITY_NONE));
        } else {
            REQUIRE(choose(mode.client));
            REQUIRE((mode.client == VENCRYPT_X509_NONE ? shake_with_certificate() : shake()));
        }
        greet_behind_security();
    }
    void greet_behind_security()
    {
        REQUIRE(hear(4) == std::string(4, '\0'));
        say(e2e::u8(1));
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
                ssize_t n = wire_.read(piece_, sizeof piece_);
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
    void be_patient()
    {
        timeval limit = {std::chrono::seconds(e2e::PATIENCE).count(), 0};
        setsockopt(wire_.fd(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    }
    Wire wire_;
    server_framing framing_ = {};
    uint8_t piece_[65536];
    size_t at_ = 0, size_ = 0;
};

/* A session beside the one that is attacked, through the same accelerator: it has to go on. */
class Bystander
{
  public:
    Bystander() : server_(script()) {}
    /* With which the accelerator has to be started. */
    std::vector<std::string> options(std::vector<std::string> more = {}) const
    {
        more.insert(more.end(), {"--listen", std::to_string(port_), "--server", server_.address(),
                                 "--drain", "0"}); /* the session is there to the end */
        return more;
    }
    void come()
    {
        client_ = std::make_unique<RawClient>(port_);
        client_->greet();
        check();
    }
    void check()
    {
        client_->say(KEY_A);
        CHECK(client_->hear(1) == e2e::bells(1));
    }

  private:
    static e2e::Script script()
    {
        e2e::Script script = e2e::handshake(64, 64);
        for (int i = 0; i < 10; i++)
            script = script + e2e::Script{e2e::await_input(KEY_A), e2e::send_step(e2e::bells(1))};
        return script;
    }

    e2e::FakeServer server_;
    int port_ = e2e::free_port();
    std::unique_ptr<RawClient> client_;
};

struct Beside {
    Bystander other;
};

/* With such a session, which is there to the end. */
class Watched : private Beside, public Accelerator
{
  public:
    explicit Watched(const std::string &server, const std::vector<std::string> &more = {})
        : Accelerator(server, other.options(more))
    {
        other.come();
    }
    ~Watched()
    {
        INFO(process->err());
        CHECK(process->running());
        other.check();
    }
};

/* In a mode, between clients and a server that plays a script behind the handshake. */
struct Scene {
    e2e::FakeServer server;
    Watched a;

    Scene(const Mode &mode, const e2e::Script &script, const std::vector<std::string> &options = {},
          int width = 64)
        : server(handshake(mode, width, 64) + script), a(server.address(), mode.options(options))
    {
    }
};

/* Memory, kB: what is resident now (VmRSS), or was at most (VmHWM). */
inline long memory(const e2e::Process &p, const std::string &which = "VmRSS")
{
    std::istringstream status(e2e::read_file("/proc/" + std::to_string(p.pid()) + "/status"));
    for (std::string line; std::getline(status, line);)
        if (line.compare(0, which.size() + 1, which + ":") == 0)
            return atol(line.c_str() + which.size() + 1);
    return 0;
}

} // namespace accelerator
