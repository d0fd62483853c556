/* Waits for the events of a session. */
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>

#include "rfb/session/session.h"
#include "tests/expect.hpp"

namespace peer
{

struct Free {
    void operator()(void *p) const
    {
        free(p);
    }
};
using Event = std::unique_ptr<struct session_event, Free>;

inline std::string text(const Event &e)
{
    const char *text = session_event_text(e.get());
    return text ? text : "";
}

/* Stays where it is as long as the session lives. */
class Events
{
  public:
    /* Before the session is made. */
    void hear_of(struct session_hooks &h)
    {
        h.callbacks.wake = wake;
        h.callbacks.user = this;
    }
    Event next(session *s)
    {
        std::unique_lock<std::mutex> hold(lock_);
        Event e;
        bool came = woken_.wait_for(hold, LIMIT, [&] {
            e.reset(session_next_event(s));
            return e != nullptr;
        });
        EXPECT(came);
        EXPECT(session_event_valid(e.get(), sizeof *e + e->size));
        return e;
    }

  private:
    static constexpr auto LIMIT = std::chrono::seconds(120); // only a hang takes so long
    static void wake(void *user)
    {
        auto events = static_cast<Events *>(user);
        std::lock_guard<std::mutex> hold(events->lock_);
        events->woken_.notify_all();
    }
    std::mutex lock_;
    std::condition_variable woken_;
};

} // namespace peer
