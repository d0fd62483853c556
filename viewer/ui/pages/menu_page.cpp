#include "menu_page.hpp"

#include <algorithm>

namespace kit
{

MenuPage::MenuPage(const struct ui_menu &m, Fonts &fonts)
    : title_(m.title), first_(m.focus), told_(m.chosen), owner_(m.owner)
{
    auto copied = [&](const char *text) {
        fonts.need(text);
        return std::string(text ? text : "");
    };

    fonts.need(m.title);
    for (int i = 0; i < m.count; i++) {
        const struct ui_menu_entry &from = m.entries[i];
        entries_.push_back({copied(from.label), copied(from.heading), copied(from.now),
                            copied(from.key), from.letter, from.on, from.usable, from.begins});
    }
}

bool MenuPage::build(Widgets &w)
{
    const bool outside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !ImGui::IsWindowHovered();
    bool answered = w.cancelled() || outside;

    chosen_ = NONE;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    w.title(title_.c_str());
    for (size_t i = 0; i < entries_.size(); i++) {
        const Entry &e = entries_[i];
        const Widgets::Row row = {e.label.c_str(), e.now.c_str(), e.key.c_str(),
                                  e.letter,        e.on,          e.usable};

        if (e.begins)
            w.line();
        if (!e.heading.empty())
            w.faint(e.heading.c_str());
        if (w.row(static_cast<int>(i), row, static_cast<int>(i) == first_) && !answered) {
            chosen_ = static_cast<int>(i);
            answered = true;
        }
    }
    ImGui::PopStyleVar();
    return answered;
}

bool MenuPage::letter(char c)
{
    auto found = std::find_if(entries_.begin(), entries_.end(),
                              [&](const Entry &e) { return e.usable && e.letter == c; });

    if (c == 0 || found == entries_.end())
        return false;
    chosen_ = static_cast<int>(found - entries_.begin());
    return true;
}

void MenuPage::answer()
{
    told_(owner_, chosen_);
}

} // namespace kit
