#include "messages.hpp"

namespace kit
{

bool Messages::remove(size_t i, tick_t now)
{
    list_.erase(list_.begin() + static_cast<long>(i));
    if (i == 0)
        since_ = now;
    return i == 0;
}

bool Messages::set(enum ui_topic topic, const std::string &text, tick_t now)
{
    size_t i = 0;

    while (i < list_.size() &&
           !(list_[i].topic == topic && (topic != UI_EVENT || list_[i].text == text)))
        i++;
    if (i < list_.size() && list_[i].text == text)
        return false;
    if (i < list_.size() && text.empty())
        return remove(i, now);
    if (i < list_.size()) {
        list_[i].text = text;
        since_ = i == 0 ? now : since_;
        return i == 0;
    }
    if (text.empty() || list_.size() >= MOST)
        return false;
    list_.push_back({topic, text});
    if (list_.size() == 1)
        since_ = now;
    return list_.size() == 1;
}

bool Messages::time(tick_t now)
{
    return now >= wait() && remove(0, now);
}

tick_t Messages::wait() const
{
    if (list_.empty())
        return TICK_NEVER;
    return since_ + (list_.size() == 1 ? ALONE : OTHERS_WAIT);
}

} // namespace kit
