/* The bars at the top of the window, or at its bottom. */
#pragma once

#include <string>

#include "prerequest/tick.h"
#include "viewer/ui/fonts.hpp"
#include "viewer/ui/ui.h"
#include "widgets.hpp"

namespace kit
{

class Notices
{
  public:
    /* NULL: there is none. True: something has changed. */
    bool state(const struct ui_bar *bar, tick_t now, Fonts &fonts);
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
    bool has_buttons() const
    {
        return !accept_.empty() || !cancel_.empty();
    }
    /* Where the pointer is, in pixels. True: the bars have to go elsewhere. */
    bool pointer(float y);

    /* Inside a frame. `buttons`: those of the bar are shown, and `key` may press one. True: one was
     * pressed. */
    bool build(const Look &look, bool buttons, Key key);

    /* Tells which one. */
    void answer();

  private:
    bool place();
    bool build_buttons(const Look &look, Key key);
    bool build_bar(const Look &look, const char *name, const std::string &text, bool buttons,
                   Key key, float &used);

    std::string state_, accept_, cancel_, message_;
    void (*answered_)(void *, enum ui_answer) = nullptr;
    void *owner_ = nullptr;
    enum ui_answer answer_ = UI_CANCELLED;
    tick_t now_ = 0;
    tick_t armed_at_ = TICK_NEVER; /* from then on keys press the buttons */
    tick_t until_ = TICK_NEVER;    /* the message's */
    bool below_ = false;           /* at the bottom of the window */
    float pointer_ = -1;           /* y; below 0: not known */
    float reach_ = 0;              /* how far the bars reach from the edge, with some air */
    float height_ = 0;             /* of the window */
};

} // namespace kit
