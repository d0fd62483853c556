/* How the connection stands, in a bar at the top of the window; and messages, small and out of the
 * way. */
#pragma once

#include <string>

#include "messages.hpp"
#include "place.hpp"
#include "prerequest/tick.h"
#include "viewer/ui/text/fonts.hpp"
#include "viewer/ui/ui.h"
#include "viewer/ui/widgets/widgets.hpp"

namespace kit
{

class Notices
{
  public:
    /* NULL: there is none. True: something has changed. */
    bool state(const struct ui_bar *bar, tick_t now, Fonts &fonts);
    bool message(enum ui_topic topic, const char *text, tick_t now, Fonts &fonts);
    bool time(tick_t now);
    tick_t wait() const
    {
        return messages_.wait();
    }
    bool has_message() const
    {
        return !messages_.shown().empty();
    }
    bool empty() const
    {
        return state_.empty() && !has_message();
    }
    bool has_buttons() const
    {
        return !accept_.empty() || !cancel_.empty();
    }
    bool lets_input_pass() const
    {
        return lets_input_pass_;
    }
    /* Where the pointer is, and what of the picture has changed last, in pixels. True: the message
     * may have to go elsewhere. */
    bool pointer(float x, float y);
    bool changed(const struct rect &where);

    /* Whether this is on the bar with the buttons. */
    bool is_on_bar(float x, float y) const;

    /* Inside a frame. `buttons`: those of the bar are shown, and `key` may press one. The window's
     * picture is at `picture`, and something else is shown at `taken`. True: a button was pressed.
     */
    bool build(const Look &look, const Fonts &fonts, const struct rect &picture,
               const struct rect &taken, bool buttons, Key key);

    /* Tells which one. */
    void answer();

    /* Where the bar and the message were drawn last, in pixels of the window; empty: they were not.
     */
    const struct rect &bar_at() const
    {
        return bar_at_;
    }
    const struct rect &message_at() const
    {
        return message_at_;
    }

  private:
    bool build_buttons(const Look &look, Key key);
    bool build_bar(const Look &look, bool buttons, Key key);
    void build_message(const Look &look, const Fonts &fonts, struct rect picture,
                       const struct rect &taken);

    std::string state_, accept_, cancel_;
    bool lets_input_pass_ = false;
    void (*answered_)(void *, enum ui_answer) = nullptr;
    void *owner_ = nullptr;
    enum ui_answer answer_ = UI_CANCELLED;
    tick_t now_ = 0;
    tick_t armed_at_ = TICK_NEVER; /* from then on keys press the buttons */
    struct rect bar_at_ = {};
    Messages messages_;
    struct rect message_at_ = {};
    tick_t moved_at_ = 0; /* it was, because of a change */
    struct rect pointer_ = {};
    struct rect change_ = {};
};

} // namespace kit
