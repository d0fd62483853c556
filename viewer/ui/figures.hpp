/* The figures in a corner above the picture (struct ui_figures in ui.h). */
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "look.hpp"
#include "viewer/ui/fonts.hpp"
#include "viewer/ui/ui.h"

namespace kit
{

class Figures
{
  public:
    void set(const struct ui_figures &f, Fonts &fonts);
    void hide();
    bool empty() const
    {
        return rows_.empty();
    }
    /* Inside a frame. */
    void build(const Look &look, const Fonts &fonts);

  private:
    struct Graph {
        std::string name;
        std::vector<float> values;
    };

    void graph(const Look &look, const Graph &g, ImU32 colour, float width);

    enum ui_corner corner_ = UI_TOP_RIGHT;
    std::vector<std::pair<std::string, std::string>> rows_;
    Graph graphs_[UI_GRAPHS];
};

} // namespace kit
