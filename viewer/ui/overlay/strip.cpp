#include "strip.hpp"

#include <algorithm>

#include "viewer/ui/widgets/toolkit.hpp"

namespace kit
{

namespace
{

bool is_in(const struct rect &r, float x, float y)
{
    return x >= static_cast<float>(r.x) && x < static_cast<float>(r.x + r.w) &&
           y >= static_cast<float>(r.y) && y < static_cast<float>(r.y + r.h);
}

struct rect item_rect()
{
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();

    return {static_cast<int>(from.x), static_cast<int>(from.y), static_cast<int>(to.x - from.x),
            static_cast<int>(to.y - from.y)};
}

} // namespace

void Strip::set(const struct ui_strip *s, float x, Fonts &fonts)
{
    labels_.clear();
    buttons_.clear();
    at_ = {};
    x_ = x;
    lit_ = NONE;
    for (int i = 0; s && i < s->count; i++) {
        fonts.need(s->labels[i]);
        labels_.emplace_back(s->labels[i]);
    }
}

bool Strip::light(int button)
{
    const bool news = button != lit_;

    lit_ = button;
    return news;
}

bool Strip::has(float x, float y) const
{
    return is_in(at_, x, y);
}

int Strip::button(float x, float y) const
{
    auto found = std::find_if(buttons_.begin(), buttons_.end(),
                              [&](const struct rect &r) { return is_in(r, x, y); });

    return found == buttons_.end() ? NONE : static_cast<int>(found - buttons_.begin());
}

/* Below the edge: what is there stays the server's. Its width is known from the frame before. */
void Strip::build(const Look &look)
{
    const float display = ImGui::GetIO().DisplaySize.x, gap = 6 * look.unit;
    const float half = static_cast<float>(at_.w) / 2;
    const float x = std::max(half, std::min(x_, display - half));

    buttons_.clear();
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(12 * look.unit, 5 * look.unit));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(gap, gap));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0); /* nothing shines through (ui_covers()) */
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gap, gap));
    ImGui::SetNextWindowPos(ImVec2(x, 8 * look.unit), ImGuiCond_Always, ImVec2(0.5f, 0));
    ImGui::Begin("##strip", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
    for (size_t i = 0; i < labels_.size(); i++) {
        const bool lit = static_cast<int>(i) == lit_;

        if (i > 0)
            ImGui::SameLine();
        ImGui::PushStyleColor(ImGuiCol_Button, lit ? look.accent : look.button);
        ImGui::PushStyleColor(ImGuiCol_Text, lit ? look.on_accent : look.text);
        ImGui::Button(labels_[i].c_str());
        ImGui::PopStyleColor(2);
        buttons_.push_back(item_rect());
    }
    at_ = window_rect();
    ImGui::End();
    ImGui::PopStyleVar(5);
}

} // namespace kit
