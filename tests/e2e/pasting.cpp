#include "tests/e2e/pasting.hpp"

#include "tests/e2e/process.hpp"

namespace e2e
{

namespace
{

bool pasted_within(Server &server, const std::string &text, milliseconds patience)
{
    return wait_until(patience,
                      [&] { return server.screen->ask_clipboard(milliseconds(500)) == text; });
}

} // namespace

bool pasted(Server &server, const std::string &text)
{
    return pasted_within(server, text, PATIENCE);
}

bool pasted_at_last(Server &server, Viewer &viewer)
{
    int sent = 0;
    return wait_until(PATIENCE, [&] {
        const std::string text = "from the viewer " + std::to_string(++sent);
        session_send_cut_text(viewer.raw(), text.c_str());
        return pasted_within(server, text, milliseconds(2000));
    });
}

} // namespace e2e
