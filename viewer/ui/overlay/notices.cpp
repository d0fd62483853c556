#include "notices.hpp"

#include <algorithm>
#include <cmath>

#include "viewer/ui/text/text.hpp"
#include "viewer/ui/widgets/toolkit.hpp"

namespace kit
{

/* ---- where one lies ---- */

namespace
{

const double FAR = 1e9;

bool is_empty(const struct rect &r)
{
    return r.w < 1 || r.h < 1;
}

/* Between two rectangles; FAR where one is empty, 0 where they meet. */
double distance(const struct rect &a, const struct rect &b)
{
    if (is_empty(a) || is_empty(b))
        return FAR;
    const int x = std::max({a.x - (b.x + b.w), b.x - (a.x + a.w), 0}),
              y = std::max({a.y - (b.y + b.h), b.y - (a.y + a.h), 0});

    return std::hypot(x, y);
}

/* How far it is from where the person works. */
double freedom(const struct rect &at, const struct Around &a)
{
    return std::min(distance(at, a.pointer), distance(at, a.change));
}

/* In the middle of the strip below the picture, above, right or left of it. */
bool beside_picture(int w, int h, int gap, const struct Around &a, struct rect *out)
{
    const struct rect &p = a.picture;
    const struct rect strips[] = {{0, p.y + p.h, a.width, a.height - p.y - p.h},
                                  {0, 0, a.width, p.y},
                                  {p.x + p.w, 0, a.width - p.x - p.w, a.height},
                                  {0, 0, p.x, a.height}};

    for (const struct rect &s : strips) {
        *out = {s.x + (s.w - w) / 2, s.y + (s.h - h) / 2, w, h};
        if (w + 2 * gap <= s.w && h <= s.h && distance(*out, a.taken) > 0)
            return true;
    }
    return false;
}

} // namespace

struct rect notice_place(int w, int h, int gap, const struct Around &a, const struct rect &before)
{
    const int right = a.width - gap - w, bottom = a.height - gap - h;
    const struct rect corners[] = {
        {right, bottom, w, h}, {gap, bottom, w, h}, {right, gap, w, h}, {gap, gap, w, h}};
    struct rect best = corners[0];
    double most = -1;

    if (!is_empty(a.picture) && beside_picture(w, h, gap, a, &best))
        return best;
    for (const struct rect &c : corners) {
        /* menus and tabs are at the top: a corner there has to be clearly better */
        const double dear = c.y == bottom ? 0 : 4.0 * h,
                     free = distance(c, a.taken) > 0 ? std::max(freedom(c, a) - dear, 0.0) : -1;
        const bool stays = c.x == before.x && c.y == before.y && before.w == w && before.h == h;

        if (stays && free > 2.0 * h)
            return c;
        if (free > most) {
            most = free;
            best = c;
        }
    }
    return best;
}

/* ---- messages ---- */

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

/* ---- the bar, and what is shown ---- */

namespace
{

/* What was typed for the server when the connection broke is no answer. Chosen: a word's time. */
const tick_t ARMING_TIME = TICK_S;

/* ns between two moves of a message because of what changes below it. Chosen. */
const tick_t MOVE_PERIOD = 2 * TICK_S;

/* Pixels of an ordinary display: a longer message has several lines. */
const float MESSAGE_WIDTH = 320;

std::string taken(const char *text, Fonts &fonts)
{
    fonts.need(text);
    return text ? text : "";
}

} // namespace

bool Notices::state(const struct ui_bar *bar, tick_t now, Fonts &fonts)
{
    const struct ui_bar none = {};
    const struct ui_bar &b = bar ? *bar : none;
    const bool had_buttons = has_buttons();
    const std::string text = sentence(taken(b.text, fonts).c_str()),
                      accept = taken(b.accept, fonts), cancel = taken(b.cancel, fonts);
    const bool same = text == state_ && accept == accept_ && cancel == cancel_;

    state_ = text;
    accept_ = accept;
    cancel_ = cancel;
    lets_input_pass_ = b.lets_input_pass;
    answered_ = b.answered;
    owner_ = b.owner;
    now_ = now;
    if (!has_buttons())
        armed_at_ = TICK_NEVER;
    else if (!had_buttons)
        armed_at_ = now + ARMING_TIME;
    return !same;
}

bool Notices::message(enum ui_topic topic, const char *text, tick_t now, Fonts &fonts)
{
    return messages_.set(topic, sentence(taken(text, fonts).c_str()), now);
}

bool Notices::time(tick_t now)
{
    now_ = now;
    if (hidden_)
        messages_.hold(now);
    return messages_.time(now);
}

static bool meet(const struct rect &a, const struct rect &b)
{
    const struct rect both = rect_intersect(a, b);

    return both.w > 0 && both.h > 0;
}

/* Whether what is at `r` is so near to the message that it may be hidden. */
static bool is_near(const struct rect &message, const struct rect &r)
{
    const struct rect around = {message.x - 2 * message.h, message.y - 2 * message.h,
                                message.w + 4 * message.h, message.h * 5};

    return meet(around, r);
}

bool Notices::pointer(float x, float y)
{
    pointer_ = {static_cast<int>(x), static_cast<int>(y), 1, 1};
    return has_message() && is_near(message_at_, pointer_);
}

/* It moves once in a while only: more would be worse than what it hides. */
bool Notices::changed(const struct rect &where)
{
    change_ = where;
    if (!has_message() || !is_near(message_at_, where) || now_ - moved_at_ < MOVE_PERIOD)
        return false;
    moved_at_ = now_;
    return true;
}

bool Notices::is_on_bar(float x, float y) const
{
    const struct rect at = {static_cast<int>(x), static_cast<int>(y), 1, 1};

    return has_buttons() && meet(bar_at_, at);
}

bool Notices::build_buttons(const Look &look, Key key)
{
    bool accepted = false, cancelled = false;

    if (!accept_.empty()) {
        ImGui::PushStyleColor(ImGuiCol_Button, look.accent);
        ImGui::PushStyleColor(ImGuiCol_ButtonHovered, look.accent_hover);
        ImGui::PushStyleColor(ImGuiCol_ButtonActive, look.accent_hover);
        ImGui::PushStyleColor(ImGuiCol_Text, look.on_accent);
        accepted = ImGui::Button(accept_.c_str());
        ImGui::PopStyleColor(4);
    }
    if (!accept_.empty() && !cancel_.empty())
        ImGui::SameLine();
    if (!cancel_.empty())
        cancelled = ImGui::Button(cancel_.c_str());
    if (now_ >= armed_at_) {
        accepted = accepted || (key == Key::ENTER && !accept_.empty());
        cancelled = cancelled || (key == Key::CANCEL && !cancel_.empty());
    }
    answer_ = accepted ? UI_ACCEPTED : UI_CANCELLED;
    return accepted || cancelled;
}

/* What lies above the picture has square corners: nothing shines through (ui_covers()). */
static void begin_window(const char *name, ImVec2 at, ImVec2 pivot, bool takes_input)
{
    ImGui::SetNextWindowPos(at, ImGuiCond_Always, pivot);
    ImGui::Begin(name, nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav |
                     (takes_input ? 0 : ImGuiWindowFlags_NoInputs));
}

bool Notices::build_bar(const Look &look, bool buttons, Key key)
{
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float margin = 12 * look.unit;
    const float room = std::max(display.x - 2 * margin - 32 * look.unit, 1.0f);
    const float text_wide = text_width(state_.c_str()) + 1, high = ImGui::GetFrameHeight();
    bool pressed = false;

    begin_window("##state", ImVec2(display.x / 2, margin), ImVec2(0.5f, 0), buttons);
    if (buttons)
        ImGui::AlignTextToFramePadding();
    show_text(state_.c_str(), std::min(text_wide, room));
    if (buttons) {
        /* they fit beside it */
        if (text_wide + text_width((accept_ + cancel_).c_str()) + 4 * high < room)
            ImGui::SameLine(0, 16 * look.unit);
        pressed = build_buttons(look, key);
    }
    bar_at_ = window_rect();
    ImGui::End();
    return pressed;
}

/* Its size is known from the frame before: there are several in a row (FRAMES_TO_SETTLE). */
void Notices::build_message(const Look &look, const Fonts &fonts, struct rect picture,
                            const struct rect &taken, const struct rect &page)
{
    const std::string text = messages_.shown();
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float margin = 8 * look.unit;
    const struct rect window = {0, 0, static_cast<int>(display.x), static_cast<int>(display.y)};
    /* a large change is a film, or another screen: it is everywhere */
    const bool local = 8.0 * change_.w * change_.h < 1.0 * window.w * window.h;
    const Around around = {window.w,
                           window.h,
                           rect_intersect(picture, window),
                           pointer_,
                           local ? change_ : rect{},
                           is_empty(page) ? taken : page};

    message_at_ =
        notice_place(message_at_.w, message_at_.h, static_cast<int>(margin), around, message_at_);
    hidden_ = meet(message_at_, page);
    ImGui::PushFont(fonts.small);
    /* outside of the window it still learns its size */
    begin_window("##message",
                 hidden_
                     ? display
                     : ImVec2(static_cast<float>(message_at_.x), static_cast<float>(message_at_.y)),
                 ImVec2(0, 0), false);
    show_text(text.c_str(), std::min(MESSAGE_WIDTH * look.unit, display.x - 6 * margin));
    message_at_ = window_rect();
    ImGui::End();
    ImGui::PopFont();
}

bool Notices::build(const Look &look, const Fonts &fonts, const struct rect &picture,
                    const struct rect &taken, const struct rect &page, bool buttons, Key key)
{
    bool pressed = false;

    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(10 * look.unit, 4 * look.unit));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(16 * look.unit, 9 * look.unit));
    ImGui::PushStyleColor(ImGuiCol_WindowBg, look.bar);
    bar_at_ = {};
    if (!state_.empty())
        pressed = build_bar(look, buttons && has_buttons(), key);
    ImGui::PopStyleVar();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(8 * look.unit, 4 * look.unit));
    hidden_ = false;
    if (has_message())
        build_message(look, fonts, picture, taken, page);
    else
        message_at_ = {};
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(4);
    return pressed;
}

void Notices::answer()
{
    answered_(owner_, answer_);
}

} // namespace kit
