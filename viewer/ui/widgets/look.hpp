/* Colours, and the lengths that go with the fonts' size. */
#pragma once

#include <imgui.h>

#include "viewer/ui/theme.h"

namespace kit
{

struct Look {
    ImU32 ground, panel, border, text, faint, accent, accent_hover, on_accent, field, button,
        button_hover, warning, scrim, bar;
    ImU32 edge; /* of what takes a text or a tick: it has to be seen, unlike other borders */
    /* The figures above the picture: the same in both themes, readable on any picture. */
    ImU32 figures, figures_ground, figures_text, figures_faint, figures_first, figures_second;
    float unit = 1; /* pixels: what is one pixel on an ordinary display */

    static Look make(enum ui_theme theme);
    /* Makes ImGui's style of it. */
    void apply() const;
};

} // namespace kit
