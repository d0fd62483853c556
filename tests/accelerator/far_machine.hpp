/* A machine at the far end of ssh: a real sshd, what its user's shell does before it runs a
 * command, and vnchl-accel in its PATH. Nothing else is there: the package may be installed here.
 */
#pragma once

#include <signal.h>
#include <sys/stat.h>

#include <filesystem>

#include "accelerator.hpp"
#include "tests/e2e/between.hpp"
#include "tests/e2e/program.hpp"
#include "tests/e2e/servers.hpp"

namespace accelerator
{

class FarMachine
{
  public:
    /* `before`: what the shell runs first, in sh. `uid`: the commands run as this user, which only
     * root can arrange; 0: as ours. */
    explicit FarMachine(const std::string &before = "", uid_t uid = 0)
    {
        chmod(dir.path().c_str(), 0755);
        for (const char *folder : {"bin", "home"})
            std::filesystem::create_directory(dir.file(folder));
        chmod(dir.file("home").c_str(), 0777);
        const std::filesystem::path accel = getenv("VNCHL_ACCEL"),
                                    session = accel.parent_path() / "vnchl-session";
        std::filesystem::copy_file(accel, dir.file("real"));
        if (std::filesystem::exists(session)) /* which pushes: not everywhere is one */
            std::filesystem::copy_file(session, dir.file("vnchl-session"));
        std::string become, user = std::to_string(uid);
        if (uid)
            become = "/usr/bin/setpriv --reuid=" + user + " --regid=" + user + " --clear-groups ";
        e2e::write_file(dir.file("shell"),
                        "#!/bin/sh\nexport PATH=" + dir.file("bin") + " HOME=" + dir.file("home") +
                            "\nunset XDG_STATE_HOME\n" + before + "\nexec " + become +
                            "/bin/sh -c \"$SSH_ORIGINAL_COMMAND\"\n",
                        0755);
        /* it says who it is, and what it does */
        install("echo $$ > " + dir.file("home/pid") + "\nexec " + dir.file("real") +
                " \"$@\" --verbose 2> " + dir.file("home/log"));
        gateway = e2e::Gateway::start("ForceCommand " + dir.file("shell") + "\n");
    }
    /* What stands as vnchl-accel in its PATH, in sh; empty: nothing does. */
    void install(const std::string &script) const
    {
        std::filesystem::remove(dir.file("bin/vnchl-accel"));
        if (!script.empty())
            e2e::write_file(dir.file("bin/vnchl-accel"), "#!/bin/sh\n" + script + "\n", 0755);
    }
    /* vnchl-accel as it is. */
    void install_real() const
    {
        install("exec " + dir.file("real") + " \"$@\"");
    }
    /* For --ssh. */
    std::string name() const
    {
        return gateway->name();
    }
    pid_t pid() const
    {
        return atoi(e2e::read_file(dir.file("home/pid")).c_str());
    }
    bool runs() const
    {
        return kill(pid(), 0) == 0;
    }
    std::string log() const
    {
        return e2e::read_file(dir.file("home/log"));
    }
    /* It says so; what a viewer gets may come before the line about it. */
    bool says(const std::string &text) const
    {
        return e2e::wait_until(e2e::PATIENCE,
                               [&] { return log().find(text) != std::string::npos; });
    }

    TempDir dir;
    std::unique_ptr<e2e::Gateway> gateway; /* NULL: there is no sshd */
};

/* This process finds our ssh. */
class OurPath
{
  public:
    explicit OurPath(const e2e::Gateway &gateway) : before_(getenv("PATH"))
    {
        setenv("PATH", (gateway.path() + ":" + before_).c_str(), 1);
    }
    ~OurPath()
    {
        setenv("PATH", before_.c_str(), 1);
    }

  private:
    std::string before_;
};

/* The demo server, as a user's own: at a display of the range in which servers are looked for. */
class UsersServer
{
  public:
    explicit UsersServer(uid_t uid)
    {
        chmod(dir_.path().c_str(), 0755);
        std::filesystem::copy_file(getenv("VNCHL_DEMO_SERVER"), dir_.file("server"));
        for (int tries = 0; tries < 100 && !process_; tries++) {
            display = (static_cast<int>(getpid()) + tries * 7) % 100;
            if (!e2e::port_open(5900 + display))
                start(uid);
        }
        REQUIRE(process_);
    }
    std::string address() const
    {
        return ":" + std::to_string(display);
    }

    int display = 0;

  private:
    void start(uid_t uid)
    {
        e2e::Command c;
        c.argv = {dir_.file("server"), "--port", std::to_string(5900 + display), "--size",
                  "516x388"};
        c.uid = uid;
        process_ = std::make_unique<e2e::Process>(c);
        /* its own word: what is open there may be another one's */
        auto listens = [&] { return process_->out().find("listening on ") != std::string::npos; };
        e2e::wait_until(e2e::PATIENCE, [&] { return listens() || !process_->running(); });
        if (!process_->running()) /* somebody was faster */
            process_.reset();
    }

    TempDir dir_;
    std::unique_ptr<e2e::Process> process_;
};

} // namespace accelerator
