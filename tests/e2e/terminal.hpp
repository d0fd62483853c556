/* A terminal for the program, and what a person sees and types there. */
#pragma once

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "program.hpp"

namespace e2e
{

/* A pseudo-terminal, and what was written on it. */
class Terminal
{
  public:
    Terminal() : master_(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK))
    {
        if (master_ < 0 || grantpt(master_) != 0 || unlockpt(master_) != 0)
            throw std::runtime_error("no pseudo-terminal");
        path_ = ptsname(master_);
        /* open meanwhile, so that it does not hang up when the program ends */
        slave_ = open(path_.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    }
    ~Terminal()
    {
        close(slave_);
        close(master_);
    }
    Terminal(const Terminal &) = delete;
    Terminal &operator=(const Terminal &) = delete;

    /* The program with this as its terminal: a session's leader gets the first one that it opens.
     */
    Command run(std::vector<std::string> arguments) const
    {
        return on(vnchl(std::move(arguments)));
    }
    Command on(Command c) const
    {
        c.argv.insert(c.argv.begin(), {"sh", "-c", "exec \"$0\" \"$@\" <" + path_});
        return c;
    }
    /* All that was written on it up to now. */
    const std::string &shown()
    {
        char part[256];
        ssize_t n;
        while ((n = read(master_, part, sizeof part)) > 0)
            shown_.append(part, static_cast<size_t>(n));
        return shown_;
    }
    bool asks(const std::string &question)
    {
        auto ends = [&] {
            const std::string &all = shown();
            return all.size() >= question.size() &&
                   all.compare(all.size() - question.size(), question.size(), question) == 0;
        };
        return wait_until(PATIENCE, ends);
    }
    void type(const std::string &keys)
    {
        if (write(master_, keys.data(), keys.size()) != static_cast<ssize_t>(keys.size()))
            throw std::runtime_error("cannot type");
    }
    /* As a shell wants it. */
    bool as_before() const
    {
        struct termios t;
        const tcflag_t all = ECHO | ICANON | ISIG;
        return tcgetattr(slave_, &t) == 0 && (t.c_lflag & all) == all;
    }

  private:
    int master_, slave_;
    std::string path_, shown_;
};

} // namespace e2e
