/* What somebody on the server can paste. */
#ifndef VNCHL_TESTS_E2E_PASTING_HPP
#define VNCHL_TESTS_E2E_PASTING_HPP

#include <string>

#include "tests/e2e/servers.hpp"
#include "tests/e2e/viewer.hpp"

namespace e2e
{

/* Whether it comes to be this text. */
bool pasted(Server &server, const std::string &text);

/* The same of a text that the viewer sends again and again, another one each time: x11vnc has no
 * window in its first seconds that could own what it was given. */
bool pasted_at_last(Server &server, Viewer &viewer);

} // namespace e2e

#endif
