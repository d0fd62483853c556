/* What forms are made of: rows with a label, chips to choose from, fields without a label. */
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "viewer/ui/text/text.hpp"
#include "widgets.hpp"

namespace kit
{

/* In pixels of an ordinary display. */
static constexpr float LABEL_WIDE = 200, CHIP_PADDING = 8, BOXES_APART = 8;

void Widgets::begin_here()
{
    if (focus_ == NOWHERE)
        focus_ = count_;
}

void Widgets::begin_labelled(const char *label, Beside beside_it)
{
    const float left = ImGui::GetCursorPosX(), top = ImGui::GetCursorPosY();
    const float beside = LABEL_WIDE * look_.unit, room = ImGui::GetContentRegionAvail().x;
    const bool fits = room >= 2 * beside;
    const ImVec2 padding = ImGui::GetStyle().FramePadding;

    if (fits) { /* on one line with the letters in the field */
        ImGui::SetCursorPosY(top + padding.y);
        show_text(label, beside - padding.x);
        ImGui::SetCursorPos(ImVec2(left + beside, top));
    } else {
        show_text(label, room);
    }
    ImGui::BeginGroup();
    if (fits && beside_it == Beside::BOX) /* which is less high than a field */
        ImGui::SetCursorPosY(top + padding.y - BOX_PADDING * look_.unit);
}

void Widgets::end_labelled()
{
    ImGui::EndGroup();
}

void Widgets::begin_flow(float cell)
{
    flow_left_ = ImGui::GetCursorPosX();
    flow_cell_ = cell;
    flow_gap_ = ImGui::GetStyle().ItemSpacing.x;
    flow_next_ = 0;
}

void Widgets::begin_boxes(float cell)
{
    begin_flow(cell);
    flow_gap_ += BOXES_APART * look_.unit;
}

void Widgets::flow(float width)
{
    const float right = ImGui::GetContentRegionMax().x;
    const bool begins = flow_next_ == 0;
    float at = begins ? flow_left_ : flow_next_;

    width = std::max(width, flow_cell_);
    if (!begins && at + width <= right) {
        ImGui::SameLine();
        ImGui::SetCursorPosX(at);
    } else {
        at = flow_left_;
    }
    flow_next_ = at + width + flow_gap_;
}

float Widgets::check_width(const char *text) const
{
    return ImGui::GetTextLineHeight() + 2 * BOX_PADDING * look_.unit +
           ImGui::GetStyle().ItemInnerSpacing.x + ImGui::CalcTextSize(text).x;
}

void Widgets::begin_list(const char *id, float pad, float most)
{
    /* the rows begin where all else begins: only the ring stands out */
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() - pad);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, pad));
    const ImVec2 size(ImGui::GetContentRegionAvail().x + pad, std::min(list_high_, most));
#if IMGUI_VERSION_NUM >= 19000
    ImGui::BeginChild(id, size, ImGuiChildFlags_AlwaysUseWindowPadding, ImGuiWindowFlags_NoNav);
#else
    ImGui::BeginChild(id, size, false,
                      ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoNav);
#endif
}

void Widgets::end_list()
{
    const ImGuiStyle &style = ImGui::GetStyle();

    list_high_ =
        ImGui::GetCursorPosY() + ImGui::GetScrollY() - style.ItemSpacing.y + style.WindowPadding.y;
    ImGui::EndChild();
    ImGui::PopStyleVar();
}

void Widgets::bare_field(const char *id, const char *hint, char *text, size_t size, float spare)
{
    input(count_++, id, hint, text, size, 0, spare);
}

/* One that was chosen stands out. True: the pointer has chosen it. */
bool Widgets::chip(const char *word, bool chosen)
{
    const ImVec2 at = ImGui::GetCursorScreenPos(), letters = ImGui::CalcTextSize(word);
    const ImVec2 size(letters.x + 2 * CHIP_PADDING * look_.unit, ImGui::GetFrameHeight());
    const ImVec2 end(at.x + size.x, at.y + size.y);
    const bool clicked = ImGui::InvisibleButton(word, size);
    const ImU32 ground = chosen                   ? look_.accent
                         : ImGui::IsItemHovered() ? look_.button_hover
                                                  : look_.button;
    ImDrawList *draw = ImGui::GetWindowDrawList();

    draw->AddRectFilled(at, end, ground, ImGui::GetStyle().FrameRounding);
    draw->AddText(ImVec2(at.x + (size.x - letters.x) / 2, at.y + (size.y - letters.y) / 2),
                  chosen ? look_.on_accent : look_.text, word);
    return clicked;
}

/* Which of the words a key chooses, if `now` is chosen (-1: none of them). */
static int chosen_by(Key key, int now, int count)
{
    if (key == Key::PRESS)
        return (now + 1) % count;
    if (key == Key::MORE)
        return std::min(now + 1, count - 1);
    return key == Key::LESS ? std::max(now - 1, 0) : now;
}

bool Widgets::choice(const std::vector<const char *> &words, char *value, size_t size)
{
    const int item = count_++, count = static_cast<int>(words.size());
    int before = -1, now;

    for (int i = 0; i < count; i++)
        if (strcmp(words[i], value) == 0)
            before = i;
    now = is_focused(item) ? chosen_by(key_, before, count) : before;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(3 * look_.unit, 4 * look_.unit));
    ImGui::BeginGroup();
    begin_flow(0);
    for (int i = 0; i < count; i++) {
        flow(ImGui::CalcTextSize(words[i]).x + 2 * CHIP_PADDING * look_.unit);
        if (chip(words[i], i == now)) {
            now = i;
            focus_on(item);
        }
    }
    ImGui::EndGroup();
    ImGui::PopStyleVar();
    if (is_focused(item)) {
        choice_focused_ = true;
        if (show_ring_)
            ring();
    }
    if (now == before)
        return false;
    snprintf(value, size, "%s", words[now]);
    return true;
}

float Widgets::text_height(const char *text) const
{
    const std::string lines = in_lines(text, ImGui::GetContentRegionAvail().x);

    return static_cast<float>(std::count(lines.begin(), lines.end(), '\n') + 1) *
           ImGui::GetTextLineHeight();
}

float Widgets::help_height(const char *text) const
{
    ImGui::PushFont(fonts_.small);
    const float high = text_height(text);
    ImGui::PopFont();
    return high;
}

void Widgets::help(const char *text, float height)
{
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float wide = ImGui::GetContentRegionAvail().x, top = ImGui::GetCursorPosY();

    ImGui::PushClipRect(at, ImVec2(at.x + wide, at.y + height), true);
    ImGui::PushFont(fonts_.small);
    faint(text);
    ImGui::PopFont();
    ImGui::PopClipRect();
    ImGui::SetCursorPosY(top);
    ImGui::Dummy(ImVec2(1, height));
}

} // namespace kit
