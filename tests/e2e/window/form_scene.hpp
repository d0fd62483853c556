/* The form of options in the real program's window, walked through by keys. */
#pragma once

#include "tests/e2e/fake_server.hpp"
#include "tests/e2e/scene.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/keysym.h>

namespace e2e
{

/* Pixels of the panel: the form has more, every other page fewer. */
inline constexpr long FORM = 160000;

inline std::unique_ptr<Server> form_server(int height = 480)
{
    auto server = can_run() ? start_tigervnc({640, height, {}, true}) : nullptr;

    if (server)
        server->screen->fill(0x204060);
    return server;
}

inline bool wait_form(Scene &s, bool warning = false)
{
    return s.wait([&](const Image &i) {
        return i.count(PANEL) > FORM && i.count(FIELD) > 7000 && (i.count(WARNING) > 0) == warning;
    });
}

inline bool wait_no_form(Scene &s)
{
    return s.wait([](const Image &i) { return i.count(PANEL) < FORM; });
}

inline void tap(Scene &s, unsigned long key, int times)
{
    for (int i = 0; i < times; i++)
        s.desk.tap(key);
}

inline void replace_text(Scene &s, const std::string &text)
{
    s.desk.key(XK_Control_L, true);
    s.desk.tap(XK_a);
    s.desk.key(XK_Control_L, false);
    s.desk.type(text);
}

/* From the field for the address: over three boxes to the button. */
inline void open_form(Scene &s)
{
    tap(s, XK_Tab, 4);
    s.desk.tap(XK_space);
    REQUIRE(wait_form(s));
}

/* From the name. Before the question is answered nothing is written. */
inline void save_in_place_of(Scene &s, const std::string &file, const std::string &lines)
{
    s.desk.tap(XK_Return);
    REQUIRE(wait_form(s, true));
    CHECK(read_file(file) == lines);
    s.desk.tap(XK_Tab); /* to "Replace it" */
    s.desk.tap(XK_space);
    REQUIRE(wait_form(s, false));
}

inline bool has_line(const std::string &file, const std::string &line)
{
    return ("\n" + read_file(file)).find("\n" + line + "\n") != std::string::npos;
}

inline bool wait_title(Scene &s, const std::string &part)
{
    return wait_until(PATIENCE, [&] { return s.title().find(part) != std::string::npos; });
}

} // namespace e2e
