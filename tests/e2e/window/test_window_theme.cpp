/* Light and dark as the desktop's settings portal says it, in the real program's window. The portal
 * and its bus are the test's own. */
#include "settings_portal.hpp"
#include "tests/e2e/fake_server.hpp"
#include "tests/e2e/scene.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/keysym.h>

using namespace e2e;

namespace
{

const uint32_t LIGHT_PANEL = 0xffffff; /* of viewer/ui/widgets/look.cpp */

bool has_all()
{
    return can_run() && SettingsPortal::can_run();
}

bool is_dark(const Image &i)
{
    return i.count(GROUND) > 1000 && i.count(PANEL) > 1000 && i.count(LIGHT_GROUND) == 0;
}

bool is_light(const Image &i)
{
    return i.count(LIGHT_GROUND) > 1000 && i.count(LIGHT_PANEL) > 1000 && i.count(GROUND) == 0;
}

} // namespace

TEST_CASE("window: light and dark follow the settings portal, live", "[window][theme]")
{
    if (!has_all())
        return;
    SettingsPortal portal(2);
    Scene s("", {}, portal.environment());
    REQUIRE(s.wait(is_light)); /* without a portal it is dark */
    CHECK(portal.asked() == 1);
    portal.change(1);
    CHECK(s.wait(is_dark));
    portal.change(0); /* no wish: what GNOME says where it is not dark */
    CHECK(s.wait(is_light));
    portal.change(1);
    REQUIRE(s.wait(is_dark));

    SECTION("what is typed stays")
    {
        FakeServer server(handshake(64, 48) +
                          Script{await_request(), send_step(raw_screen(64, 48, 1)), stall()});
        const std::string address = server.address();
        s.desk.type(address.substr(0, 5));
        portal.change(2);
        REQUIRE(s.wait(is_light));
        s.desk.type(address.substr(5));
        s.desk.tap(XK_Return);
        CHECK(s.wait_desktop());
    }
    SECTION("what is no colour scheme changes nothing")
    {
        const Image dark = s.see();
        portal.talk_nonsense();
        portal.change(1); /* heeded after it */
        s.desk.type("a");
        CHECK(s.wait([&](const Image &i) { return i != dark; }));
        CHECK(is_dark(s.see()));
        portal.change(2);
        CHECK(s.wait(is_light));
    }
    SECTION("a bus that ends is no reason to end")
    {
        portal.end();
        s.desk.type("a");
        s.desk.wait_for_program(s.window());
        CHECK(is_dark(s.see()));
        CHECK(s.viewer->running());
        CHECK(s.viewer->err().empty());
    }
    s.desk.close_window(s.window());
    CHECK(s.viewer->wait(PATIENCE) == 0);
}

TEST_CASE("window: what the user says of colours counts more than the portal", "[window][theme]")
{
    if (!has_all())
        return;
    SettingsPortal portal(2);
    auto env = portal.environment();
    SECTION("on the command line")
    {
        Scene s("", {"--theme", "dark"}, env);
        CHECK(s.wait(is_dark));
        s.desk.close_window(s.window());
        CHECK(s.viewer->wait(PATIENCE) == 0);
        CHECK(portal.asked() == 0);
    }
    SECTION("in the environment")
    {
        env["GTK_THEME"] = "Adwaita:dark";
        Scene s("", {}, env);
        REQUIRE(wait_until(PATIENCE, [&] { return portal.asked() == 1; }));
        s.desk.wait_for_program(s.window());
        CHECK(s.wait(is_dark));
    }
}

TEST_CASE("window: a bus without a portal, and one that is not there, leave the window dark",
          "[window][theme]")
{
    if (!has_all())
        return;
    SettingsPortal portal(2);
    auto env = portal.environment();
    portal.end();
    Scene s("", {}, env);
    REQUIRE(s.wait(is_dark));
    s.desk.close_window(s.window());
    CHECK(s.viewer->wait(PATIENCE) == 0);
    CHECK(s.viewer->err().empty());
}
