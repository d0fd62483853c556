/* Layouts of the user's keyboard in the real program's window: what arrives at a server that goes
 * by keysyms, with and without codes of keys, and at one that goes by codes. */
#include <algorithm>
#include <map>

#include "tests/e2e/check.hpp"
#include "tests/e2e/shown_viewer.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xlib.h>
#include <X11/keysym.h>

using namespace e2e;

namespace
{

using Keysyms = std::vector<unsigned long>;

struct Stroke {
    KeySym key;
    KeySym held; /* while the key is tapped; 0: none */
};

/* What the user does, and what arrives: where the server goes by keysyms it is what was typed,
 * where it goes by codes it is each key as the server's layout, the same one, has it. */
struct Typed {
    const char *layout;
    std::vector<Stroke> strokes;
    Keysyms by_keysym, by_code;
};

const KeySym ALT_GR = XK_ISO_Level3_Shift;

const std::vector<Typed> &all()
{
    static const std::vector<Typed> list = {
        {"us", {{XK_a, 0}}, {XK_a}, {XK_a}},
        {"us", {{XK_1, XK_Shift_L}}, {XK_exclam}, {XK_exclam}},
        {"us", {{XK_c, XK_Control_L}}, {XK_c}, {XK_c}},
        {"us", {{XK_x, XK_Alt_L}}, {XK_x}, {XK_x}},
        {"us(intl)", {{XK_q, ALT_GR}}, {XK_adiaeresis}, {XK_adiaeresis}},
        {"us(intl)", {{XK_dead_acute, 0}, {XK_e, 0}}, {XK_eacute}, {XK_dead_acute, XK_e}},
        {"de", {{XK_z, 0}}, {XK_z}, {XK_z}},
        {"de", {{XK_odiaeresis, XK_Shift_L}}, {XK_Odiaeresis}, {XK_Odiaeresis}},
        {"de", {{XK_ssharp, 0}}, {XK_ssharp}, {XK_ssharp}},
        {"de", {{XK_q, ALT_GR}}, {XK_at}, {XK_at}},
        {"de", {{XK_e, ALT_GR}}, {XK_EuroSign}, {XK_EuroSign}},
        {"de", {{XK_dead_acute, 0}, {XK_e, 0}}, {XK_eacute}, {XK_dead_acute, XK_e}},
        {"fr", {{XK_a, 0}}, {XK_a}, {XK_a}},
        {"fr", {{XK_eacute, 0}}, {XK_eacute}, {XK_eacute}},
        {"fr", {{XK_eacute, XK_Shift_L}}, {XK_2}, {XK_2}},
        {"fr", {{XK_agrave, ALT_GR}}, {XK_at}, {XK_at}},
        {"fr", {{XK_dead_circumflex, 0}, {XK_o, 0}}, {XK_ocircumflex}, {XK_dead_circumflex, XK_o}},
        {"ru", {{XK_Cyrillic_ef, 0}}, {XK_Cyrillic_ef}, {XK_Cyrillic_ef}},
        {"ru", {{XK_Cyrillic_io, XK_Shift_L}}, {XK_Cyrillic_IO}, {XK_Cyrillic_IO}},
        {"ru", {{XK_Cyrillic_es, XK_Control_L}}, {XK_c}, {XK_Cyrillic_es}}, /* where C is */
        {"jp", {{XK_at, 0}}, {XK_at}, {XK_at}},
        {"jp", {{XK_2, XK_Shift_L}}, {XK_quotedbl}, {XK_quotedbl}},
        {"jp", {{XK_Henkan_Mode, 0}}, {XK_Henkan_Mode}, {XK_Henkan_Mode}},
        {"jp", {{XK_bar, XK_Shift_L}}, {XK_bar}, {XK_bar}},
    };
    return list;
}

bool is_modifier(unsigned long keysym)
{
    return (keysym >= XK_Shift_L && keysym <= XK_Hyper_R) ||
           (keysym >= XK_ISO_Lock && keysym <= XK_ISO_Last_Group_Lock) || keysym == XK_Mode_switch;
}

std::string text(const Keysyms &keys)
{
    std::string out;
    for (unsigned long k : keys)
        out += (out.empty() ? "" : " ") + keysym_name(k);
    return out;
}

/* Types it, and then F5, until that is what arrives: a keysym that is new to the server is known
 * there from the second time on. */
void check_arrives(Desk &desk, Server &server, const std::vector<Stroke> &strokes, Keysyms expected)
{
    Keysyms keys;
    expected.push_back(XK_F5);
    bool exact = wait_until(PATIENCE, [&] {
        for (const Stroke &s : strokes) {
            if (s.held)
                desk.key(s.held, true);
            desk.tap(s.key);
            if (s.held)
                desk.key(s.held, false);
        }
        desk.tap(XK_F5);
        keys = server.screen->keys_until(XK_F5, seconds(10));
        keys.erase(std::remove_if(keys.begin(), keys.end(), is_modifier), keys.end());
        return keys == expected;
    });
    INFO("arrives: " << text(keys) << "; expected: " << text(expected));
    CHECK(exact);
    CHECK(wait_until(PATIENCE, [&] { return server.screen->nothing_held(); }));
}

/* The layout at the server; ITS_OWN: the one that it was started with. */
enum class There { US, SAME, ITS_OWN };

/* One viewer for each layout. */
void check_all(Server &server, const std::vector<Typed> &list, There there, bool by_code,
               const std::vector<std::string> &options)
{
    Desk desk;
    std::string layout;
    std::unique_ptr<ShownViewer> viewer;
    for (const Typed &t : list) {
        INFO("layout " << t.layout);
        if (t.layout != layout) {
            layout = t.layout;
            viewer.reset();
            REQUIRE(desk.layout(layout));
            if (there != There::ITS_OWN)
                set_layout(server, there == There::SAME ? layout : "us");
            viewer = std::make_unique<ShownViewer>(desk, server, options);
            desk.give_focus(viewer->window());
        }
        check_arrives(desk, server, t.strokes, by_code ? t.by_code : t.by_keysym);
    }
}

} // namespace

TEST_CASE("window: what layouts type arrives at a server that goes by keysyms", "[window]")
{
    for (const char *codes : {"on", "off"}) {
        INFO("key codes " << codes);
        auto server = can_run() ? start_tigervnc() : nullptr;
        if (!server)
            return;
        check_all(*server, all(), There::US, false, {"--key-codes", codes});
    }
}

TEST_CASE("window: keys of all layouts arrive at a server that goes by codes", "[window]")
{
    auto server = can_run() ? start_tigervnc({516, 388, {"-RawKeyboard"}, true}) : nullptr;
    if (!server)
        return;
    check_all(*server, all(), There::SAME, true, {});
}

TEST_CASE("window: what layouts type arrives at x11vnc, which knows keysyms only", "[window]")
{
    /* It knows only the keysyms that its own layout has. */
    std::map<std::string, std::vector<Typed>> known;
    for (const Typed &t : all())
        if (t.by_keysym == t.by_code)
            known[t.layout].push_back(t);
    /* A key that is down while its layout changes would stay down there. */
    for (const auto &[layout, typed] : known) {
        auto server = can_run() ? start_x11vnc({516, 388, {}, true, layout}) : nullptr;
        if (!server)
            return;
        check_all(*server, typed, There::ITS_OWN, false, {});
    }
}

TEST_CASE("window: a switch of the layout leaves no key down", "[window]")
{
    for (const char *codes : {"on", "off"}) {
        INFO("key codes " << codes);
        auto server = can_run() ? start_tigervnc() : nullptr;
        if (!server)
            return;
        Desk desk;
        for (auto [option, first, second] :
             {std::tuple("grp:alt_shift_toggle", XK_Alt_L, XK_Shift_L),
              std::tuple("grp:ctrl_shift_toggle", XK_Control_L, XK_Shift_L),
              std::tuple("grp:caps_toggle", XK_ISO_Next_Group, 0)}) {
            INFO(option);
            REQUIRE(desk.layout("us,ru", option));
            ShownViewer viewer(desk, *server, {"--key-codes", codes});
            desk.give_focus(viewer.window());
            auto toggle = [&, first = first, second = second] {
                desk.key(first, true);
                if (second)
                    desk.tap(second);
                desk.key(first, false);
            };
            toggle();
            check_arrives(desk, *server, {{XK_a, 0}}, {XK_Cyrillic_ef});
            toggle();
            check_arrives(desk, *server, {{XK_a, 0}}, {XK_a});
            CHECK((server->screen->locks() & LockMask) == 0);
            REQUIRE(desk.layout("us", ""));
        }
    }
}

TEST_CASE("window: nothing stays down at the server, wherever the focus goes", "[window]")
{
    for (const char *codes : {"on", "off"}) {
        INFO("key codes " << codes);
        auto server = can_run() ? start_tigervnc() : nullptr;
        if (!server)
            return;
        Desk desk;
        ShownViewer viewer(desk, *server, {"--key-codes", codes});
        Desk::Window other = desk.other_window();
        desk.give_focus(viewer.window());
        auto hold = [&](bool down) {
            for (KeySym k : {XK_Control_L, XK_Shift_R, XK_a, XK_Left, XK_KP_Add})
                desk.key(k, down);
        };
        hold(true);
        CHECK(server->screen->wait_key(XK_KP_Add, true, PATIENCE));
        CHECK_FALSE(server->screen->nothing_held());
        desk.give_focus(other);
        CHECK(wait_until(PATIENCE, [&] { return server->screen->nothing_held(); }));
        hold(false);
        desk.give_focus(viewer.window());
        check_arrives(desk, *server, {{XK_b, 0}}, {XK_b});

        /* the viewer's own keys: what is held of them was the server's before */
        for (KeySym own : {XK_g, XK_g, XK_Return, XK_Return}) {
            INFO("Ctrl+Alt+" << text({own}));
            desk.key(XK_Control_L, true);
            desk.key(XK_Alt_L, true);
            CHECK(server->screen->wait_key(XK_Alt_L, true, PATIENCE));
            desk.tap(own);
            desk.key(XK_Alt_L, false);
            desk.key(XK_Control_L, false);
            check_arrives(desk, *server, {{XK_b, 0}}, {XK_b});
        }
    }
}
