#include "notices.hpp"

#include <algorithm>

#include "text.hpp"

namespace kit
{

namespace
{

/* Long enough to read a line twice. */
const tick_t MESSAGE_TIME = 8 * TICK_S;

/* What was typed for the server when the connection broke is no answer. Chosen: a word's time. */
const tick_t ARMING_TIME = TICK_S;

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
    const std::string text = taken(b.text, fonts), accept = taken(b.accept, fonts),
                      cancel = taken(b.cancel, fonts);
    const bool same = text == state_ && accept == accept_ && cancel == cancel_;

    state_ = text;
    accept_ = accept;
    cancel_ = cancel;
    answered_ = b.answered;
    owner_ = b.owner;
    now_ = now;
    if (!has_buttons())
        armed_at_ = TICK_NEVER;
    else if (!had_buttons)
        armed_at_ = now + ARMING_TIME;
    return !same;
}

bool Notices::message(const char *text, tick_t now, Fonts &fonts)
{
    message_ = taken(text, fonts);
    until_ = message_.empty() ? TICK_NEVER : now + MESSAGE_TIME;
    return true;
}

bool Notices::time(tick_t now)
{
    now_ = now;
    if (now < until_)
        return false;
    message_.clear();
    until_ = TICK_NEVER;
    return true;
}

/* Away from the pointer, unless it comes to press a button. */
bool Notices::place()
{
    const bool before = below_;

    if (has_buttons() || empty())
        below_ = false;
    else if (pointer_ >= 0 && pointer_ < reach_)
        below_ = true;
    else if (pointer_ > height_ - reach_)
        below_ = false;
    return below_ != before;
}

bool Notices::pointer(float y)
{
    pointer_ = y;
    return !empty() && place();
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

/* `used` is how much of the window's height is used at that edge. */
bool Notices::build_bar(const Look &look, const char *name, const std::string &text, bool buttons,
                        Key key, float &used)
{
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float margin = 12 * look.unit;
    const float room = std::max(display.x - 2 * margin - 32 * look.unit, 1.0f);
    const float text_wide = text_width(text.c_str()) + 1, high = ImGui::GetFrameHeight();
    bool pressed = false;

    ImGui::SetNextWindowPos(ImVec2(display.x / 2, below_ ? display.y - used : used),
                            ImGuiCond_Always, ImVec2(0.5f, below_ ? 1 : 0));
    ImGui::Begin(name, nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav |
                     (buttons ? 0 : ImGuiWindowFlags_NoInputs));
    if (buttons)
        ImGui::AlignTextToFramePadding();
    show_text(text.c_str(), std::min(text_wide, room));
    if (buttons) {
        if (text_wide + 9 * high < room) /* they fit beside it */
            ImGui::SameLine(0, 16 * look.unit);
        pressed = build_buttons(look, key);
    }
    used += ImGui::GetWindowHeight() + margin / 2;
    ImGui::End();
    return pressed;
}

bool Notices::build(const Look &look, bool buttons, Key key)
{
    const float margin = 12 * look.unit;
    float used = margin;
    bool pressed = false;

    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(16 * look.unit, 9 * look.unit));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(10 * look.unit, 4 * look.unit));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 8 * look.unit);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    ImGui::PushStyleColor(ImGuiCol_WindowBg, look.bar);
    height_ = ImGui::GetIO().DisplaySize.y;
    place();
    if (!state_.empty())
        pressed = build_bar(look, "##state", state_, buttons && has_buttons(), key, used);
    if (!message_.empty())
        build_bar(look, "##message", message_, false, Key::NONE, used);
    reach_ = std::min(used + 2 * margin, height_ / 3);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(4);
    return pressed;
}

void Notices::answer()
{
    answered_(owner_, answer_);
}

} // namespace kit
