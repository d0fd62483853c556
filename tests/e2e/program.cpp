#include "program.hpp"

#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

#include "tests/catch.hpp"

namespace e2e
{

static std::string named(const char *variable)
{
    const char *path = getenv(variable);
    if (!path)
        throw std::runtime_error(std::string(variable) + " does not say where the program is");
    return path;
}

Command vnchl(std::vector<std::string> arguments)
{
    Command c;
    c.argv = std::move(arguments);
    c.argv.insert(c.argv.begin(), named("VNCHL"));
    c.env["XDG_DATA_HOME"] = "/dev/null"; /* no folder: nothing is known, nothing remembered */
    c.env["XDG_STATE_HOME"] = "/dev/null";
    c.env["XDG_CONFIG_HOME"] = "/no/such/folder"; /* nobody's own options */
    c.unset = {"DISPLAY", "WAYLAND_DISPLAY", "VNC_PASSWORD", "VNC_USERNAME", "XDG_RUNTIME_DIR"};
    return c;
}

Command vnchl_replay(std::vector<std::string> arguments)
{
    Command c;
    c.argv = std::move(arguments);
    c.argv.insert(c.argv.begin(), named("VNCHL_REPLAY"));
    return c;
}

pid_t session_of(pid_t viewer)
{
    std::vector<pid_t> sessions = children_named(viewer, "vnchl-session");
    return sessions.empty() ? 0 : sessions.front();
}

std::string refusal(const Command &command, Shown shown)
{
    std::string line;
    for (const auto &a : command.argv)
        line += a + " ";
    Finished f = run(command);
    INFO(line << "\nstderr: " << f.err << "\nstdout: " << f.out);
    REQUIRE(f.status); /* otherwise it hangs */
    CHECK(*f.status != 0);
    CHECK(*f.status < 126); /* a signal ended it, or it could not be run */
    CHECK(f.out.empty() == (shown == Shown::NO));
    CHECK(f.err.compare(0, 7, "vnchl: ") == 0);
    CHECK(f.err.size() > 8);
    CHECK(f.err.find('\n') == f.err.size() - 1);
    return f.err;
}

/* Both print "listening on 127.0.0.1:PORT" when they are ready. */
static Demo start(std::vector<std::string> argv)
{
    Command c;
    c.argv = std::move(argv);
    Demo d;
    d.process = std::make_unique<Process>(c);
    const std::string mark = "listening on 127.0.0.1:";
    bool up = wait_until(PATIENCE, [&] {
        std::string said = d.process->out() + d.process->err();
        size_t at = said.find(mark);
        if (at != std::string::npos && said.find('\n', at) != std::string::npos)
            d.port = atoi(said.c_str() + at + mark.size());
        return d.port > 0 || !d.process->running();
    });
    if (!up || !d.port)
        throw std::runtime_error("did not come up: " + c.argv[0] + ": " + d.process->err());
    return d;
}

Demo start_demo_server(const std::vector<std::string> &arguments)
{
    std::vector<std::string> argv = {named("VNCHL_DEMO_SERVER"), "--port", "0"};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    return start(argv);
}

Demo start_demo_link(int to_port, const std::vector<std::string> &arguments)
{
    std::vector<std::string> argv = {named("VNCHL_DEMO_LINK"), "--to",
                                     "127.0.0.1:" + std::to_string(to_port)};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    return start(argv);
}

} // namespace e2e
