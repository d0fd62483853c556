#include "facts_page.hpp"

#include <algorithm>

namespace kit
{

FactsPage::FactsPage(const char *title, const struct ui_fact *facts, int count, Fonts &fonts)
    : title_(title)
{
    fonts.need(title);
    for (int i = 0; i < count; i++) {
        fonts.need(facts[i].name);
        fonts.need(facts[i].value);
        facts_.emplace_back(facts[i].name, facts[i].value);
    }
}

bool FactsPage::build(Widgets &w)
{
    const char *close = "Close";
    const float wide = w.button_width(close);
    float names = 0;
    bool closed = w.cancelled();

    w.title(title_.c_str());
    for (const auto &fact : facts_)
        names = std::max(names, ImGui::CalcTextSize(fact.first.c_str()).x);
    const float values = ImGui::GetCursorPosX() + names + 18 * w.look().unit;
    for (const auto &fact : facts_) {
        w.faint(fact.first.c_str());
        ImGui::SameLine(values);
        w.paragraph(fact.second.c_str());
    }
    w.gap(6);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - wide);
    return w.button(close, Widgets::Kind::PRIMARY, true, wide) || closed;
}

} // namespace kit
