/* What the person is told for some seconds, one message after another: none is lost because the
 * next one comes.
 *
 * Pure.
 */
#pragma once

#include <deque>
#include <string>

#include "prerequest/tick.h"
#include "viewer/ui/ui.h"

namespace kit
{

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

} // namespace kit
