/* Texts that may hold any script: names, and what servers say. Use these for them instead of the
 * toolkit's own functions.
 *
 * Simple texts are drawn by the toolkit, complex ones (script.h) by the shaper, as pictures. The
 * pictures are kept as long as they are shown. Where the shaper's libraries are missing the
 * toolkit draws all, letter by letter.
 */
#pragma once

#include <map>
#include <string>

#include <SDL_render.h>
#include <imgui.h>

#include "shaper.hpp"

namespace kit
{

/* The pictures. The toolkit owns the only instance; ImGui's context knows it. */
class Texts
{
  public:
    Texts() = default;
    ~Texts();
    Texts(const Texts &) = delete;
    Texts &operator=(const Texts &) = delete;

    /* Something will be drawn with this renderer: forgets the pictures that are shown no more. */
    void begin(SDL_Renderer *renderer);
    void forget_renderer();

    struct Picture {
        Drawn drawn; /* width 0: the shaper could not */
        SDL_Texture *texture = nullptr;
        bool used = false;
    };
    /* NULL: the toolkit has to draw the text. */
    Picture *find(const Wish &wish);
    /* NULL: it cannot be shown yet. */
    SDL_Texture *texture(Picture &picture);

  private:
    Shaper shaper_;
    std::map<Wish, Picture> pictures_;
    SDL_Renderer *renderer_ = nullptr;
};

/* Inside a frame, in the toolkit's font and colour: a sentence at the cursor, in lines that are at
 * most `room` pixels wide. */
void show_text(const char *text, float room);

/* As it stands alone on a page: a reason begins with a small letter, because on a terminal
 * something stands in front. */
std::string sentence(const char *text);

/* The text, whose words that are wider than `room` have lost their middle. */
std::string shortened(const char *text, float room);

/* The text in lines that are at most `room` pixels wide. */
std::string in_lines(const char *text, float room);

/* Its width in pixels, in one line. */
float text_width(const char *text);

/* A name that stands alone, in one line. Of one that is wider than `room` a part is
 * left out. */
void draw_name(ImDrawList *list, ImVec2 at, float room, ImU32 colour, const char *name);

} // namespace kit
