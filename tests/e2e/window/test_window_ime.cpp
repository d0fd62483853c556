/* Text from a real input method (IBus) in the real program's window. Its simple engine makes any
 * character of Ctrl+Shift+U, the number, and Enter. */
#include <sys/stat.h>

#include <algorithm>

#include "tests/e2e/check.hpp"
#include "tests/e2e/shown_viewer.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xlib.h>
#include <X11/keysym.h>

using namespace e2e;

namespace
{

constexpr unsigned long HON = 0x0100672c; /* the keysym of U+672C */

bool is_modifier(unsigned long keysym)
{
    return keysym >= XK_Shift_L && keysym <= XK_Hyper_R;
}

bool has_input_method()
{
    bool all = can_run();
    for (const char *program : {"dbus-daemon", "ibus-daemon", "ibus"})
        all = all && !find_program(program).empty();
    return all;
}

/* IBus for the user of a desk, and the viewer as its client. */
class InputMethod
{
  public:
    explicit InputMethod(Desk &desk) : desk_(desk)
    {
        for (const char *folder : {"run", "config", "cache"})
            mkdir(home_.file(folder).c_str(), 0700);
        bus_ = std::make_unique<Process>(
            with_environment({"dbus-daemon", "--session", "--nofork", "--print-address=1"}));
        REQUIRE(wait_until(PATIENCE, [&] { return bus_->out().find('\n') != std::string::npos; }));
        bus_address_ = bus_->out().substr(0, bus_->out().find('\n'));
        daemon_ = std::make_unique<Process>(
            with_environment({"ibus-daemon", "--panel=disable", "--config=disable"}));
        bool up = wait_until(
            PATIENCE,
            [&] {
                return run(with_environment({"ibus", "engine", "xkb:us::eng"})).status == 0;
            },
            milliseconds(100));
        INFO(daemon_->err());
        REQUIRE(up);
    }
    std::unique_ptr<Process> viewer(const std::string &address, const std::string &key_codes)
    {
        Command c = ShownViewer::command(
            desk_.name(), address,
            {"--recent", "off", "--alert-on-fatal-error=off", "--key-codes", key_codes});
        auto process = std::make_unique<Process>(with_environment(c));
        REQUIRE(wait_until(PATIENCE, [&] { return window() != 0; }));
        desk_.give_focus(window());
        return process;
    }
    Desk::Window window()
    {
        return desk_.find_desktop();
    }
    /* What its clients tell it. */
    std::unique_ptr<Process> monitor()
    {
        std::string address = run(with_environment({"ibus", "address"})).out;
        while (!address.empty() && address.back() == '\n')
            address.pop_back();
        return std::make_unique<Process>(with_environment({"dbus-monitor", "--address", address}));
    }

  private:
    Command with_environment(std::vector<std::string> argv)
    {
        Command c;
        c.argv = std::move(argv);
        return with_environment(c);
    }
    Command with_environment(Command c)
    {
        c.env["DISPLAY"] = desk_.name();
        c.env["HOME"] = home_.path();
        c.env["LC_ALL"] = "C.UTF-8";
        c.env["XMODIFIERS"] = "@im=ibus";
        c.env["GSETTINGS_BACKEND"] = "memory";
        c.env["NO_AT_BRIDGE"] = "1";
        c.env["XDG_RUNTIME_DIR"] = home_.file("run");
        c.env["XDG_CONFIG_HOME"] = home_.file("config");
        c.env["XDG_CACHE_HOME"] = home_.file("cache");
        c.unset.push_back("SDL_IM_MODULE");
        c.unset.push_back("IBUS_ADDRESS");
        if (!bus_address_.empty())
            c.env["DBUS_SESSION_BUS_ADDRESS"] = bus_address_;
        return c;
    }

    Desk &desk_;
    TempDir home_;
    std::string bus_address_;
    std::unique_ptr<Process> bus_, daemon_;
};

} // namespace

TEST_CASE("window: what an input method composes arrives once, and its keys do not", "[window]")
{
    auto server = has_input_method() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    for (const char *key_codes : {"off", "on"}) {
        INFO("key codes " << key_codes);
        Desk desk;
        InputMethod method(desk);
        auto viewer = method.viewer(server->address, key_codes);
        std::vector<unsigned long> keys;
        /* Again and again: an engine that starts is slow, and SDL waits 0.3 s and takes the key
         * itself then. The server learns a new keysym, too. */
        bool exact = wait_until(PATIENCE, [&] {
            desk.key(XK_Control_L, true);
            desk.key(XK_Shift_L, true);
            desk.tap(XK_u);
            desk.key(XK_Shift_L, false);
            desk.key(XK_Control_L, false);
            for (KeySym k : {XK_6, XK_7, XK_2, XK_c, XK_Return})
                desk.tap(k);
            keys = server->screen->keys_until(HON, seconds(3)); /* the text is late, not lost */
            for (KeySym k : {XK_b, XK_F5})
                desk.tap(k);
            auto rest = server->screen->keys_until(XK_F5, seconds(5));
            keys.insert(keys.end(), rest.begin(), rest.end());
            keys.erase(std::remove_if(keys.begin(), keys.end(), is_modifier), keys.end());
            return keys == std::vector<unsigned long>{HON, XK_b, XK_F5};
        });
        std::string came;
        for (unsigned long k : keys)
            came += " " + std::to_string(k);
        INFO("came at last:" << came);
        CHECK(exact);
        CHECK(server->screen->wait_key(XK_F5, false, PATIENCE));
    }
}

TEST_CASE("window: an input method is told where the user has clicked", "[window]")
{
    auto server =
        has_input_method() && !find_program("dbus-monitor").empty() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    InputMethod method(desk);
    auto viewer = method.viewer(server->address, "on");
    auto monitor = method.monitor();
    auto at = desk.place(method.window());
    std::string told = "member=SetCursorLocation\n   int32 " + std::to_string(at.x + 123) +
                       "\n   int32 " + std::to_string(at.y + 77) + "\n";
    desk.move(at.x + 123, at.y + 77);
    auto click_until_told = [&] { /* the monitor may come late */
                                  desk.button(1, true);
                                  desk.button(1, false);
                                  return monitor->out().find(told) != std::string::npos;
    };
    CHECK(wait_until(PATIENCE, click_until_told, milliseconds(100)));
}
