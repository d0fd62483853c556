#include "text.hpp"

#include <cmath>

#include "rfb/texts/reason.h"
#include "text_fit.hpp"
#include "viewer/ui/text/script.h"

namespace kit
{

namespace
{

Texts &texts()
{
    return *static_cast<Texts *>(ImGui::GetIO().UserData);
}

Wish wish(const char *text, float room, ImU32 colour, bool is_name)
{
    const ImU32 r = colour >> IM_COL32_R_SHIFT & 255, g = colour >> IM_COL32_G_SHIFT & 255,
                b = colour >> IM_COL32_B_SHIFT & 255, a = colour >> IM_COL32_A_SHIFT & 255;

    return {text, static_cast<int>(ImGui::GetFontSize()),
            room < 1 ? 1 : static_cast<int>(std::fmin(room, Shaper::MAX)),
            a << 24 | r << 16 | g << 8 | b, is_name};
}

void draw(ImDrawList *list, ImVec2 at, Texts::Picture &p)
{
    const ImVec2 from(std::floor(at.x), std::floor(at.y)); /* else it is blurred */
    const ImVec2 to(from.x + static_cast<float>(p.drawn.width),
                    from.y + static_cast<float>(p.drawn.height));

    if (SDL_Texture *texture = texts().texture(p))
        list->AddImage((ImTextureID)(intptr_t)texture, from, to);
}

float measure(std::string_view text)
{
    return ImGui::CalcTextSize(text.data(), text.data() + text.size()).x;
}

} // namespace

Texts::~Texts()
{
    forget_renderer();
}

void Texts::forget_renderer()
{
    for (auto &[wish, picture] : pictures_) {
        if (picture.texture)
            SDL_DestroyTexture(picture.texture);
        picture.texture = nullptr;
    }
    renderer_ = nullptr;
}

void Texts::begin(SDL_Renderer *renderer)
{
    renderer_ = renderer;
    for (auto at = pictures_.begin(); at != pictures_.end();) {
        if (at->second.used) {
            at->second.used = false;
            at++;
        } else {
            if (at->second.texture)
                SDL_DestroyTexture(at->second.texture);
            at = pictures_.erase(at);
        }
    }
}

Texts::Picture *Texts::find(const Wish &wish)
{
    auto [at, is_new] = pictures_.try_emplace(wish);
    Picture &p = at->second;
    Drawn &d = p.drawn;

    p.used = true;
    if (is_new && !shaper_.draw(wish, d))
        d.width = 0;
    if (d.width < 1)
        return nullptr;
    return &p;
}

SDL_Texture *Texts::texture(Picture &p)
{
    const Drawn &d = p.drawn;

    if (renderer_ && !p.texture) {
        p.texture = SDL_CreateTexture(renderer_, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STATIC,
                                      d.width, d.height);
        if (p.texture) {
            SDL_UpdateTexture(p.texture, nullptr, d.pixels.data(), d.width * 4);
            SDL_SetTextureBlendMode(p.texture, SDL_BLENDMODE_BLEND);
        }
    }
    return p.texture;
}

std::string sentence(const char *text)
{
    std::string s = text;

    capitalise(s.data());
    return s;
}

void show_text(const char *text, float room)
{
    Texts::Picture *p = nullptr;

    if (script_is_complex(text))
        p = texts().find(wish(text, room, ImGui::GetColorU32(ImGuiCol_Text), false));
    if (p) {
        draw(ImGui::GetWindowDrawList(), ImGui::GetCursorScreenPos(), *p);
        ImGui::Dummy(
            ImVec2(static_cast<float>(p->drawn.width), static_cast<float>(p->drawn.height)));
    } else {
        /* ImGui itself would break a line after a dot, inside the name of a host */
        ImGui::TextUnformatted(in_lines(text, room).c_str());
    }
}

std::string in_lines(const char *text, float room)
{
    return wrap_words(text, std::fmax(room, 1), measure);
}

std::string shortened(const char *text, float room)
{
    return short_words(text, room, measure);
}

float text_width(const char *text)
{
    Texts::Picture *p = nullptr;

    if (script_is_complex(text))
        p = texts().find(wish(text, Shaper::MAX, ImGui::GetColorU32(ImGuiCol_Text), false));
    return p ? static_cast<float>(p->drawn.width) : ImGui::CalcTextSize(text, nullptr, false, -1).x;
}

void draw_name(ImDrawList *list, ImVec2 at, float room, ImU32 colour, const char *name)
{
    Texts::Picture *p = nullptr;

    if (script_is_complex(name))
        p = texts().find(wish(name, room, colour, true));
    if (p) {
        draw(list, at, *p);
    } else {
        list->AddText(at, colour, without_middle(name, room, measure).c_str());
    }
}

} // namespace kit
