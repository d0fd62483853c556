#include "start_page.hpp"

#include <algorithm>
#include <cstdio>

namespace kit
{

StartPage::StartPage(const struct ui_start &s, Fonts &fonts)
    : told_(s), warning_(s.warning ? s.warning : "")
{
    snprintf(address_, sizeof address_, "%s", s.address ? s.address : "");
    fonts.need(address_);
    fonts.need(s.warning);
    for (int i = 0; i < s.count; i++) {
        const struct ui_server &from = s.servers[i];
        Card c = {from.address, from.name ? from.name : "", {}, 0, 0, nullptr};
        if (from.pixels && from.width > 0 && from.height > 0) {
            c.width = from.width;
            c.height = from.height;
            c.pixels.assign(from.pixels,
                            from.pixels + static_cast<size_t>(from.width) * from.height);
        }
        fonts.need(from.address);
        fonts.need(from.name);
        cards_.push_back(std::move(c));
    }
}

StartPage::~StartPage()
{
    forget_pictures();
}

void StartPage::cards(Widgets &w)
{
    const float shown = std::min<float>(static_cast<float>(cards_.size()), 3.4f);
    const float high = (72 + 8) * w.look().unit * shown;
    const float pad = 5 * w.look().unit; /* for the ring around the one with the focus */

    w.faint("Recent");
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, pad));
#if IMGUI_VERSION_NUM >= 19000
    ImGui::BeginChild("recent", ImVec2(0, high + pad), ImGuiChildFlags_AlwaysUseWindowPadding,
                      ImGuiWindowFlags_NoNav);
#else
    ImGui::BeginChild("recent", ImVec2(0, high + pad), false,
                      ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoNav);
#endif
    for (size_t i = 0; i < cards_.size(); i++) {
        const Card &c = cards_[i];
        const bool named = !c.name.empty();
        float aspect = c.picture ? static_cast<float>(c.width) / static_cast<float>(c.height) : 1;
        if (w.card(static_cast<int>(i), c.picture, aspect,
                   named ? c.name.c_str() : c.address.c_str(),
                   named ? c.address.c_str() : nullptr)) {
            snprintf(address_, sizeof address_, "%s", c.address.c_str());
            accepted_ = true;
        }
    }
    ImGui::EndChild();
    ImGui::PopStyleVar();
}

bool StartPage::build(Widgets &w)
{
    const char *cancel = "Cancel", *connect = "Connect";
    bool cancelled = w.cancelled();

    accepted_ = false;
    w.title("Connect to a VNC server");
    if (!warning_.empty())
        w.warning(warning_.c_str());
    w.field("Address: HOST, HOST:1 or HOST::5901", address_, sizeof address_, Widgets::Field::TEXT);
    if (!cards_.empty())
        cards(w);
    w.gap(4);
    const float a = w.button_width(cancel), b = w.button_width(connect);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - a - b -
                         ImGui::GetStyle().ItemSpacing.x);
    cancelled = w.button(cancel, Widgets::Kind::PLAIN, false, a) || cancelled;
    ImGui::SameLine();
    if (w.button(connect, Widgets::Kind::PRIMARY, true, b) && *address_)
        accepted_ = true;
    accepted_ = accepted_ && !cancelled;
    return accepted_ || cancelled;
}

void StartPage::answer()
{
    told_.chosen(told_.owner, accepted_ ? address_ : nullptr);
}

void StartPage::make_pictures(SDL_Renderer *renderer)
{
    for (Card &c : cards_)
        if (!c.picture && !c.pixels.empty())
            c.picture = Toolkit::texture(renderer, c.pixels.data(), c.width, c.height);
}

void StartPage::forget_pictures()
{
    for (Card &c : cards_) {
        if (c.picture)
            SDL_DestroyTexture(c.picture);
        c.picture = nullptr;
    }
}

} // namespace kit
