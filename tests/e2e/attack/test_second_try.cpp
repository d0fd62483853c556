/* A server that has shown a certificate is followed by one that shows none, at the same address:
 * whoever stands between could be both. Whatever begins the second attempt, it does not connect. */
#include <atomic>
#include <filesystem>

#include "tests/e2e/fake_server.hpp"
#include "tests/e2e/scene.hpp"
#include "tests/e2e/terminal.hpp"
#include "tests/rfb_peer.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xlib.h>
#include <X11/keysym.h>

using namespace e2e;
using peer::Certificate;
using peer::Peer;

namespace
{

const int W = 600, H = 500;
const std::string QUESTION =
    "Accept this certificate and remember it? (yes/no, or once: only this time): ";

bool has(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

void let_in(Peer &p)
{
    p.write(u32(0));
    p.read(1);
    p.write(handshake(W, H).back().bytes);
}

/* Both servers at one address, which leads to the second one as soon as the first is reached. */
struct Followed {
    enum Breaks { YES, NO };
    TempDir dir, home;
    const std::string address = dir.file("server");
    const Certificate certificate{"localhost"};
    std::atomic<bool> took_the_bait{false};
    peer::Server second{[this](Peer &p) {
        p.write("RFB 003.008\n");
        p.read(12);
        p.write("\1\1");       /* None */
        if (p.read(1) != "\1") /* what a viewer says early to a server that it knows */
            return;
        took_the_bait = true;
        let_in(p);
        p.read_rest();
    }};
    peer::Server first;

    /* `breaks`: the first one is gone as soon as its certificate is accepted. */
    explicit Followed(Breaks breaks)
        : first([this, breaks](Peer &p) {
              p.offer_vencrypt(VENCRYPT_X509_NONE);
              p.start_tls(&certificate);
              lead_to(second);
              if (breaks == YES)
                  return;
              let_in(p);
              p.write(raw_screen(W, H, 0x336699));
              p.read_rest();
          })
    {
        lead_to(first);
    }
    void lead_to(const peer::Server &server) const
    {
        const std::string next = dir.file("next");
        std::filesystem::create_symlink(server.path(), next);
        std::filesystem::rename(next, address);
    }
    std::string known() const
    {
        return home.file("data/vnchl/known_servers");
    }
    Command at_home(Command c) const
    {
        c.env["HOME"] = home.path();
        c.env["XDG_DATA_HOME"] = home.file("data");
        c.env["XDG_STATE_HOME"] = home.file("state");
        return c;
    }
    Command headless(std::vector<std::string> more = {}) const
    {
        more.insert(more.begin(), {"--headless", "--duration", "0.2"});
        more.push_back(address);
        return at_home(vnchl(more));
    }
    void check_refused(const std::string &said) const
    {
        INFO(said);
        CHECK(has(said, "this server showed a certificate before"));
        CHECK(has(said, "remove its lines from "));
        CHECK_FALSE(took_the_bait);
    }
};

/* The program in a window; the certificate is asked about on a terminal, and accepted once. */
struct InWindow {
    Terminal terminal;
    Desk desk;
    Process viewer;

    explicit InWindow(const Followed &f)
        : viewer(f.at_home(terminal.on(ShownViewer::command(
              desk.name(), f.address, {"--ask", "terminal", "--theme", "dark"}))))
    {
        REQUIRE(terminal.asks(QUESTION));
        terminal.type("once\n");
    }
    bool wait(const std::function<bool(const Image &)> &seen)
    {
        return wait_until(PATIENCE, [&] { return seen(desk.capture(desk.find("vnchl"))); });
    }
    bool wait_said(const std::string &part)
    {
        return wait_until(PATIENCE, [&] { return has(viewer.err(), part); });
    }
};

} // namespace

TEST_CASE("second try: a certificate that was accepted once counts in the same run", "[second-try]")
{
    Followed f(Followed::NO);
    Terminal terminal;
    Process p(terminal.on(f.headless({"--compare"})));
    REQUIRE(terminal.asks(QUESTION));
    terminal.type("once\n");
    CHECK(p.wait(PATIENCE) == 1);
    f.check_refused(p.err());
    CHECK_FALSE(file_exists(f.known()));
}

TEST_CASE("second try: one that an authority vouched for counts in the next run", "[second-try]")
{
    Followed f(Followed::NO);
    const bool remembers = GENERATE(true, false);
    Finished run_one =
        run(f.headless({"--x509-ca", f.certificate.file(), "--recent", remembers ? "on" : "off"}));
    INFO(run_one.err);
    REQUIRE(run_one.status == 0);
    if (!remembers) { /* who wants nothing remembered has nothing written down */
        CHECK_FALSE(file_exists(f.known()));
        return;
    }
    CHECK(has(read_file(f.known()), f.address + " 0 vouched 20"));
    f.check_refused(refusal(f.headless()));
}

TEST_CASE("second try: nor does one begin without that which is known of servers", "[second-try]")
{
    Followed f(Followed::NO);
    f.lead_to(f.second);
    std::filesystem::create_directories(f.home.file("data/vnchl"));
    Command c = f.headless();
    SECTION("its line is damaged")
    {
        write_file(f.known(), f.address + " 0 AB:12\n");
        CHECK(has(refusal(c), "line 1 of " + f.known() + " is damaged"));
    }
    SECTION("the environment names no folder")
    {
        c.env.erase("XDG_DATA_HOME");
        c.env.erase("HOME");
        c.unset.insert(c.unset.end(), {"XDG_DATA_HOME", "HOME"});
        CHECK(has(refusal(c), "neither XDG_DATA_HOME nor HOME names a folder. Set HOME"));
    }
    CHECK_FALSE(f.took_the_bait);
}

TEST_CASE("second try: in the window, after a handshake that broke", "[second-try]")
{
    if (!can_run())
        return;
    Followed f(Followed::YES);
    InWindow w(f);
    REQUIRE(w.wait([](const Image &i) { return i.count(WARNING) > 0; }));
    SECTION("try again")
    {
        w.desk.tap(XK_Return);
    }
    SECTION("chosen again in the start window")
    {
        w.desk.tap(XK_Escape);
        REQUIRE(w.wait([](const Image &i) {
            return i.count(WARNING) == 0 && i.count(PANEL) > Scene::QUESTION;
        }));
        w.desk.tap(XK_Return);
    }
    CHECK(w.wait_said("showed a certificate before"));
    f.check_refused(w.viewer.err());
}

TEST_CASE("second try: in the window, connect again", "[second-try]")
{
    if (!can_run())
        return;
    Followed f(Followed::NO);
    InWindow w(f);
    REQUIRE(w.wait([](const Image &i) { return i.count(0x336699) > 100000; }));
    w.desk.give_focus(w.desk.find_desktop());
    w.desk.tap(XK_F8);
    REQUIRE(w.wait([](const Image &i) { return i.count(PANEL) > 20000; }));
    w.desk.tap(XK_n);
    CHECK(w.wait_said("showed a certificate before"));
    f.check_refused(w.viewer.err());
}
