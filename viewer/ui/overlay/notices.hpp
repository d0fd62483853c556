/* How the connection stands, in a bar at the top of the window; and messages, small and out of the
 * way. */
#pragma once

#include <deque>
#include <string>

#include "prerequest/tick.h"
#include "rfb/region.h"
#include "viewer/ui/text/fonts.hpp"
#include "viewer/ui/ui.h"
#include "viewer/ui/widgets/widgets.hpp"

namespace kit
{

/* Where a notice lies that nobody has to answer: beside the picture, if there is room. Else in the
 * corner of the window that is farthest from where the person works: from the pointer, and from
 * what has changed last.
 *
 * Pure. All lengths are in pixels of the window.
 */
struct Around {
    int width, height;   /* of the window */
    struct rect picture; /* in the window; empty: there is none */
    struct rect pointer; /* empty: it is elsewhere */
    struct rect change;  /* empty: nothing is known of one */
    struct rect taken;   /* something else is shown there; empty: nothing is */
};

/* For a notice of w x h that keeps `gap` from the edges. `before` is where it has been, and stays
 * unless pointer or change come near; empty: nowhere. */
struct rect notice_place(int w, int h, int gap, const struct Around &around,
                         const struct rect &before);

/* What the person is told for some seconds, one message after another: none is lost because the
 * next one comes.
 *
 * Pure.
 */
class Messages
{
  public:
    /* ns that a message is shown: long enough to read a line twice; and while others wait for their
     * turn: once. */
    static constexpr tick_t ALONE = 8 * TICK_S, OTHERS_WAIT = 4 * TICK_S;
    /* More do not wait: a server that has been taken over may send notices without end. All of them
     * are in the log. Chosen. */
    static constexpr size_t MOST = 20;

    /* UI_EVENT: the text comes after all others, unless it is there already. Of any other topic
     * there is one text: the new one replaces it, an empty one takes it away. True: the one that is
     * shown is another one. */
    bool set(enum ui_topic topic, const std::string &text, tick_t now);
    /* The same. */
    bool time(tick_t now);
    /* Nobody can see the one that is shown: its time has not begun. */
    void hold(tick_t now)
    {
        since_ = now;
    }
    /* When time() has to be told next; TICK_NEVER: nothing is shown. */
    tick_t wait() const;
    /* Empty: none. */
    std::string shown() const
    {
        return list_.empty() ? "" : list_.front().text;
    }

  private:
    struct Message {
        enum ui_topic topic;
        std::string text;
    };

    bool remove(size_t i, tick_t now);

    std::deque<Message> list_; /* the first one is shown */
    tick_t since_ = 0;         /* it is shown */
};

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
     * picture is at `picture`, something else is shown at `taken`, and a page that is open at
     * `page`: a message for which there is no room beside that waits. True: a button was pressed.
     */
    bool build(const Look &look, const Fonts &fonts, const struct rect &picture,
               const struct rect &taken, const struct rect &page, bool buttons, Key key);

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
                       const struct rect &taken, const struct rect &page);

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
    bool hidden_ = false; /* the message waits until the page is closed */
    tick_t moved_at_ = 0; /* it was, because of a change */
    struct rect pointer_ = {};
    struct rect change_ = {};
};

} // namespace kit
