/* A session of the accelerator, from its first byte to its end, as fuzzer input: its sockets, TLS
 * on both of them, and all behind it. TLS is real, and so are both peers. The first byte chooses
 * the mode (MODES). Then come pieces, each behind a byte: bit 7 says that the client does it, bits
 * 5 and 6 what it is, the others how long it is, or which control it is.
 *
 * Link with libFuzzer (clang -fsanitize=fuzzer), or with replay.cpp. */
#include <fcntl.h>
#include <sys/un.h>

#include <algorithm>
#include <cstdarg>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "must.hpp"
#include "tests/rfb_peer.hpp"
#include "tools/accelerator/connection/connection.h"
#include "tools/accelerator/events.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace
{

const size_t INPUT_MAX = 4000, HOLD = 64 << 10;

enum Key { NO_KEY, RIGHT_KEY, ANOTHER_KEY };
struct Mode {
    bool ends_tls, certificate;
    Key key;
    bool known; /* there was a session with this server before */
};
const Mode MODES[] = {
    {true, false, NO_KEY, false},     {true, true, NO_KEY, false},
    {false, false, NO_KEY, false},    {true, false, RIGHT_KEY, false},
    {true, true, ANOTHER_KEY, false}, {true, false, NO_KEY, true},
    {true, true, RIGHT_KEY, true},
};

enum Piece { SAY, SAY_MUCH, BELOW, CONTROL };
enum Control {
    TLS_ANONYMOUS,
    TLS_CERTIFICATE,
    WARNING,
    FATAL,
    FAREWELL,
    ANEW,
    NEW_KEYS,
    END,
    HANG_UP,
    CONTROLS
};

unsigned ends; /* lines of the log that say so */

/* What is the same for all inputs. */
struct Ground {
    TempDir dir;
    peer::Certificate certificate{"localhost"};
    uv_loop_t loop;
    identity *me;
    connection_totals totals = {};
    uint8_t scratch[SCRATCH_BYTES];
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    reason why = {};

    Ground()
    {
        sockaddr_un address = {};
        address.sun_family = AF_UNIX;
        dir.file("server").copy(address.sun_path, sizeof address.sun_path - 1);
        me = identity_keep(dir.file("state").c_str(), &why);
        if (!me || uv_loop_init(&loop) != 0 ||
            bind(listener, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0 ||
            listen(listener, 1) != 0)
            throw std::runtime_error("cannot set up");
    }
};

/* A peer of the accelerator, which does as the input says. */
class End
{
  public:
    End(int fd, bool serves) : wire_(fd), serves_(serves)
    {
        fcntl(fd, F_SETFL, O_NONBLOCK);
    }
    void does(Piece piece, const std::string &bytes)
    {
        if (over_ || wire_.fd() < 0)
            return;
        if (piece == BELOW || !wire_.tls())
            wire_.write_below(bytes);
        else if (stands_)
            wire_.write_all(bytes);
    }
    void does(Control which, const peer::Certificate &certificate)
    {
        switch (which) {
        case TLS_ANONYMOUS:
        case TLS_CERTIFICATE:
            begin(which == TLS_CERTIFICATE, certificate);
            return;
        case END:
            shutdown(wire_.fd(), SHUT_WR);
            return;
        case HANG_UP:
            wire_.hang_up();
            return;
        default:
            if (stands_ && wire_.tls())
                inside(which);
        }
    }
    /* Hears all that has come. Whether there was something, or TLS stands now. */
    bool listens()
    {
        char piece[16384];
        ssize_t n;
        size_t before = heard_;
        bool stood = stands_;
        if (wire_.fd() < 0)
            return false;
        if (wire_.tls() && !stands_ && !over_)
            shakes();
        if (wire_.tls() && !stands_)
            return false;
        while (!over_ && (n = wire_.read(piece, sizeof piece)) != 0) {
            over_ = n < 0 && errno != EAGAIN;
            if (n < 0)
                break;
            heard_ += static_cast<size_t>(n);
            inside_ += stands_ ? static_cast<size_t>(n) : 0;
        }
        return heard_ != before || stands_ != stood;
    }
    void hang_up()
    {
        wire_.hang_up();
    }
    bool stands() const
    {
        return stands_;
    }
    /* Through the accelerator, which has then nothing to do with it. */
    bool has_tls_with(const End &other) const
    {
        return !random_.empty() && random_ == other.random_;
    }
    size_t inside() const /* bytes heard there */
    {
        return inside_;
    }

  private:
    void begin(bool certificate, const peer::Certificate &shown)
    {
        if (wire_.tls() || wire_.fd() < 0)
            return;
        if (serves_)
            wire_.serve_tls(certificate ? shown.credentials() : nullptr,
                            "NORMAL:+ANON-ECDH:+ANON-DH");
        else
            wire_.join_tls(certificate,
                           certificate ? "NORMAL" : "NORMAL:-VERS-TLS1.3:-KX-ALL:+ANON-ECDH");
    }
    void shakes()
    {
        int result = gnutls_handshake(wire_.tls());
        gnutls_datum_t random = {}, answer = {};
        gnutls_session_get_random(wire_.tls(), &random, &answer);
        random_.assign(random.data, random.data + random.size); /* both ends of one TLS have it */
        stands_ = result == 0;
        over_ = result < 0 && gnutls_error_is_fatal(result);
    }
    void inside(Control which)
    {
        switch (which) {
        case WARNING:
            gnutls_alert_send(wire_.tls(), GNUTLS_AL_WARNING, GNUTLS_A_USER_CANCELED);
            break;
        case FATAL:
            gnutls_alert_send(wire_.tls(), GNUTLS_AL_FATAL, GNUTLS_A_INTERNAL_ERROR);
            break;
        case FAREWELL:
            gnutls_bye(wire_.tls(), GNUTLS_SHUT_WR);
            break;
        case ANEW:
            if (serves_)
                gnutls_rehandshake(wire_.tls());
            else
                gnutls_handshake(wire_.tls());
            break;
        default:
            gnutls_session_key_update(wire_.tls(), GNUTLS_KU_PEER);
        }
    }

    Wire wire_;
    bool serves_, stands_ = false, over_ = false;
    size_t heard_ = 0, inside_ = 0;
    std::string random_;
};

struct Session {
    Ground &g;
    const Mode &mode;
    connection_options options = {};
    connection_host host = {};
    target server_at = {};
    connection *c;
    std::unique_ptr<End> client, server;

    Session(Ground &ground, const Mode &m) : g(ground), mode(m)
    {
        sockaddr_un address = {};
        sockaddr_storage from = {};
        int pair[2];
        address.sun_family = from.ss_family = AF_UNIX;
        g.dir.file("server").copy(address.sun_path, sizeof address.sun_path - 1);
        memcpy(&server_at.at[0].address, &address, sizeof address);
        server_at.at[0].size = sizeof address;
        server_at.count = server_at.holders = 1;
        server_at.connection = -1;
        server_at.has_key = mode.key != NO_KEY;
        g.certificate.fingerprint().copy(reinterpret_cast<char *>(server_at.key),
                                         sizeof server_at.key);
        server_at.key[0] ^= mode.key == ANOTHER_KEY;
        if (mode.known)
            server_at.inside = {{VENCRYPT_TLS_VNC, VENCRYPT_X509_PLAIN, SECURITY_VNC}, 3};
        options.ends_tls = mode.ends_tls;
        options.certificate = mode.certificate;
        options.accelerate = true;
        options.hold_most = HOLD;
        options.handshake_limit = 3600 * TICK_S;
        host.loop = &g.loop;
        host.options = &options;
        host.totals = &g.totals;
        host.identity = g.me;
        host.scratch = g.scratch;
        host.over = [](connection_host *, connection *) {};
        must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0, "there are sockets");
        fcntl(pair[1], F_SETFL, O_NONBLOCK);
        client = std::make_unique<End>(pair[0], false);
        ends = 0;
        const connection_way way = {false, &server_at, nullptr};
        c = connection_begin(&host, pair[1], &from, 1, &way);
        must(c, "there is memory");
        server = std::make_unique<End>(accept4(g.listener, nullptr, nullptr, SOCK_CLOEXEC), true);
    }
    ~Session()
    {
        client->hang_up();
        server->hang_up();
        for (int i = 0; i < 100 && !over(); i++)
            uv_run(&g.loop, UV_RUN_NOWAIT);
        must(over(), "who has lost both ends is over");
        while (uv_run(&g.loop, UV_RUN_NOWAIT))
            ;
        must(ends == 1, "one line tells of the end");
        must(host.turnstile.count == 0, "no place is kept");
        must(server_at.holders == 1, "the target is left");
    }
    bool over() const
    {
        return LIST_EMPTY(&host.all);
    }
    /* Until nobody has something to say. */
    void settle()
    {
        for (int quiet = 0; quiet < 4;) { /* a handshake has its turns */
            uv_run(&g.loop, UV_RUN_NOWAIT);
            bool of_client = client->listens(), of_server = server->listens();
            quiet = of_client || of_server ? 0 : quiet + 1;
        }
        check();
    }
    void check()
    {
        struct connection_about about = {};
        if (!over())
            ::connection_about(c, &about);
        must(about.held <= HOLD + OWN_PUSH_ANSWERS_MOST + SCRATCH_BYTES, "what is held has an end");
        if (mode.key == ANOTHER_KEY && !client->has_tls_with(*server))
            must(server->inside() == 0, "nothing is said to a server with another key");
        if (mode.key != NO_KEY && client->stands() && !client->has_tls_with(*server))
            must(server->stands(), "behind TLS a pinned server has TLS");
    }
};

} // namespace

/* In the place of the log. */
void event_log(enum event_weight, const char *name, const char *format, ...)
{
    ends += strcmp(name, "end") == 0;
    if (!getenv("VNCHL_FUZZ_VERBOSE"))
        return;
    va_list more;
    va_start(more, format);
    vdprintf(2, (std::string(name) + " " + format + "\n").c_str(), more);
    va_end(more);
}

const char *event_text(char *text)
{
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Ground ground;
    if (size < 1 || size > INPUT_MAX)
        return 0;
    Session s(ground, MODES[data[0] % (sizeof MODES / sizeof *MODES)]);
    for (size_t at = 1; at < size;) {
        End &end = data[at] & 128 ? *s.client : *s.server;
        Piece piece = static_cast<Piece>(data[at] >> 5 & 3);
        size_t length = data[at++] & 31;

        if (piece == CONTROL) {
            end.does(static_cast<Control>(length % CONTROLS), ground.certificate);
        } else {
            length = std::min(piece == SAY_MUCH ? 8 * length : length, size - at);
            end.does(piece, std::string(reinterpret_cast<const char *>(data + at), length));
            at += length;
        }
        s.settle();
    }
    return 0;
}
