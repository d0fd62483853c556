/* The real viewer, in a window. */
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "desk.hpp"
#include "servers.hpp"

namespace e2e
{

/* vnchl (path in the environment variable VNCHL), connected and shown. */
class ShownViewer
{
  public:
    ShownViewer(Desk &desk, Server &server, const std::vector<std::string> &more = {});
    /* Only starts it. An error ends it. */
    static std::unique_ptr<Process> start(const std::string &display, const std::string &address,
                                          const std::vector<std::string> &more = {});
    /* The program as it is without options of the tests. Without an address if that is empty. */
    static Command command(const std::string &display, const std::string &address,
                           const std::vector<std::string> &more = {});
    Process &process()
    {
        return *process_;
    }
    Desk::Window window() const
    {
        return window_;
    }
    struct rect place()
    {
        return desk_.place(window_);
    }
    bool wait_size(int w, int h);
    bool wait_shows(const Image &expected);

  private:
    Desk &desk_;
    std::unique_ptr<Process> process_;
    Desk::Window window_ = 0;
};

} // namespace e2e
