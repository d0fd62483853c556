#include "line.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <fstream>

#include "rfb/net/crypto/tls.h"
#include "rfb/system/clock.h"
#include "tests/catch.hpp"

namespace line
{

const std::vector<Kind> KINDS = {{"TCP", true, false},
                                 {"Unix socket", false, false},
                                 {"TLS on TCP", true, true},
                                 {"TLS on a Unix socket", false, true}};

/* ---- Counting ---- */

static Counting &self(transport *t)
{
    return *reinterpret_cast<Counting *>(t);
}

static transport *below(transport *t)
{
    return self(t).below;
}

static const transport_ops COUNTING = {
    [](transport *t, void *out, size_t size) {
        self(t).reads++;
        return below(t)->ops->read(below(t), out, size);
    },
    [](transport *t, const iovec *parts, int count) {
        self(t).writes++;
        return below(t)->ops->write(below(t), parts, count);
    },
    [](transport *t, short events, int wake_fd, tick_t until) {
        self(t).waits++;
        return below(t)->ops->wait(below(t), events, wake_fd, until);
    },
    [](transport *t) { return below(t)->ops->waiting(below(t)); },
    [](transport *t) { return below(t)->ops->unsent(below(t)); },
    [](transport *t, transport_info *info) { below(t)->ops->info(below(t), info); },
    [](transport *t, transport_window *window) { below(t)->ops->window(below(t), window); },
    [](transport *t, int64_t bytes) { return below(t)->ops->set_window(below(t), bytes); },
    [](transport *t, bool on) { transport_set_queue(below(t), on); },
    nullptr, // it is no recording
    nullptr, // nobody hands it on
    nullptr,
    nullptr, // what ends here has no more to say
    nullptr, // and has no key
    [](transport *t) { below(t)->ops->cut(below(t)); },
    [](transport *t) { below(t)->ops->destroy(below(t)); },
};

/* ---- Listener ---- */

Listener::Listener(bool tcp, int backlog)
    : fd_(socket(tcp ? AF_INET : AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0))
{
    sockaddr_in in = {};
    sockaddr_un un = {};
    socklen_t size = sizeof in;
    const int receive_buffer = 65536; /* fixed: who writes has to wait soon */
    in.sin_family = AF_INET;
    in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    un.sun_family = AF_UNIX;
    setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    if (tcp) {
        REQUIRE(bind(fd_, reinterpret_cast<sockaddr *>(&in), sizeof in) == 0);
        REQUIRE(getsockname(fd_, reinterpret_cast<sockaddr *>(&in), &size) == 0);
        text_ = "127.0.0.1::" + std::to_string(ntohs(in.sin_port));
    } else {
        text_ = dir_.emplace().file("socket");
        text_.copy(un.sun_path, sizeof un.sun_path - 1);
        REQUIRE(bind(fd_, reinterpret_cast<sockaddr *>(&un), sizeof un) == 0);
    }
    REQUIRE(listen(fd_, backlog) == 0);
}

Listener::~Listener()
{
    close(fd_);
}

struct address Listener::address() const
{
    struct address a;
    reason why;
    REQUIRE(address_parse(&a, text_.c_str(), &why));
    return a;
}

int Listener::accept() const
{
    return accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC);
}

/* ---- Line ---- */

Line::Line(const Kind &kind, const transport_options &options)
{
    Listener listener(kind.tcp);
    struct address a = listener.address();
    reason why = {};
    counting.below = socket_connect(&a, &options, tick_now() + LONG, -1, &why);
    INFO(why.text);
    REQUIRE(counting.below);
    counting.base.ops = &COUNTING;
    s = stream_create(&counting.base);
    server = std::make_unique<peer::Peer>(listener.accept());
    if (!kind.tls)
        return;
    std::thread other([this] { server->start_tls(nullptr); });
    tls_options options_tls = {};
    struct tls *tls = tls_create(&options_tls, &why);
    const uint8_t *hello;
    size_t size = tls_hello(tls, &hello);
    bool encrypted = stream_write(s, hello, size) && stream_lay(s, tls_begin, tls, &why);
    other.join();
    REQUIRE(encrypted);
}

Line::~Line()
{
    stream_destroy(s);
}

std::string Line::read(size_t size)
{
    std::string out(size, '\0');
    reason why = {};
    bool ok = stream_read(s, &out[0], size, &why);
    INFO(why.text);
    REQUIRE(ok);
    return out;
}

transport_info Line::info()
{
    transport_info i;
    stream_info(s, &i);
    return i;
}

transport_window Line::window()
{
    transport_window w;
    stream_window(s, &w);
    return w;
}

void Line::await(size_t size)
{
    while (stream_waiting(s) < static_cast<int>(size))
        std::this_thread::yield();
}

transport_wake Line::fill_until(int wake_fd, tick_t until)
{
    const std::string piece(TRANSPORT_ROOM, 'x');
    for (;;) {
        transport_wake end = stream_wait_writable(s, wake_fd, until);
        int waits = counting.waits;
        if (end != TRANSPORT_READY || !stream_write(s, piece.data(), piece.size()))
            return end;
        waited_ = waited_ || counting.waits > waits;
        written_ += piece.size();
    }
}

size_t Line::fill()
{
    size_t before;
    do { /* what is on its way may still make room */
        before = written_;
        REQUIRE(fill_until(-1, tick_now() + 50 * TICK_MS) == TRANSPORT_LATE);
    } while (written_ > before);
    CHECK_FALSE(waited_);
    return written_;
}

/* ---- Sleeper ---- */

Sleeper::Sleeper(std::function<void()> work)
{
    thread_ = std::thread([this, work] {
        id_ = gettid();
        work();
        ended_ = true;
    });
    while (state() != 'S' && !ended_)
        std::this_thread::yield();
}

char Sleeper::state() const
{
    std::ifstream stat("/proc/self/task/" + std::to_string(id_) + "/stat");
    std::string text;
    std::getline(stat, text);
    size_t name_end = text.rfind(')');
    return id_ == 0 || name_end == std::string::npos ? '?' : text[name_end + 2];
}

} // namespace line
