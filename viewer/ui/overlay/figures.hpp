/* The figures in a corner above the picture (struct ui_figures in ui.h). */
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "viewer/ui/text/fonts.hpp"
#include "viewer/ui/ui.h"
#include "viewer/ui/widgets/look.hpp"

namespace kit
{

class Figures
{
  public:
    /* True: they look other than before. */
    bool set(const struct ui_figures &f, Fonts &fonts);
    void hide();
    bool empty() const
    {
        return rows_.empty();
    }
    /* Inside a frame. Something else is shown at `bar`, at the upper edge of the window: they stand
     * below it where they would meet. */
    void build(const Look &look, const Fonts &fonts, const struct rect &bar);
    /* Where they were drawn last, in pixels of the window. */
    const struct rect &at() const
    {
        return at_;
    }

  private:
    struct Graph {
        std::string name;
        std::vector<float> values;

        bool operator==(const Graph &other) const
        {
            return name == other.name && values == other.values;
        }
    };
    using Rows = std::vector<std::pair<std::string, std::string>>;

    float top(float margin, float left, const struct rect &bar) const;
    void graph(const Look &look, const Graph &g, ImU32 colour, float width);

    enum ui_corner corner_ = UI_TOP_RIGHT;
    struct rect at_ = {};
    Rows rows_;
    Graph graphs_[UI_GRAPHS];
};

} // namespace kit
