/* The vnchl program and its companions, run as a user would. */
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "process.hpp"

namespace e2e
{

/* Arguments after the program's name; no display, no password, no options of the user's own and
 * no terminal to ask on. */
Command vnchl(std::vector<std::string> arguments);
Command vnchl_replay(std::vector<std::string> arguments);

/* The process of a viewer's session; 0: there is none now. */
pid_t session_of(pid_t viewer);

/* What a refusal looks like: within `limit`, not 0, one line on stderr that begins "vnchl: ", and
 * nothing on stdout unless a picture had been shown, and so figures are. Returns the line; the
 * caller looks for the cause in it. */
enum class Shown { NO, YES };
std::string refusal(const Command &command, Shown shown = Shown::NO);

/* The program itself, and the two that demonstrate it. Addresses as vnchl takes them. */
struct Demo {
    std::unique_ptr<Process> process;
    int port = 0;
    std::string address() const
    {
        return "127.0.0.1::" + std::to_string(port);
    }
};
Demo start_demo_server(const std::vector<std::string> &arguments = {});
Demo start_demo_link(int to_port, const std::vector<std::string> &arguments);

} // namespace e2e
