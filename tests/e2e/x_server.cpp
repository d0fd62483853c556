#include "x_server.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <stdexcept>

namespace e2e
{

std::unique_ptr<Process> start_x_server(Command command, std::string &display)
{
    int pipes[2];
    if (pipe2(pipes, O_CLOEXEC) != 0)
        throw std::runtime_error("pipe failed");
    command.argv.insert(command.argv.begin() + 1, {"-displayfd", std::to_string(pipes[1])});
    command.display_fd = pipes[1];
    auto server = std::make_unique<Process>(command);
    close(pipes[1]);
    display = ":";
    char byte;
    while (read(pipes[0], &byte, 1) == 1 && byte != '\n')
        display += byte;
    close(pipes[0]);
    if (display == ":")
        throw std::runtime_error(command.argv[0] + " did not come up: " + server->err());
    return server;
}

} // namespace e2e
