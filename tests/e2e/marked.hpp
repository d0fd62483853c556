/* A display with marked content on it, and one whose screen can be looked at from outside. */
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "process.hpp"

namespace e2e
{

/* An X client with a thread of its own: frames at a steady rate, with the lab's marks at both ends,
 * and a mark beside them that counts presses of keys and buttons. In the top left corner; takes the
 * focus. */
class MarkedContent
{
  public:
    MarkedContent(const std::string &display, double fps);
    ~MarkedContent();
    MarkedContent(const MarkedContent &) = delete;
    MarkedContent &operator=(const MarkedContent &) = delete;

    int presses() const
    {
        return presses_;
    }

  private:
    void play(double fps);

    std::string display_;
    std::atomic<bool> ready_{false}, stop_{false};
    std::atomic<int> presses_{0};
    std::thread thread_;
};

/* An Xvfb that keeps its pixels in a file. */
struct SeenDisplay {
    SeenDisplay();
    std::string frame_buffer() const
    {
        return dir.file("Xvfb_screen0");
    }
    TempDir dir;
    std::string name;
    std::unique_ptr<Process> xvfb;
};

} // namespace e2e
