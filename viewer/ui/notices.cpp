#include "notices.hpp"

#include <algorithm>

#include "text.hpp"

namespace kit
{

namespace
{

/* Long enough to read a line twice. */
const tick_t MESSAGE_TIME = 8 * TICK_S;

} // namespace

bool Notices::state(const char *text, Fonts &fonts)
{
    const std::string now = text ? text : "";

    if (now == state_)
        return false;
    fonts.need(text);
    state_ = now;
    return true;
}

bool Notices::message(const char *text, tick_t now, Fonts &fonts)
{
    fonts.need(text);
    message_ = text ? text : "";
    until_ = message_.empty() ? TICK_NEVER : now + MESSAGE_TIME;
    return true;
}

bool Notices::time(tick_t now)
{
    if (now < until_)
        return false;
    message_.clear();
    until_ = TICK_NEVER;
    return true;
}

void Notices::build(const Look &look)
{
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float margin = 12 * look.unit;
    float y = margin;
    int number = 0;

    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(16 * look.unit, 9 * look.unit));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 8 * look.unit);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    ImGui::PushStyleColor(ImGuiCol_WindowBg, look.bar);
    for (const std::string *text : {&state_, &message_}) {
        const char *const names[] = {"##state", "##message"};
        const char *name = names[number++];
        const float room = std::max(display.x - 2 * margin - 32 * look.unit, 1.0f);

        if (text->empty())
            continue;
        const float wide = std::min(text_width(text->c_str()) + 1, room);
        ImGui::SetNextWindowPos(ImVec2(display.x / 2, y), ImGuiCond_Always, ImVec2(0.5f, 0));
        ImGui::Begin(name, nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs |
                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                         ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
        show_text(text->c_str(), wide);
        y += ImGui::GetWindowHeight() + margin / 2;
        ImGui::End();
    }
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(3);
}

} // namespace kit
