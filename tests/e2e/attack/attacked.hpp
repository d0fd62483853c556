/* The real program at a hostile server, looked at from outside: how it ends, what it says, how much
 * memory it takes, and what it leaves on the disk. */
#pragma once

#include <string>
#include <vector>

#include "tests/e2e/fake_server.hpp"
#include "tests/e2e/process.hpp"

namespace e2e
{

/* A home of its own for a program that is attacked. All that the program may write lies in folders
 * named vnchl. */
class Home
{
  public:
    Home();
    Command at_home(Command c) const;
    /* Files that are where no file may be: "NAME NAME...", or empty. */
    std::string strays() const;
    bool remembers() const; /* a certificate */

  private:
    TempDir dir_;
};

/* The memory of a process and its children, MB: the most that each has had, added up. */
double peak_mb(pid_t pid);

struct Attacked {
    std::optional<int> status; /* nothing: it hangs */
    std::string out, err;
    double peak;     /* MB */
    bool remembered; /* a certificate was */
};

/* vnchl, headless, with a home of its own, until it ends. It ends by itself after --duration. */
Attacked attack(const std::string &address, const std::vector<std::string> &more = {},
                const std::string &duration = "1000");

/* What of memory a picture takes, MB: the private and the shared one, and that again where a second
 * process has mapped it. */
double picture_mb(int width, int height);

/* Checks what holds for every attack: no crash, no hang, lines that can be shown, at most 200 MB
 * beyond the picture, no stray files. */
void check_unharmed(const Attacked &a, double picture);

/* The same, and it ended by itself: with one line that says why. Returns the line. */
std::string check_refused(const Script &script, double picture = picture_mb(64, 48),
                          const std::vector<std::string> &more = {});

/* The same, and it went on: after `duration` s it ended as it was told to. */
void check_endured(const Script &script, double picture = picture_mb(64, 48),
                   const std::vector<std::string> &more = {}, const std::string &duration = "2");

} // namespace e2e
