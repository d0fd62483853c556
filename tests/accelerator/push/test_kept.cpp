/* A far end that is kept when ssh has gone: it is found again by the same window, and leaves
 * nothing behind. */
#include <sys/un.h>

#include "kept.hpp"
#include "tests/e2e/shown_viewer.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/keysym.h>

using namespace e2e;
using namespace accelerator;

namespace
{

/* The one that the test has made. x11vnc may look at shapes after a minute only: of that any shape
 * will do. */
bool has_shape(const Server &server, Viewer &viewer)
{
    if (server.name != "TigerVNC")
        return viewer.wait_event(SESSION_CURSOR).has_value();
    return viewer.wait_for(PATIENCE, [&] {
        auto e = viewer.wait_event(SESSION_CURSOR, milliseconds(0));
        return e && e->width == 12 && e->height == 9 && e->hot_x == 3 && e->hot_y == 4;
    });
}

} // namespace

TEST_CASE("kept over --ssh: ssh is killed, and the same window goes on with the same session",
          "[kept]")
{
    for (auto start : {start_tigervnc, start_x11vnc}) {
        auto server = start({});
        if (!server)
            continue;
        INFO(server->name);
        Runtime runtime;
        FarMachine far("export XDG_RUNTIME_DIR=" + runtime.path());
        if (!far.gateway)
            return;
        OurPath path(*far.gateway);
        ViewerOptions o = takes_blocks(server->address);
        o.ssh = far.name();
        o.keep_s = 3600;
        XScreen &screen = *server->screen;
        auto first = std::make_unique<Viewer>(o);
        require_pushed(*first);
        require_first_picture(*first);
        Kept kept(far.pid());
        const std::set<unsigned> connected = connections(*server);
        CHECK(connected.size() == 1);
        CHECK(runtime.files().size() == 1);
        screen.define_cursor(12, 9, 3, 4);
        first->pointer(100, 100, 0);
        REQUIRE(screen.wait_pointer(100, 100, PATIENCE));
        CHECK(has_shape(*server, *first));
        first->key(XK_q, true);
        first->pointer(100, 100, 1);
        REQUIRE(screen.wait_key(XK_q, true, PATIENCE));
        kill_ssh();
        CHECK(first->wait_closed());
        CHECK(screen.wait_key(XK_q, false, PATIENCE));
        CHECK(wait_until(PATIENCE, [&] { return screen.nothing_held(); }));
        first.reset();
        CHECK(is_gone(far.pid()));
        CHECK(kept.lives());
        screen.animate(5);
        Viewer second(o);
        require_pushed(second);
        check_picture(second, screen.capture());
        CHECK(far.says("event=resumed"));
        CHECK(connections(*server) == connected);
        CHECK(std::string(second.stats().name) != "");
        CHECK(has_shape(*server, second));
        screen.animate(5);
        check_picture(second, screen.capture());
        second.key(XK_w, true);
        CHECK(screen.wait_key(XK_w, true, PATIENCE));
        second.key(XK_w, false);
        CHECK(screen.wait_key(XK_w, false, PATIENCE));
        kill_ssh();
        CHECK(second.wait_closed());
        {
            Viewer third(o);
            require_pushed(third);
            CHECK(kept.lives());
        }
        CHECK(kept.gone()); /* the viewer has said goodbye */
        CHECK(runtime.files().empty());
        CHECK(is_gone(far.pid()));
        CHECK(wait_until(PATIENCE, [&] { return connections(*server).empty(); }));
    }
}

TEST_CASE("kept: by its token alone it is found, and another one begins anew", "[kept]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Runtime runtime;
    Stdio first(runtime, server->address, keep());
    auto client = std::make_unique<BlockClient>(first.greeted());
    REQUIRE(client->picture());
    Kept kept(first.pid());
    const std::set<unsigned> connected = connections(*server);
    CHECK(connected.size() == 1);
    SECTION("it has gone")
    {
        client.reset();
        CHECK(first.end() == 0);
    }
    SECTION("it seems to be there: it is cut") {}
    Stdio other(runtime, server->address, keep(OTHER));
    BlockClient stranger(other.greeted());
    REQUIRE(stranger.picture());
    CHECK(stranger.seen.accelerator.find("datagrams") == std::string::npos); /* a pipe has none */
    Kept kept_other(other.pid());
    CHECK(connections(*server).size() == 2);
    CHECK(runtime.files().size() == 2);
    Stdio again(runtime, "::1", keep()); /* the server is not looked for */
    BlockClient second(again.greeted());
    REQUIRE(second.picture());
    CHECK(second.raw.width == 516);
    CHECK(again.await("event=resumed"));
    CHECK(connections(*server).size() == 2);
    if (client) {
        CHECK(client->raw.hear_all().size() < size_t(1 << 24)); /* its end comes */
        CHECK(first.end() == 0);
    }
    second.goodbye();
    CHECK(kept.gone());
    CHECK(again.end() == 0);
    CHECK(runtime.files() == std::vector<std::string>{OTHER});
    stranger.goodbye();
    CHECK(kept_other.gone());
    CHECK(runtime.files().empty());
}

TEST_CASE("kept: a signal, the server's end or the time's leaves no process and no file", "[kept]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Runtime runtime;
    int number = GENERATE(SIGTERM, SIGINT, 0, -1);
    bool there = GENERATE(true, false);
    INFO(number << (there ? ", with a viewer" : ", without one"));
    Stdio first(runtime, server->address, keep(TOKEN, number < 0 ? "1s" : "1h"));
    auto client = std::make_unique<BlockClient>(first.greeted());
    REQUIRE(client->picture());
    Kept kept(first.pid());
    if (number < 0 || !there) {
        client.reset();
        CHECK(first.end() == 0);
    }
    if (number > 0)
        kill(kept.keeper, number);
    else if (number == 0)
        server->stop();
    CHECK(kept.gone());
    CHECK(runtime.await_files(0));
    client.reset();
    first.end();
}

TEST_CASE("kept: ssh hangs up, and what is kept stays; vnchl-accel is told to end, and all ends",
          "[kept]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Runtime runtime;
    Stdio first(runtime, server->address, keep());
    auto client = std::make_unique<BlockClient>(first.greeted());
    REQUIRE(client->picture());
    Kept kept(first.pid());
    SECTION("SIGHUP, also to those that are kept")
    {
        kill(first.pid(), SIGHUP);
        CHECK(first.end() == 0);
        kill(kept.keeper, SIGHUP);
        kill(kept.pushers.at(0), SIGHUP);
        Stdio again(runtime, server->address, keep());
        BlockClient second(again.greeted());
        CHECK(second.picture());
        CHECK(kept.lives());
        second.goodbye();
    }
    SECTION("SIGTERM")
    {
        kill(first.pid(), SIGTERM);
        CHECK(first.end() == 0);
    }
    SECTION("its keeper is killed: what that leaves is replaced")
    {
        kill(kept.keeper, SIGKILL);
        CHECK(is_gone(kept.pushers.at(0)));
        client.reset();
        CHECK(first.end() == 0);
        CHECK(runtime.files().size() == 1);
        Stdio again(runtime, server->address, keep());
        BlockClient second(again.greeted());
        CHECK(second.picture());
        CHECK(again.await("event=kept"));
        second.goodbye();
    }
    CHECK(kept.gone());
    CHECK(runtime.await_files(0));
}

TEST_CASE("kept: nothing is, where nobody wants it or the folder is not this user's alone",
          "[kept]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Runtime runtime, elsewhere;
    std::vector<std::string> options = keep();
    std::string said = "event=not-kept";
    SECTION("off")
    {
        options = keep(TOKEN, "off");
        said = "";
    }
    SECTION("who wants to be asked")
    {
        options.push_back("--ask");
        said = "";
    }
    SECTION("nobody comes again")
    {
        options = {"--keep", "1h"};
        said = "";
    }
    SECTION("a folder that others may write")
    {
        std::filesystem::create_directory(runtime.folder());
        chmod(runtime.folder().c_str(), 0770);
    }
    SECTION("a link")
    {
        std::filesystem::create_directory(elsewhere.folder());
        chmod(elsewhere.folder().c_str(), 0700);
        std::filesystem::create_directory_symlink(elsewhere.folder(), runtime.folder());
    }
    SECTION("a folder around it that others may look into")
    {
        chmod(runtime.path().c_str(), 0755);
    }
    SECTION("another user's folder")
    {
        if (getuid() != 0)
            return;
        std::filesystem::create_directory(runtime.folder());
        chmod(runtime.folder().c_str(), 0700);
        CHECK(chown(runtime.folder().c_str(), 20001, 20001) == 0);
    }
    Stdio first(runtime, server->address, options);
    {
        BlockClient client(first.greeted());
        REQUIRE(client.picture());
        CHECK((said.empty() || first.await(said)));
        CHECK(first.said().find("event=kept") == std::string::npos);
    }
    CHECK(first.end() == 0);
    CHECK(wait_until(PATIENCE, [&] { return connections(*server).empty(); }));
    CHECK(elsewhere.files().empty());
}

TEST_CASE("kept: who listens under the token and is nobody's far end is passed over", "[kept]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Runtime runtime;
    std::filesystem::create_directory(runtime.folder());
    chmod(runtime.folder().c_str(), 0700);
    int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    sockaddr_un at = {};
    at.sun_family = AF_UNIX;
    snprintf(at.sun_path, sizeof at.sun_path, "%s", runtime.socket().c_str());
    std::thread closes;
    SECTION("another user's")
    {
        if (getuid() != 0)
            return;
        /* the kernel notes who begins to listen */
        REQUIRE(bind(listener, reinterpret_cast<sockaddr *>(&at), sizeof at) == 0);
        REQUIRE(seteuid(20001) == 0);
        REQUIRE(listen(listener, 4) == 0);
        REQUIRE(seteuid(0) == 0);
    }
    SECTION("one that ends")
    {
        REQUIRE(bind(listener, reinterpret_cast<sockaddr *>(&at), sizeof at) == 0);
        REQUIRE(listen(listener, 4) == 0);
        closes = std::thread([=] { close(accept(listener, nullptr, nullptr)); });
    }
    SECTION("no socket at all")
    {
        write_file(runtime.socket(), "x");
    }
    Stdio first(runtime, server->address, keep());
    BlockClient client(first.greeted());
    REQUIRE(client.picture());
    CHECK(first.await("event=kept")); /* in its place */
    client.goodbye();
    CHECK(first.end() == 0);
    CHECK(runtime.await_files(0));
    if (closes.joinable())
        closes.join();
    close(listener);
}

TEST_CASE("kept: so many and no more, and what killed ones have left does not count", "[kept]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Runtime runtime;
    std::filesystem::create_directory(runtime.folder());
    chmod(runtime.folder().c_str(), 0700);
    std::vector<int> listeners;
    bool live = GENERATE(true, false);
    for (int i = 0; i < 8; i++) {
        sockaddr_un at = {};
        at.sun_family = AF_UNIX;
        snprintf(at.sun_path, sizeof at.sun_path, "%s",
                 runtime.socket(std::string(FAR_END_TOKEN, char('0' + i))).c_str());
        int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        REQUIRE(bind(fd, reinterpret_cast<sockaddr *>(&at), sizeof at) == 0);
        REQUIRE(listen(fd, 4) == 0);
        listeners.push_back(fd);
        if (!live)
            close(fd);
    }
    Stdio first(runtime, server->address, keep());
    BlockClient client(first.greeted());
    REQUIRE(client.picture());
    CHECK(first.await(live ? "8 far ends of this user are kept already" : "event=kept"));
    CHECK(runtime.await_files(live ? 8 : 1));
    for (int fd : listeners) {
        if (!live)
            break;
        CHECK(accept(fd, nullptr, nullptr) < 0); /* nobody was disturbed */
        close(fd);
    }
    client.goodbye();
    CHECK(first.end() == 0);
    CHECK(runtime.await_files(live ? 8 : 0));
}

TEST_CASE("kept: options that cannot be meant are refused", "[kept]")
{
    auto refused = [](const std::vector<std::string> &arguments, const std::string &cause) {
        Finished f = run(command(arguments));
        INFO(f.err);
        CHECK(f.status.value_or(0) > 0);
        CHECK(f.err.find(cause) != std::string::npos);
        CHECK(f.err.find('\n') == f.err.size() - 1);
    };
    for (const char *time : {"", "x", "1w", "-1", "31d", "9999999999", "1.5h", "12 h"})
        refused({"--once", "--stdio", "--keep", time}, "--keep takes a time such as 90s");
    for (const std::string &token : {std::string("abc"), std::string(32, 'g'), std::string(33, 'a'),
                                     std::string("../") + std::string(29, 'a')})
        refused({"--once", "--stdio", "--resume", token}, "--resume takes 32 hexadecimal digits");
    refused({"--keep", "1h", "--listen", "5910", "--server", "h"}, "go with --stdio");
    refused({"--resume", TOKEN}, "go with --stdio");
}

TEST_CASE("kept: a window connects again by itself, to the same session", "[kept]")
{
    auto server = start_tigervnc({400, 300, {}, true});
    Runtime runtime;
    FarMachine far("export XDG_RUNTIME_DIR=" + runtime.path());
    if (!server || !far.gateway)
        return;
    OurPath path(*far.gateway);
    server->screen->fill(0x6080c0);
    Desk desk;
    {
        ShownViewer window(desk, *server,
                           {"--encodings", ENCODINGS_DEFAULT, "--ssh", far.name(), "--keep", "1h"});
        CHECK(window.wait_shows(Image(400, 300, 0x6080c0)));
        Kept kept(far.pid());
        const std::set<unsigned> connected = connections(*server);
        kill(ssh_of(window.process().pid()), SIGKILL);
        CHECK(is_gone(far.pid()));
        server->screen->draw(0);
        server->screen->settle();
        CHECK(window.wait_shows(server->screen->capture()));
        CHECK(kept.lives());
        CHECK(connections(*server) == connected);
        window.process().signal(SIGTERM); /* it ends on purpose */
        CHECK(window.process().wait(PATIENCE) == 0);
        CHECK(kept.gone());
    }
    CHECK(runtime.await_files(0));
}
