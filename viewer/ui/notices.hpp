/* The bars at the top of the window. */
#pragma once

#include <string>

#include "look.hpp"
#include "prerequest/tick.h"
#include "viewer/ui/fonts.hpp"

namespace kit
{

class Notices
{
  public:
    /* NULL: there is none. True: something has changed. */
    bool state(const char *text, Fonts &fonts);
    bool message(const char *text, tick_t now, Fonts &fonts);
    bool time(tick_t now);
    tick_t wait() const
    {
        return until_;
    }
    bool empty() const
    {
        return state_.empty() && message_.empty();
    }
    /* Inside a frame. */
    void build(const Look &look);

  private:
    std::string state_, message_;
    tick_t until_ = TICK_NEVER; /* the message's */
};

} // namespace kit
