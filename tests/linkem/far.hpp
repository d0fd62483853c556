/* A user, the viewer in its window, a link that the test can cut, and Xvnc at its far end. */
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/e2e/desk.hpp"
#include "tests/e2e/servers.hpp"
#include "tests/linkem/lab.hpp"

namespace lab
{

/* Whether Far can be: what is missing is said. `programs` are needed beside X servers. */
bool far_possible(const std::vector<std::string> &programs = {});

/* The same for a server with a name. */
bool far_name_possible();

/* With a name, the server's host has two addresses, and only the viewer knows the name. */
constexpr const char *FAR_ADDRESS = "10.203.0.2", *FAR_OTHER_ADDRESS = "10.203.1.2";
constexpr const char *FAR_NAME = "far.test";

class Far
{
  public:
    /* Starts all, and waits until the window shows the server's picture. `options` are vnchl's.
     * `by_name`: the viewer knows the server's name, not its address. */
    explicit Far(const std::vector<std::string> &options = {}, bool by_name = false);
    ~Far();

    /* One setting of the link: "loss=100%". */
    void set(const std::string &setting);
    void cut();
    void mend();

    /* Xvnc in the place of the one before, which is ended. */
    void start_server(int width, int height, const std::string &address = FAR_ADDRESS);
    /* It does nothing any more, until it is ended. */
    void suspend_server();
    /* Ends it with this signal. */
    void end_server(int signal);
    e2e::XScreen &screen()
    {
        return *screen_;
    }
    /* Xvnc ends the session, as if it had waited for long enough. */
    void disconnect();
    /* Bytes from the viewer that Xvnc has not read. */
    bool server_has_unread();
    /* The name leads to this address from now on. */
    void move_name(const std::string &address);

    pid_t viewer();
    std::string title();
    bool running()
    {
        return link_->running();
    }
    /* What the viewer has said on its standard error. */
    bool said(const std::string &text) const;
    std::string all_said() const
    {
        return link_->err();
    }
    bool wait_said(const std::string &text);
    bool wait_title(const std::string &begin);
    /* The user types Shift until the title begins like this, or begins like this no more. */
    bool typing_until(const std::string &begin, bool begins = true);
    /* The window shows exactly what the server has, in its size. */
    bool wait_exact();
    /* The user closes the window, and the program ends well. */
    void close();

    e2e::Desk desk;
    e2e::Desk::Window window = 0;

  private:
    e2e::Command at_server(const std::vector<std::string> &argv) const;
    void start_link(const std::vector<std::string> &options, bool by_name);
    void drop_server();

    e2e::TempDir dir_;
    int control_ = -1;
    std::unique_ptr<e2e::Process> link_; /* and the viewer at its near end */
    std::string display_;                /* the server's */
    std::unique_ptr<e2e::Process> server_;
    std::unique_ptr<e2e::XScreen> screen_;
};

} // namespace lab
