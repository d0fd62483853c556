/* Buttons side by side at the top of the window (struct ui_strip in ui.h). */
#pragma once

#include <string>
#include <vector>

#include "viewer/ui/text/fonts.hpp"
#include "viewer/ui/ui.h"
#include "viewer/ui/widgets/look.hpp"

namespace kit
{

class Strip
{
  public:
    static constexpr int NONE = -1;

    /* NULL: there is none. `x`: its middle, in pixels. */
    void set(const struct ui_strip *s, float x, Fonts &fonts);
    bool empty() const
    {
        return labels_.empty();
    }
    /* Marks a button, or none. True: it was another one. */
    bool light(int button);
    bool is_lit() const
    {
        return lit_ != NONE;
    }

    /* Inside a frame. */
    void build(const Look &look);

    /* In pixels of the window: where it was drawn last, and the button at a point. */
    const struct rect &at() const
    {
        return at_;
    }
    bool has(float x, float y) const;
    int button(float x, float y) const;

  private:
    std::vector<std::string> labels_;
    std::vector<struct rect> buttons_;
    struct rect at_ = {};
    float x_ = 0;
    int lit_ = NONE;
};

} // namespace kit
