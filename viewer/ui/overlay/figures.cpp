#include "figures.hpp"

#include <algorithm>
#include <cstdio>

#include "viewer/ui/widgets/toolkit.hpp"

namespace kit
{

bool Figures::set(const struct ui_figures &f, Fonts &fonts)
{
    bool changed = f.corner != corner_;
    Rows rows;

    corner_ = f.corner;
    for (int i = 0; i < f.count; i++) {
        fonts.need(f.rows[i].name);
        fonts.need(f.rows[i].value);
        rows.emplace_back(f.rows[i].name, f.rows[i].value);
    }
    changed = changed || rows != rows_;
    rows_ = std::move(rows);
    for (int i = 0; i < UI_GRAPHS; i++) {
        const struct ui_graph &g = f.graphs[i];
        Graph graph = {g.name, std::vector<float>(g.values, g.values + g.count)};

        fonts.need(g.name);
        changed = changed || !(graph == graphs_[i]);
        graphs_[i] = std::move(graph);
    }
    return changed;
}

void Figures::hide()
{
    rows_.clear();
}

/* A bar for each value, the newest one at the right; as high as the largest value, which is named.
 * A value below 0 is not known, and has no bar. */
void Figures::graph(const Look &look, const Graph &g, ImU32 colour, float width)
{
    const float high = 44 * look.unit, step = width / UI_GRAPH_MAX;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float bottom = at.y + high;
    float most = 0, left = at.x + width - static_cast<float>(g.values.size()) * step;
    char text[96];
    ImDrawList *draw = ImGui::GetWindowDrawList();

    for (float v : g.values)
        most = std::max(most, v);
    draw->AddRectFilled(at, ImVec2(at.x + width, bottom), look.figures_ground);
    for (float v : g.values) {
        const float tall = v > 0 ? std::max(v / most * (high - 16 * look.unit), look.unit) : 0;
        if (tall > 0)
            draw->AddRectFilled(ImVec2(left, bottom - tall),
                                ImVec2(left + step - look.unit, bottom), colour);
        left += step;
    }
    snprintf(text, sizeof text, "%s: at most %.0f", g.name.c_str(), most);
    draw->AddText(ImVec2(at.x + 4 * look.unit, at.y), look.figures_faint, text);
    ImGui::Dummy(ImVec2(width, high + 4 * look.unit));
}

/* Where they begin at the upper edge. Their size is known from the frame before. */
float Figures::top(float margin, float left, const struct rect &bar) const
{
    const float bar_left = static_cast<float>(bar.x), bar_right = static_cast<float>(bar.x + bar.w);
    const bool beside = left >= bar_right || left + static_cast<float>(at_.w) <= bar_left;

    return bar.w < 1 || beside ? margin : static_cast<float>(bar.y + bar.h) + margin;
}

void Figures::build(const Look &look, const Fonts &fonts, const struct rect &bar)
{
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float margin = 10 * look.unit;
    const bool right = corner_ == UI_TOP_RIGHT || corner_ == UI_BOTTOM_RIGHT;
    const bool bottom = corner_ == UI_BOTTOM_LEFT || corner_ == UI_BOTTOM_RIGHT;
    const ImU32 colours[UI_GRAPHS] = {look.figures_first, look.figures_second};
    float names = 0, values = 0;

    ImGui::PushFont(fonts.small);
    for (const auto &row : rows_) {
        names = std::max(names, ImGui::CalcTextSize(row.first.c_str()).x);
        values = std::max(values, ImGui::CalcTextSize(row.second.c_str()).x);
    }
    /* it does not change its width with every figure */
    const float gap = 12 * look.unit, width = std::max(names + gap + values, 300 * look.unit);

    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(10 * look.unit, 8 * look.unit));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0); /* nothing shines through (ui_covers()) */
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 1 * look.unit));
    ImGui::PushStyleColor(ImGuiCol_WindowBg, look.figures);
    ImGui::PushStyleColor(ImGuiCol_Text, look.figures_text);
    const float edge =
        top(margin, right ? display.x - margin - static_cast<float>(at_.w) : margin, bar);
    ImGui::SetNextWindowPos(
        ImVec2(right ? display.x - margin : margin, bottom ? display.y - margin : edge),
        ImGuiCond_Always, ImVec2(right ? 1 : 0, bottom ? 1 : 0));
    ImGui::Begin("##figures", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoBringToFrontOnFocus);
    const float left = ImGui::GetCursorPosX();
    for (const auto &row : rows_) {
        ImGui::PushStyleColor(ImGuiCol_Text, look.figures_faint);
        ImGui::TextUnformatted(row.first.c_str());
        ImGui::PopStyleColor();
        ImGui::SameLine(left + names + gap);
        ImGui::TextUnformatted(row.second.c_str());
    }
    ImGui::Dummy(ImVec2(1, 4 * look.unit));
    for (int i = 0; i < UI_GRAPHS; i++)
        graph(look, graphs_[i], colours[i], width);
    at_ = window_rect();
    ImGui::End();
    ImGui::PopStyleColor(2);
    ImGui::PopStyleVar(4);
    ImGui::PopFont();
}

} // namespace kit
