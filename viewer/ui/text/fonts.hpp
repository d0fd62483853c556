/* The system's fonts, for the characters that are to be shown and no others.
 *
 * Fontconfig names the fonts: its sans-serif one, and for each character which that lacks the first
 * one that has it. So every script shows for which the system has a font. ImGui draws from an
 * atlas, a picture of all characters; it is made anew when a new character is needed.
 *
 * What it cannot: joined and right-to-left scripts stand letter by letter, from left to right, and
 * characters above U+FFFF show as the replacement. The shaper (text.hpp) is for these.
 */
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include <fontconfig/fontconfig.h>
#include <imgui.h>

namespace kit
{

class Fonts
{
  public:
    Fonts(); /* asks nobody yet: what the system has is looked up when something is shown first */
    ~Fonts();
    Fonts(const Fonts &) = delete;
    Fonts &operator=(const Fonts &) = delete;

    /* These characters will be shown. */
    void need(const char *utf8);

    /* Whether build() has something to do: new characters, or another scale. */
    bool is_old(float scale) const;

    /* Makes the atlas; not inside a frame. What was drawn from before is void then. */
    void build(ImFontAtlas &atlas, float scale);

    ImFont *text = nullptr, *title = nullptr, *small = nullptr;
    ImFont *code = nullptr; /* every character is as wide as the others */

  private:
    /* The fonts of a family, best first, and what replaces it. */
    struct Family {
        FcFontSet *fonts = nullptr;
    };
    /* A file's bytes; they stay, because the atlas reads them each time it is made. */
    struct File {
        std::vector<unsigned char> bytes;
    };

    void look_up();
    Family find(const char *name);
    const File *load(const FcPattern *font);
    ImFont *add(ImFontAtlas &atlas, const Family &family, float size);

    FcConfig *config_ = nullptr; /* none before look_up() */
    Family sans_, mono_;
    std::map<std::string, File> files_;
    std::set<ImWchar> needed_;
    std::vector<std::vector<ImWchar>> ranges_; /* the atlas reads them while it is made */
    float scale_ = 0;
    bool news_ = true;
};

} // namespace kit
