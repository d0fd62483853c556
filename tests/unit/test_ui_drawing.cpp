// What the viewer draws itself (viewer/ui/ui.h), into memory: when it is made anew, and that it
// fits.
#include "tests/catch.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <SDL.h>
#include <imgui.h>

#include "viewer/ui/ui.h"

namespace
{

const uint32_t PANEL = 0x21262d, FOCUS = 0x2f74d8; // of viewer/ui/look.cpp, dark

// A window of this size, without a window.
class Drawing
{
  public:
    Drawing(int w, int h)
        : surface_(SDL_CreateRGBSurfaceWithFormat(0, w, h, 32, SDL_PIXELFORMAT_RGB888)),
          renderer_(SDL_CreateSoftwareRenderer(surface_)), ui_(ui_create(UI_THEME_DARK))
    {
        REQUIRE((surface_ && renderer_ && ui_));
        view_ = {w, h, 96, true, {0, 0, w, h}};
    }
    ~Drawing()
    {
        ui_forget_renderer(ui_);
        ui_destroy(ui_);
        SDL_DestroyRenderer(renderer_);
        SDL_FreeSurface(surface_);
    }
    Drawing(const Drawing &) = delete;
    Drawing &operator=(const Drawing &) = delete;
    operator ui *()
    {
        return ui_;
    }
    // As whoever shows the window: asks first whether it has changed.
    bool draw()
    {
        const bool changed = ui_take_changed(ui_);
        SDL_SetRenderDrawColor(renderer_, 0, 0, 0, 255);
        SDL_RenderClear(renderer_);
        ui_draw(ui_, renderer_, &view_);
        SDL_RenderFlush(renderer_);
        return changed;
    }
    uint32_t at(int x, int y) const
    {
        uint32_t pixel;
        memcpy(&pixel, static_cast<char *>(surface_->pixels) + y * surface_->pitch + x * 4, 4);
        return pixel & 0xffffff;
    }
    // Where the page is: all that has its ground.
    rect page() const
    {
        int left = view_.window_w, top = view_.window_h, right = 0, bottom = 0;
        for (int y = 0; y < view_.window_h; y++)
            for (int x = 0; x < view_.window_w; x++)
                if (at(x, y) == PANEL) {
                    left = std::min(left, x);
                    right = std::max(right, x + 1);
                    top = std::min(top, y);
                    bottom = std::max(bottom, y + 1);
                }
        return {left, top, right - left, bottom - top};
    }

  private:
    SDL_Surface *surface_;
    SDL_Renderer *renderer_;
    ui *ui_;
    ui_view view_ = {};
};

// Figures with this value in one of their rows.
void show_figures(Drawing &d, const char *value, float newest)
{
    const ui_fact rows[] = {{"Pictures", value}, {"Link", "fine"}};
    const float values[] = {1, 2, newest};
    ui_figures f = {};
    f.corner = UI_TOP_RIGHT;
    f.rows = rows;
    f.count = 2;
    for (ui_graph &g : f.graphs)
        g = {"a graph", values, 3};
    ui_show_figures(d, &f);
}

void ignore(void *, int) {}

} // namespace

TEST_CASE("drawing: the statistics are made anew when a figure has changed, and only then")
{
    Drawing d(800, 600);
    show_figures(d, "25 in a second", 3);
    CHECK(d.draw());
    const rect whole = {0, 0, 800, 600};
    int made = ImGui::GetFrameCount();
    REQUIRE(made > 0);
    for (int i = 0; i < 60; i++) { // a second of pictures below them
        ui_picture_changed(d, &whole);
        show_figures(d, "25 in a second", 3);
        CHECK_FALSE(d.draw());
    }
    CHECK(ImGui::GetFrameCount() == made);
    SECTION("a row")
    {
        show_figures(d, "24 in a second", 3);
    }
    SECTION("a graph")
    {
        show_figures(d, "25 in a second", 4);
    }
    CHECK(d.draw());
    CHECK(ImGui::GetFrameCount() > made);
    made = ImGui::GetFrameCount();
    CHECK_FALSE(d.draw());
    CHECK(ImGui::GetFrameCount() == made);
}

TEST_CASE("drawing: the entries of a menu are whole in a narrow window")
{
    const ui_menu_entry entries[] = {
        {"Close", nullptr, nullptr, nullptr, 'c', false, true, false},
        {"Ask the server for a screen that is as large as this window", nullptr, nullptr,
         "Ctrl+Alt+Shift+Enter", 'a', false, true, false},
        {"Quality", nullptr, "as the link has room for it, and never below 3", nullptr, 'q', false,
         true, false},
    };
    const ui_menu menu = {"Menu", entries, 3, 0, ignore, nullptr};
    int high[2] = {};

    for (int i = 0; i < 2; i++) {
        Drawing d(i == 0 ? 900 : 320, 600);
        ui_show_menu(d, &menu);
        d.draw();
        const rect page = d.page();
        REQUIRE(page.w > 200);
        REQUIRE(page.w < (i == 0 ? 900 : 320));
        high[i] = page.h;
        // nothing reaches the edge of the rows, where it would be cut
        long outside = 0;
        for (int y = page.y + 8; y < page.y + page.h - 8; y++)
            for (int x = page.x + page.w - 18; x < page.x + page.w - 6; x++)
                outside += d.at(x, y) != PANEL && d.at(x, y) != FOCUS;
        CHECK(outside == 0);
    }
    CHECK(high[1] > high[0] + 2 * 12); // they have more lines there
}
