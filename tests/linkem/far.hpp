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
constexpr const char *NEAR_ADDRESS = "10.203.0.1";
constexpr const char *FAR_ADDRESS = "10.203.0.2", *FAR_OTHER_ADDRESS = "10.203.1.2";
constexpr const char *FAR_NAME = "far.test";
/* How the window's title begins while the server is silent, and else. */
constexpr const char *SILENT = "last heard from the server ", *NORMAL = "far - vnchl";

struct FarOptions {
    std::vector<std::string> viewer = {}; /* of vnchl */
    std::vector<std::string> link = {};   /* of vnchl-linkem; without them: a round trip of 40 ms */
    bool by_name = false;                 /* the viewer knows the server's name, not its address */
    bool accelerated = false;             /* vnchl-accel stands before Xvnc, with these options: */
    std::vector<std::string> accelerator = {};
};

class Far
{
  public:
    /* Starts all, and waits until the window shows the server's picture. */
    explicit Far(const FarOptions &options);
    /* `options` are vnchl's. */
    explicit Far(const std::vector<std::string> &options = {}, bool by_name = false);
    ~Far();

    /* One setting of the link: "loss=100%". */
    void set(const std::string &setting);
    void cut();
    void mend();
    /* Cut until the window says so, while the user types, presses this key, and the picture
     * changes; then mended. All of it arrives. */
    void cut_for_a_while(unsigned long key);

    /* Xvnc in the place of the one before, which is ended. */
    void start_server(int width, int height, const std::string &address = FAR_ADDRESS);
    /* vnchl-accel in the place of the one before, which is ended. */
    void start_accelerator();
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
    pid_t accelerator();
    /* A program beside the viewer, on its host, until it has ended. */
    e2e::Finished beside_viewer(const std::vector<std::string> &argv);
    /* The viewer's host has this address instead of the one that it had at first. */
    void move_viewer(const std::string &address);
    /* UDP packets that have come to the viewer's host, or have left it. */
    uint64_t datagrams(bool came);
    /* The server's end of the link takes no larger packets any more. */
    void narrow(unsigned mtu);
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
    void start_link();
    void drop_server();
    void end_accelerator();

    const FarOptions options_;
    e2e::TempDir dir_;
    int control_ = -1;
    std::unique_ptr<e2e::Process> link_; /* and the viewer at its near end */
    std::string display_;                /* the server's */
    std::unique_ptr<e2e::Process> server_, accelerator_;
    std::unique_ptr<e2e::XScreen> screen_;
};

} // namespace lab
