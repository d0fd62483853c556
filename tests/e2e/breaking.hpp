/* What the tests of breaking connections share: a relay in front of a server that can be stopped
 * and started again, and what a person sees of that. */
#pragma once

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "check.hpp"
#include "desk.hpp"
#include "program.hpp"

namespace e2e
{

/* Stands between viewer and server, always at the same address. */
class Relay
{
  public:
    Relay() : port_(free_port()) {}
    void start(const Server &to)
    {
        link_ = start_demo_link(to.port, {"--listen", "127.0.0.1:" + std::to_string(port_)});
    }
    Process &process()
    {
        return *link_.process;
    }
    /* Both ends see their connection close. */
    void stop()
    {
        link_.process.reset();
    }
    std::string address() const
    {
        return "127.0.0.1::" + std::to_string(port_);
    }

  private:
    int port_;
    Demo link_;
};

/* The viewer at the relay. */
struct Watched : Server {
    explicit Watched(const Relay &relay)
    {
        address = relay.address();
    }
};

inline bool wait_title(Desk &desk, Desk::Window w, const std::string &part)
{
    bool found =
        wait_until(PATIENCE, [&] { return desk.title(w).find(part) != std::string::npos; });
    if (!found)
        UNSCOPED_INFO("the title is '" << desk.title(w) << "', without '" << part << "'");
    return found;
}

/* The colour is shown, much darker. The upper half may hold a notice. */
inline bool is_dim(const Image &image, uint32_t colour)
{
    for (size_t i = image.pixels.size() / 2; i < image.pixels.size(); i++)
        for (int shift : {0, 8, 16}) {
            uint32_t was = colour >> shift & 255, is = image.pixels[i] >> shift & 255;
            if (is < was / 4 || is > was / 2)
                return false;
        }
    return !image.pixels.empty();
}

inline bool wait_dim(Desk &desk, Desk::Window w, uint32_t colour)
{
    return wait_until(PATIENCE, [&] { return is_dim(desk.capture(w), colour); });
}

/* The key arrives, and none of `never` before it. */
inline void arrives_alone(Server &server, unsigned long key,
                          std::initializer_list<unsigned long> never)
{
    bool wrong = false;
    CHECK(wait_until(PATIENCE, [&] {
        for (unsigned long k : never)
            for (bool press : {true, false})
                wrong = wrong || server.screen->wait_key(k, press, milliseconds(0));
        return server.screen->wait_key(key, true, milliseconds(0));
    }));
    CHECK_FALSE(wrong);
}

} // namespace e2e
