#include "toolkit.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include <SDL_clipboard.h>
#include <SDL_timer.h>

/* ImGui takes keys as events since 1.87; before, as an array that it looks at in each frame. */
#define HAS_KEY_EVENTS (IMGUI_VERSION_NUM >= 18700)

namespace kit
{

namespace
{

const int NO_KEY = -1;

struct EditKey {
    SDL_Keycode sdl;
    int imgui;
};

const EditKey edit_keys[] = {
    {SDLK_LEFT, ImGuiKey_LeftArrow},
    {SDLK_RIGHT, ImGuiKey_RightArrow},
    {SDLK_HOME, ImGuiKey_Home},
    {SDLK_END, ImGuiKey_End},
    {SDLK_INSERT, ImGuiKey_Insert},
    {SDLK_DELETE, ImGuiKey_Delete},
    {SDLK_BACKSPACE, ImGuiKey_Backspace},
    {SDLK_a, ImGuiKey_A},
    {SDLK_c, ImGuiKey_C},
    {SDLK_v, ImGuiKey_V},
    {SDLK_x, ImGuiKey_X},
    {SDLK_y, ImGuiKey_Y},
    {SDLK_z, ImGuiKey_Z},
};

int edit_key(SDL_Keycode sdl)
{
    for (const EditKey &k : edit_keys)
        if (k.sdl == sdl)
            return k.imgui;
    return NO_KEY;
}

void tell_key(int key, bool down)
{
#if HAS_KEY_EVENTS
    ImGui::GetIO().AddKeyEvent(static_cast<ImGuiKey>(key), down);
#else
    ImGui::GetIO().KeysDown[key] = down;
#endif
}

void tell_modifiers(unsigned mod)
{
    ImGuiIO &io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18900
    io.AddKeyEvent(ImGuiMod_Ctrl, mod & KMOD_CTRL);
    io.AddKeyEvent(ImGuiMod_Shift, mod & KMOD_SHIFT);
    io.AddKeyEvent(ImGuiMod_Alt, mod & KMOD_ALT);
#else
    io.KeyCtrl = mod & KMOD_CTRL;
    io.KeyShift = mod & KMOD_SHIFT;
    io.KeyAlt = mod & KMOD_ALT;
#endif
}

void tell_pointer(float x, float y)
{
#if HAS_KEY_EVENTS
    ImGui::GetIO().AddMousePosEvent(x, y);
#else
    ImGui::GetIO().MousePos = ImVec2(x, y);
#endif
}

void tell_button(bool down)
{
#if HAS_KEY_EVENTS
    ImGui::GetIO().AddMouseButtonEvent(0, down);
#else
    ImGui::GetIO().MouseDown[0] = down;
#endif
}

void tell_wheel(float turn)
{
#if HAS_KEY_EVENTS
    ImGui::GetIO().AddMouseWheelEvent(0, turn);
#else
    ImGui::GetIO().MouseWheel += turn;
#endif
}

std::string pasted;

/* The fonts have to know what comes in. */
Fonts *fonts_of_paste;

const char *paste()
{
    char *text = SDL_GetClipboardText();

    pasted = text ? text : "";
    if (text)
        explicit_bzero(text, strlen(text)); /* it may be a password */
    SDL_free(text);
    fonts_of_paste->need(pasted.c_str());
    return pasted.c_str();
}

void copy(const char *text)
{
    SDL_SetClipboardText(text);
}

void set_clipboard()
{
#if IMGUI_VERSION_NUM >= 19110
    ImGui::GetPlatformIO().Platform_GetClipboardTextFn = [](ImGuiContext *) { return paste(); };
    ImGui::GetPlatformIO().Platform_SetClipboardTextFn = [](ImGuiContext *, const char *text) {
        copy(text);
    };
#else
    ImGui::GetIO().GetClipboardTextFn = [](void *) { return paste(); };
    ImGui::GetIO().SetClipboardTextFn = [](void *, const char *text) { copy(text); };
#endif
}

} // namespace

struct rect window_rect()
{
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    const int x = static_cast<int>(std::floor(at.x)), y = static_cast<int>(std::floor(at.y));

    return {x, y, static_cast<int>(std::ceil(at.x + size.x)) - x,
            static_cast<int>(std::ceil(at.y + size.y)) - y};
}

Toolkit::Toolkit() : context_(ImGui::CreateContext())
{
    ImGuiIO &io = ImGui::GetIO();

    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.UserData = &texts;
    io.ConfigInputTextCursorBlink = false; /* what blinks has to be drawn again and again */
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    fonts_of_paste = &fonts;
    set_clipboard();
#if !HAS_KEY_EVENTS
    for (const EditKey &k : edit_keys)
        io.KeyMap[k.imgui] = k.imgui;
#endif
}

Toolkit::~Toolkit()
{
    ImGui::DestroyContext(context_);
    forget_pasted();
}

void Toolkit::forget_pasted()
{
    explicit_bzero(pasted.data(), pasted.size());
    pasted.clear();
}

void Toolkit::let_go()
{
    for (const EditKey &k : edit_keys)
        tell_key(k.imgui, false);
    tell_modifiers(0);
    tell_button(false);
}

void Toolkit::key(const SDL_KeyboardEvent &e, const std::function<void()> &frame)
{
    int k = edit_key(e.keysym.sym);

    tell_modifiers(e.keysym.mod);
    if (k == NO_KEY)
        return;
    if (e.repeat) { /* SDL repeats, not ImGui */
        tell_key(k, false);
        frame();
    }
    tell_key(k, e.type == SDL_KEYDOWN);
    frame();
}

void Toolkit::feed(const SDL_Event &e, float pixels, const std::function<void()> &frame)
{
    switch (e.type) {
    case SDL_KEYDOWN:
    case SDL_KEYUP:
        key(e.key, frame);
        break;
    case SDL_TEXTINPUT:
        fonts.need(e.text.text);
        ImGui::GetIO().AddInputCharactersUTF8(e.text.text);
        frame();
        break;
    case SDL_MOUSEMOTION:
        tell_pointer(static_cast<float>(e.motion.x) * pixels,
                     static_cast<float>(e.motion.y) * pixels);
        break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        if (e.button.button != SDL_BUTTON_LEFT)
            break;
        tell_pointer(static_cast<float>(e.button.x) * pixels,
                     static_cast<float>(e.button.y) * pixels);
        frame(); /* what is under the pointer is known one frame later */
        tell_button(e.type == SDL_MOUSEBUTTONDOWN);
        frame();
        break;
    case SDL_MOUSEWHEEL:
        tell_wheel(e.wheel.preciseY);
        frame();
        break;
    }
}

void Toolkit::frame(float width, float height, float scale, const std::function<void()> &build)
{
    ImGuiIO &io = ImGui::GetIO();
    uint64_t now = SDL_GetTicks64();

    if (fonts.is_old(scale)) {
        fonts.build(*io.Fonts, scale);
        io.Fonts->SetTexID((ImTextureID)(intptr_t)this); /* draw() knows what it stands for */
        forget_renderer();
    }
    io.DisplaySize = ImVec2(width, height);
    io.DeltaTime = std::clamp(static_cast<float>(now - last_frame_) / 1000, 0.001f, 0.1f);
    last_frame_ = now;
    ImGui::NewFrame();
    ImGui::PushFont(fonts.text);
    build();
    ImGui::PopFont();
    ImGui::Render();
}

SDL_Texture *Toolkit::texture(SDL_Renderer *renderer, const uint32_t *pixels, int w, int h)
{
    SDL_Texture *t =
        SDL_CreateTexture(renderer, SDL_PIXELFORMAT_RGB888, SDL_TEXTUREACCESS_STATIC, w, h);

    if (t && SDL_UpdateTexture(t, nullptr, pixels, w * 4) != 0) {
        SDL_DestroyTexture(t);
        t = nullptr;
    }
    if (t)
        SDL_SetTextureScaleMode(t, SDL_ScaleModeLinear);
    return t;
}

bool Toolkit::make_atlas_texture(SDL_Renderer *renderer)
{
    unsigned char *pixels;
    int w, h;

    if (atlas_)
        return true;
    ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &w, &h);
    atlas_ = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_STATIC, w, h);
    if (!atlas_ || SDL_UpdateTexture(atlas_, nullptr, pixels, w * 4) != 0)
        return false;
    SDL_SetTextureBlendMode(atlas_, SDL_BLENDMODE_BLEND);
    return true;
}

void Toolkit::forget_renderer()
{
    if (atlas_)
        SDL_DestroyTexture(atlas_);
    atlas_ = nullptr;
}

void Toolkit::draw(SDL_Renderer *renderer)
{
    const ImDrawData *data = ImGui::GetDrawData();

    if (!data || !make_atlas_texture(renderer))
        return;
#if IMGUI_VERSION_NUM >= 18908
    const int lists = data->CmdLists.Size; /* the other one is 0 since 1.92.9 */
#else
    const int lists = data->CmdListsCount;
#endif
    for (int i = 0; i < lists; i++) {
        const ImDrawList *list = data->CmdLists[i];
        for (const ImDrawCmd &c : list->CmdBuffer) {
            int left = std::max(static_cast<int>(c.ClipRect.x), 0);
            int top = std::max(static_cast<int>(c.ClipRect.y), 0);
            int right = static_cast<int>(std::min(c.ClipRect.z, data->DisplaySize.x));
            int bottom = static_cast<int>(std::min(c.ClipRect.w, data->DisplaySize.y));
            SDL_Rect clip = {left, top, right - left, bottom - top};
            const ImDrawVert *v = list->VtxBuffer.Data + c.VtxOffset;

            if (c.UserCallback || c.ElemCount == 0 || clip.w <= 0 || clip.h <= 0)
                continue;
            /* pictures bring a texture of their own; all else is in the atlas */
            auto id = reinterpret_cast<void *>((intptr_t)c.GetTexID());
            auto texture = id == this ? atlas_ : static_cast<SDL_Texture *>(id);
            SDL_RenderSetClipRect(renderer, &clip);
            SDL_RenderGeometryRaw(renderer, texture, &v->pos.x, sizeof *v,
                                  reinterpret_cast<const SDL_Color *>(&v->col), sizeof *v, &v->uv.x,
                                  sizeof *v, list->VtxBuffer.Size - static_cast<int>(c.VtxOffset),
                                  list->IdxBuffer.Data + c.IdxOffset, static_cast<int>(c.ElemCount),
                                  sizeof(ImDrawIdx));
        }
    }
    SDL_RenderSetClipRect(renderer, nullptr);
}

} // namespace kit
