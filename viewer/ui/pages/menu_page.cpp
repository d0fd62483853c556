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

/* How close the entries stand. Only loose ones are measured: otherwise the measure would depend on
 * itself. */
void MenuPage::squeeze(const Widgets &w)
{
    float most = 0; /* pixels that tight entries save */

    if (unit_ != w.look().unit || wide_ != ImGui::GetWindowWidth())
        high_ = 0;
    for (const Entry &e : entries_)
        most += 2 * (LOOSE - TIGHT + (e.begins ? Widgets::LINE_PADDING - TIGHT_LINE : 0));
    most *= w.look().unit;
    const float over = high_ - w.height();
    const auto rounded = static_cast<float>(entries_.size()); /* a row's padding is whole pixels */
    squeezed_ = most > 0 && over > 0 ? std::clamp((over + rounded) / most, 0.0f, 1.0f) : 0;
}

void MenuPage::measure(const Widgets &w)
{
    if (high_ > 0)
        return;
    high_ = ImGui::GetCursorPosY() + ImGui::GetStyle().WindowPadding.y;
    unit_ = w.look().unit;
    wide_ = ImGui::GetWindowWidth();
}

bool MenuPage::build(Widgets &w)
{
    /* the bar beside what scrolls belongs to the page, also while it is held */
    const bool outside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
                         !ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
    bool answered = w.cancelled() || outside;

    squeeze(w);
    const float padding = LOOSE - squeezed_ * (LOOSE - TIGHT);
    const float line = Widgets::LINE_PADDING - squeezed_ * (Widgets::LINE_PADDING - TIGHT_LINE);
    chosen_ = NONE;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    w.title(title_.c_str());
    for (size_t i = 0; i < entries_.size(); i++) {
        const Entry &e = entries_[i];
        const Widgets::Row row = {e.label.c_str(), e.now.c_str(), e.key.c_str(), e.letter, e.on,
                                  e.usable,        padding};

        if (e.begins)
            w.line(line);
        if (!e.heading.empty())
            w.faint(e.heading.c_str());
        if (w.row(static_cast<int>(i), row, static_cast<int>(i) == first_) && !answered) {
            chosen_ = static_cast<int>(i);
            answered = true;
        }
    }
    measure(w);
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
