/* What may stand between viewer and server: a machine with sshd, and a repeater of UltraVNC. sshd
 * is the real one. No repeater is packaged, so this one is played here: it does what repeaters do.
 */
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "process.hpp"

namespace e2e
{

/* sshd on loopback for this user, and an ssh that knows it and has a key for it. */
class Gateway
{
  public:
    /* `settings`: more lines of sshd_config. NULL: not installed. */
    static std::unique_ptr<Gateway> start(const std::string &settings = "");

    /* [USER@]HOST:PORT for --via. */
    std::string name() const;
    /* A folder whose `ssh` is ours: it goes in front of a PATH. */
    std::string path(bool with_key = true) const;
    /* The same command, with our ssh in front of its PATH. `with_key`: else it has none. */
    Command use(Command c, bool with_key = true) const;

  private:
    TempDir dir_;
    int port_ = 0;
    std::unique_ptr<Process> sshd_;
};

/* Hands on one connection. In mode I the viewer says which server it wants. In mode II a server has
 * to be there already, with the number that the viewer names. */
class Repeater
{
  public:
    enum Mode { ONE, TWO };
    explicit Repeater(Mode mode);
    ~Repeater();
    Repeater(const Repeater &) = delete;
    Repeater &operator=(const Repeater &) = delete;

    std::string viewer_address() const;
    std::string server_address() const; /* mode II, "HOST:PORT" */
    /* What the viewer has asked for; empty before. */
    std::string asked() const
    {
        return has_asked_ ? asked_ : "";
    }

  private:
    void serve();
    int accept_on(int listener);
    bool read_field(int fd, std::string &out);
    void hand_on(int a, int b);

    Mode mode_;
    int stop_[2], viewers_, servers_;
    std::string asked_; /* written once, before has_asked_ */
    std::atomic<bool> has_asked_{false};
    std::thread thread_;
};

} // namespace e2e
