/* What a hostile server does before it has a picture, in front of a person: the page says what is
 * wrong, and can be left. */
#include "attacked.hpp"
#include "tests/e2e/fake_server.hpp"
#include "tests/e2e/scene.hpp"
#include "tests/rfb_peer.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xlib.h>
#include <X11/keysym.h>

using namespace e2e;

namespace
{

const double WINDOW_MOST = 400; /* MB: as in test_hostile_window.cpp */

/* Leaves the page by this key. Nothing was remembered. */
void check_left(Scene &s, KeySym key, int status)
{
    double peak = peak_mb(s.viewer->pid());
    INFO(peak << " MB");
    CHECK(peak < WINDOW_MOST);
    s.desk.tap(key);
    CHECK(s.viewer->wait(PATIENCE) == status);
    CHECK(is_sanitised(s.viewer->err().substr(0, s.viewer->err().find('\n')).c_str()));
    CHECK_FALSE(file_exists(s.home.file("data/vnchl/known_servers")));
}

/* A server with this certificate, as far as the client goes along. */
std::function<void(peer::Peer &)> shows(const peer::Certificate &certificate)
{
    return [&certificate](peer::Peer &p) {
        p.offer_vencrypt(VENCRYPT_X509_NONE);
        p.start_tls(&certificate);
    };
}

} // namespace

TEST_CASE("attack: a window says what security types are not spoken", "[attack-window]")
{
    if (!can_run())
        return;
    std::string list;
    for (unsigned type = 3; type < 256; type++)
        if (type != 18 && type != 19 && type != 30)
            list += u8(type);
    const std::string vencrypt = u8(1) + u8(19), junk(200, '\x16');
    for (const Script &then :
         {Script{send_step(u8(0) + u32(0xffffffff) + junk)},
          Script{send_step(u8(static_cast<unsigned>(list.size())) + list)},
          Script{send_step(u8(1) + u8(2)), expect(1), send_step("too short")},
          Script{send_step(u8(1) + u8(18)), expect(1), send_step(junk)},
          Script{send_step(vencrypt), expect(1), send_step(u8(0) + u8(1) + u8(1))},
          Script{send_step(vencrypt), expect(1), send_step(u8(0) + u8(2)), expect(2),
                 send_step(u8(0) + u8(1) + u32(VENCRYPT_TLS_NONE)), expect(4),
                 send_step(u8(1) + junk)}}) {
        FakeServer server(Script{send_step("RFB 003.008\n"), expect(12)} + then);
        Scene s(server.address(), {"--reconnect", "off"});
        REQUIRE(s.wait_page(true));
        s.desk.tap(XK_Escape);
        REQUIRE(s.wait_question(false)); /* the start window */
        check_left(s, XK_Escape, 1);
    }
}

TEST_CASE("attack: a window shows certificates that deceive", "[attack-window]")
{
    if (!can_run())
        return;
    std::vector<std::string> many;
    for (int i = 0; i < 1000; i++)
        many.push_back("n" + std::to_string(i) + ".example");
    peer::Made deceives{{}}; /* no host beside the common name */
    deceives.name = "localhost\xe2\x80\xae\x1b[31m\x07\n";
    for (const peer::Made &made : {deceives, peer::Made{{"*"}}, peer::Made{many},
                                   peer::Made{{"other.example"}, -7200, -3600}}) {
        peer::Certificate certificate(made);
        peer::Server server(shows(certificate));
        Scene s(server.path());
        INFO(s.viewer->err());
        REQUIRE(s.wait_question(true));
        check_left(s, XK_Return, 0); /* the default is to refuse */
    }
}
