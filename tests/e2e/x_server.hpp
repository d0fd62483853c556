/* X servers that say which display they took. */
#pragma once

#include <memory>
#include <string>

#include "process.hpp"

namespace e2e
{

/* Starts the X server that `command` names, and waits until it can be connected to. `display`
 * becomes its name (":12"). Throws when it does not come up. */
std::unique_ptr<Process> start_x_server(Command command, std::string &display);

} // namespace e2e
