/* A hostile server inside TLS: what it says there, and what it does to TLS itself. */
#include "attacked.hpp"
#include "tests/catch.hpp"
#include "tests/rfb_peer.hpp"

using namespace e2e;
using peer::Certificate;
using peer::Gone;
using peer::Peer;

namespace
{

const unsigned W = 64, H = 48;

/* Records of TLS 1.2, as they are on the wire. */
const std::string CHANGE_CIPHER = std::string("\x14\x03\x03\0\1\1", 6);
const std::string HALF_A_HANDSHAKE = std::string("\x16\x03\x03\0\4\x0b\x7f\xff\xff", 9);
const std::string EMPTY_HANDSHAKE = std::string("\x16\x03\x03\0\0", 5);
const std::string TOO_LARGE = std::string("\x17\x03\x03\xff\xff", 5) + std::string(65535, 'x');
const std::string FORGED = std::string("\x17\x03\x03\0\x30", 5) + std::string(48, 'x');
const std::string NOBODYS = std::string("\x63\x03\x03\0\1x", 6);

void into_tls(Peer &p, const Certificate *certificate)
{
    p.offer_vencrypt(certificate ? VENCRYPT_X509_NONE : VENCRYPT_TLS_NONE);
    p.start_tls(certificate);
}

/* With a picture of its own. */
void connect(Peer &p, const Certificate *certificate)
{
    into_tls(p, certificate);
    p.write(u32(0));
    p.read(1);
    p.write(handshake(W, H).back().bytes);
    p.read(20);
    p.write(raw_screen(W, H, 0x336699));
}

/* Again and again, until the client has gone. */
[[noreturn]] void flood(const std::function<void()> &say)
{
    for (;;)
        say();
}

void must_go_out(ssize_t result)
{
    if (result < 0 && gnutls_error_is_fatal(static_cast<int>(result)))
        throw Gone();
}

/* s: a handshake of a slow machine may take so long. */
const char *const HANDSHAKE = "60";

Attacked attacked_by(const std::function<void(Peer &)> &script, const Certificate *certificate,
                     const std::string &duration = "1000", const std::string &limit = HANDSHAKE)
{
    peer::Server server(script);
    std::vector<std::string> more = {"--connect-timeout", limit};
    if (certificate)
        more.insert(more.end(), {"--x509-ca", certificate->file()});
    Attacked a = attack(server.path(), more, duration);
    INFO("standard error: " << a.err);
    check_unharmed(a, picture_mb(W, H));
    return a;
}

/* It ends by itself, with a line that says why. */
void check_refused_inside(const std::function<void(Peer &)> &script,
                          const Certificate *certificate = nullptr,
                          const std::string &limit = HANDSHAKE)
{
    Attacked a = attacked_by(script, certificate, "1000", limit);
    INFO("standard error: " << a.err);
    CHECK(a.status != 0);
    CHECK(std::count(a.err.begin(), a.err.end(), '\n') == 1);
}

} // namespace

TEST_CASE("attack: TLS ends after any byte inside it", "[attack-tls]")
{
    const std::string whole = u32(0) + handshake(W, H).back().bytes;
    for (size_t n = 0; n < whole.size(); n++)
        for (bool orderly : {false, true}) {
            INFO(n << " bytes, " << (orderly ? "orderly" : "cut"));
            check_refused_inside([&](Peer &p) {
                into_tls(p, nullptr);
                p.write(whole.substr(0, n));
                if (orderly)
                    gnutls_bye(p.tls(), GNUTLS_SHUT_WR);
            });
        }
}

TEST_CASE("attack: messages inside TLS", "[attack-tls]")
{
    Certificate certificate("localhost");
    for (const Certificate *c : std::initializer_list<const Certificate *>{nullptr, &certificate})
        for (const std::string &bytes :
             {std::string("\x63"), update(1) + rectangle(60, 0, 10, 10, ENCODING_RAW),
              update(1) + rectangle(0, 0, 65535, 65535, PSEUDO_DESKTOP_SIZE), cut_text(0xffffffff),
              std::string("\0", 1)})
            check_refused_inside(
                [&](Peer &p) {
                    connect(p, c);
                    p.write(bytes);
                },
                c);
}

TEST_CASE("attack: what is not TLS where TLS is", "[attack-tls]")
{
    Certificate certificate("localhost");
    for (const Certificate *c : std::initializer_list<const Certificate *>{nullptr, &certificate})
        for (const std::string &bytes : {NOBODYS, FORGED, TOO_LARGE, raw_screen(W, H, 1)})
            check_refused_inside(
                [&](Peer &p) {
                    connect(p, c);
                    p.write_below(bytes);
                    p.read_rest();
                },
                c);
}

TEST_CASE("attack: TLS that never comes about ends at the deadline, or before", "[attack-tls]")
{
    for (const std::string &bytes : {std::string(), CHANGE_CIPHER, HALF_A_HANDSHAKE,
                                     EMPTY_HANDSHAKE, TOO_LARGE, FORGED, NOBODYS}) {
        check_refused_inside(
            [&](Peer &p) {
                p.offer_vencrypt(VENCRYPT_TLS_NONE);
                if (bytes.empty())
                    p.read_rest();
                flood([&] { p.write_below(bytes); });
            },
            nullptr, "2");
    }
}

TEST_CASE("attack: TLS that is kept busy", "[attack-tls]")
{
    using Say = std::function<void(Peer &)>;
    const std::vector<std::pair<const char *, Say>> all = {
        {"warnings",
         [](Peer &p) {
             must_go_out(gnutls_alert_send(p.tls(), GNUTLS_AL_WARNING, GNUTLS_A_USER_CANCELED));
         }},
        {"empty records", [](Peer &p) { must_go_out(gnutls_record_send(p.tls(), "", 0)); }},
        {"records of a byte", [](Peer &p) { p.write(bells(1)); }},
        {"wants to begin anew", [](Peer &p) { must_go_out(gnutls_rehandshake(p.tls())); }},
        {"new keys",
         [](Peer &p) {
             must_go_out(gnutls_session_key_update(p.tls(), GNUTLS_KU_PEER));
             p.write(bells(1));
         }},
    };
    Certificate certificate("localhost");
    for (const Certificate *c : std::initializer_list<const Certificate *>{nullptr, &certificate})
        for (const auto &[name, say] : all) {
            INFO(name << (c ? " in TLS 1.3" : " in TLS 1.2"));
            bool begun = false;
            attacked_by(
                [&](Peer &p) {
                    connect(p, c);
                    begun = true;
                    flood([&] { say(p); });
                },
                c, "1");
            CHECK(begun);
        }
}
