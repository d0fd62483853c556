/* Dear ImGui between SDL's events and SDL's renderer. One instance at a time.
 *
 * ImGui gets the pointer, typed text, and the keys that edit a text. All other keys belong to the
 * pages (widgets.hpp). Each press and release is followed by a frame, so that none is lost however
 * fast they come.
 */
#pragma once

#include <functional>

#include <SDL_events.h>
#include <SDL_render.h>
#include <imgui.h>

#include "rfb/region.h"
#include "viewer/ui/text/fonts.hpp"
#include "viewer/ui/text/text.hpp"

namespace kit
{

/* The pixels that the window being built takes. */
struct rect window_rect();

class Toolkit
{
  public:
    Toolkit();
    ~Toolkit();
    Toolkit(const Toolkit &) = delete;
    Toolkit &operator=(const Toolkit &) = delete;

    /* All keys and buttons count as released. */
    void let_go();

    /* Tells ImGui of an event; `pixels` are how many a unit of the window has. `frame` is called
     * where a frame has to pass before the next event. */
    void feed(const SDL_Event &event, float pixels, const std::function<void()> &frame);

    /* One frame: `build` makes what is in it. */
    void frame(float width, float height, float scale, const std::function<void()> &build);

    /* Draws what the last frame has made. */
    void draw(SDL_Renderer *renderer);
    void forget_renderer();

    /* Makes a texture of pixels 0x00RRGGBB, or NULL. It is void after forget_renderer(). */
    static SDL_Texture *texture(SDL_Renderer *renderer, const uint32_t *pixels, int w, int h);

    /* Overwrites what was pasted last. */
    static void forget_pasted();

    Fonts fonts;
    Texts texts;

  private:
    void key(const SDL_KeyboardEvent &e, const std::function<void()> &frame);
    bool make_atlas_texture(SDL_Renderer *renderer);

    ImGuiContext *context_;
    SDL_Texture *atlas_ = nullptr;
    uint64_t last_frame_ = 0; /* SDL's ticks */
};

} // namespace kit
