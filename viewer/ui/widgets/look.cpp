#include "look.hpp"

namespace kit
{

namespace
{

/* 0xRRGGBB as ImGui wants it, opaque. */
constexpr ImU32 rgb(unsigned c, unsigned alpha = 255)
{
    return IM_COL32(c >> 16 & 255, c >> 8 & 255, c & 255, alpha);
}

ImVec4 vec(ImU32 c)
{
    return ImGui::ColorConvertU32ToFloat4(c);
}

} // namespace

Look Look::make(enum ui_theme theme)
{
    Look l = {};

    if (theme == UI_THEME_LIGHT) {
        l.ground = rgb(0xe9ebef);
        l.panel = rgb(0xffffff);
        l.border = rgb(0xc9ced6);
        l.edge = rgb(0x858d9a);
        l.text = rgb(0x1b1f26);
        l.faint = rgb(0x5a6372);
        l.accent = rgb(0x1f66d1);
        l.accent_hover = rgb(0x2f78e6);
        l.on_accent = rgb(0xffffff);
        l.field = rgb(0xf3f5f8);
        l.button = rgb(0xe4e7ec);
        l.button_hover = rgb(0xd6dae1);
        l.warning = rgb(0xb3261e);
        l.bar = rgb(0xfff2cc);
    } else {
        l.ground = rgb(0x15181d);
        l.panel = rgb(0x21262d);
        l.border = rgb(0x3a424d);
        l.edge = rgb(0x6f7884);
        l.text = rgb(0xe8ebf0);
        l.faint = rgb(0xa0a9b6);
        l.accent = rgb(0x2f74d8);
        l.accent_hover = rgb(0x4186ea);
        l.on_accent = rgb(0xffffff);
        l.field = rgb(0x171b20);
        l.button = rgb(0x343c47);
        l.button_hover = rgb(0x434d5a);
        l.warning = rgb(0xff8a80);
        l.bar = rgb(0x4a3b0a);
    }
    l.figures = rgb(0x101418);
    l.figures_ground = rgb(0x262d36);
    l.figures_text = rgb(0xf2f5f8);
    l.figures_faint = rgb(0xb6c0cc);
    l.figures_first = rgb(0x6cc4ff);
    l.figures_second = rgb(0xffb454);
    l.scrim = rgb(0x000000, 140);
    l.unit = 1;
    return l;
}

void Look::apply() const
{
    ImGuiStyle s;

    s.WindowPadding = ImVec2(24, 22);
    s.WindowRounding = 10;
    s.WindowBorderSize = 1;
    s.FramePadding = ImVec2(12, 8);
    s.FrameRounding = 6;
    s.FrameBorderSize = 1;
    s.ItemSpacing = ImVec2(10, 8);
    s.ItemInnerSpacing = ImVec2(8, 4);
    s.ScrollbarSize = 12;
    s.ScrollbarRounding = 6;
    s.ScaleAllSizes(unit);
    s.WindowBorderSize = s.FrameBorderSize = unit; /* ScaleAllSizes() leaves these */
    s.AntiAliasedLinesUseTex = false; /* a renderer without a graphics card bends such lines */

    s.Colors[ImGuiCol_Text] = vec(text);
    s.Colors[ImGuiCol_TextDisabled] = vec(faint);
    s.Colors[ImGuiCol_WindowBg] = vec(panel);
    s.Colors[ImGuiCol_ChildBg] = vec(panel);
    s.Colors[ImGuiCol_Border] = vec(border);
    s.Colors[ImGuiCol_FrameBg] = vec(field);
    s.Colors[ImGuiCol_FrameBgHovered] = vec(field);
    s.Colors[ImGuiCol_FrameBgActive] = vec(field);
    s.Colors[ImGuiCol_Button] = vec(button);
    s.Colors[ImGuiCol_ButtonHovered] = vec(button_hover);
    s.Colors[ImGuiCol_ButtonActive] = vec(button_hover);
    s.Colors[ImGuiCol_CheckMark] = vec(accent_hover);
    s.Colors[ImGuiCol_ScrollbarBg] = vec(panel);
    /* it has to be seen: it says that there is more */
    s.Colors[ImGuiCol_ScrollbarGrab] = vec(faint);
    s.Colors[ImGuiCol_ScrollbarGrabHovered] = vec(text);
    s.Colors[ImGuiCol_ScrollbarGrabActive] = vec(text);
    s.Colors[ImGuiCol_TextSelectedBg] = vec(accent);
    s.Colors[ImGuiCol_TextSelectedBg].w = 0.5f; /* the letters on it keep their colour */
    ImGui::GetStyle() = s;
}

} // namespace kit
