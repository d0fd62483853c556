#include "viewer/ui/ui.h"

#include <algorithm>
#include <memory>
#include <new>

#include "dialog.hpp"
#include "facts_page.hpp"
#include "figures.hpp"
#include "menu_page.hpp"
#include "notices.hpp"
#include "start_page.hpp"
#include "toolkit.hpp"

namespace
{

/* ImGui places what is new, and gives it the focus, only in the frames after the first. */
const int FRAMES_TO_SETTLE = 3;

/* The small letter or digit of the key; where the layout has no Latin letters, that of a US
 * keyboard. 0: it has none, or is part of a shortcut. */
char letter_of(const SDL_KeyboardEvent &e)
{
    const SDL_Keycode key = e.keysym.sym;
    const int place = e.keysym.scancode - SDL_SCANCODE_A;

    if (e.repeat || (e.keysym.mod & (KMOD_CTRL | KMOD_ALT | KMOD_GUI)))
        return 0;
    if ((key >= SDLK_a && key <= SDLK_z) || (key >= SDLK_0 && key <= SDLK_9))
        return static_cast<char>(key);
    if (key >= SDLK_KP_1 && key <= SDLK_KP_0 && (e.keysym.mod & KMOD_NUM))
        return static_cast<char>('0' + (key - SDLK_KP_1 + 1) % 10);
    return key >= 0x80 && !(key & SDLK_SCANCODE_MASK) && place >= 0 && place < 26
               ? static_cast<char>('a' + place)
               : '\0';
}

} // namespace

struct ui {
    kit::Look look;
    kit::Toolkit toolkit;
    kit::Widgets widgets;
    kit::Notices notices;
    kit::Figures figures;
    std::unique_ptr<kit::Page> page;
    struct ui_view view = {640, 480, 0, false};
    float width = 640, height = 480; /* pixels; of what was drawn last */
    bool changed = false;
    bool settled = true; /* the page is placed, and ImGui knows the focus */

    explicit ui(enum ui_theme theme)
        : look(kit::Look::make(theme_find(theme))), widgets(look, toolkit.fonts)
    {
    }

    /* What the page's fields held: it may be a password. */
    void forget_typed()
    {
        widgets.wipe();
        kit::Toolkit::forget_pasted();
    }
    void open(std::unique_ptr<kit::Page> next)
    {
        page = std::move(next);
        kit::Toolkit::forget_pasted();
        widgets.reset();
        changed = true;
        settled = false;
    }
    /* How many a unit of the window has. */
    float pixels() const
    {
        return width / static_cast<float>(std::max(view.window_w, 1));
    }
    bool build_page(kit::Key key);
    void build_ground();
    void frame(kit::Key key);
    void answer();
    void settle();
    bool input(const SDL_Event &e);
};

/* The page is a window of ImGui's in the middle. True: it has been answered. */
bool ui::build_page(kit::Key key)
{
    const float margin = 12 * look.unit;
    const float wide = std::min(page->width() * look.unit, std::max(width - 2 * margin, 1.0f));
    const float high = std::max(height - 2 * margin, 1.0f);
    bool answered;

    ImGui::SetNextWindowPos(ImVec2(width / 2, height / 2), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSizeConstraints(ImVec2(wide, 0), ImVec2(wide, high));
    ImGui::Begin("##page", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoNav);
    widgets.begin(key, high);
    answered = page->build(widgets);
    widgets.end();
    ImGui::End();
    return answered;
}

void ui::build_ground()
{
    ImDrawList *back = ImGui::GetBackgroundDrawList();

    if (!view.picture)
        back->AddRectFilled(ImVec2(0, 0), ImVec2(width, height), look.ground);
    else if (page)
        back->AddRectFilled(ImVec2(0, 0), ImVec2(width, height), look.scrim);
}

/* One frame. An answer is told after it: the callback may open another page. */
void ui::frame(kit::Key key)
{
    const float scale = theme_scale(view.dpi, view.window_w, static_cast<int>(width));
    bool answered = false, pressed = false;

    if (look.unit != scale || toolkit.fonts.is_old(scale)) {
        look.unit = scale;
        look.apply();
    }
    toolkit.frame(width, height, scale, [&] {
        build_ground();
        if (page)
            answered = build_page(key);
        if (!figures.empty())
            figures.build(look, toolkit.fonts);
        pressed = notices.build(look, !page, key);
    });
    if (answered)
        answer();
    else if (pressed)
        notices.answer();
}

void ui::answer()
{
    std::unique_ptr<kit::Page> done = std::move(page);

    changed = true;
    done->answer();
    forget_typed();
}

void ui::settle()
{
    for (int i = 0; i < FRAMES_TO_SETTLE; i++)
        frame(kit::Key::NONE);
    settled = true;
}

/* False: it is no input. */
bool ui::input(const SDL_Event &e)
{
    if (!settled)
        settle();

    switch (e.type) {
    case SDL_KEYDOWN: {
        if (page && page->letter(letter_of(e.key))) {
            answer();
            break;
        }
        kit::Key key = widgets.key_of(e.key);
        if (key != kit::Key::NONE) {
            frame(key);
            settled = false;
            break;
        }
        [[fallthrough]];
    }
    case SDL_KEYUP:
    case SDL_TEXTINPUT:
    case SDL_MOUSEMOTION:
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
    case SDL_MOUSEWHEEL:
        toolkit.feed(e, pixels(), [&] { frame(kit::Key::NONE); });
        break;
    case SDL_DROPFILE:
    case SDL_DROPTEXT:
        if (page && page->drop(e.drop.file))
            answer();
        break;
    default:
        return false;
    }
    changed = true;
    return true;
}

struct ui *ui_create(enum ui_theme theme)
{
    return new (std::nothrow) struct ui(theme);
}

void ui_destroy(struct ui *ui)
{
    if (ui)
        ui_forget_renderer(ui);
    delete ui;
}

void ui_ask(struct ui *ui, const struct ui_dialog *dialog)
{
    ui->open(std::make_unique<kit::Dialog>(*dialog, ui->toolkit.fonts));
}

void ui_show_start(struct ui *ui, const struct ui_start *start)
{
    ui->open(std::make_unique<kit::StartPage>(*start, ui->toolkit.fonts));
}

void ui_show_menu(struct ui *ui, const struct ui_menu *menu)
{
    ui->open(std::make_unique<kit::MenuPage>(*menu, ui->toolkit.fonts));
}

void ui_show_facts(struct ui *ui, const char *title, const struct ui_fact *facts, int count)
{
    ui->open(std::make_unique<kit::FactsPage>(title, facts, count, ui->toolkit.fonts));
}

void ui_show_figures(struct ui *ui, const struct ui_figures *figures)
{
    if (!figures && ui->figures.empty())
        return;
    ui->changed = true;
    if (figures)
        ui->figures.set(*figures, ui->toolkit.fonts);
    else
        ui->figures.hide();
}

void ui_close(struct ui *ui)
{
    if (ui->page)
        ui->changed = true;
    ui->page.reset();
    ui->forget_typed();
}

bool ui_is_open(const struct ui *ui)
{
    return ui->page != nullptr;
}

bool ui_is_menu(const struct ui *ui)
{
    return dynamic_cast<const kit::MenuPage *>(ui->page.get()) != nullptr;
}

void ui_notice(struct ui *ui, const struct ui_bar *bar, tick_t now)
{
    if (ui->notices.state(bar, now, ui->toolkit.fonts))
        ui->changed = true;
}

void ui_message(struct ui *ui, const char *text, tick_t now)
{
    if (ui->notices.message(text, now, ui->toolkit.fonts))
        ui->changed = true;
}

bool ui_event(struct ui *ui, const SDL_Event *event)
{
    if (event->type == SDL_WINDOWEVENT && event->window.event == SDL_WINDOWEVENT_FOCUS_LOST)
        ui->toolkit.let_go();
    if (event->type == SDL_MOUSEMOTION &&
        ui->notices.pointer(static_cast<float>(event->motion.y) * ui->pixels()))
        ui->changed = true;
    return (ui->page || ui->notices.has_buttons()) && ui->input(*event);
}

void ui_time(struct ui *ui, tick_t now)
{
    if (ui->notices.time(now))
        ui->changed = true;
}

tick_t ui_wait(const struct ui *ui)
{
    return ui->notices.wait();
}

bool ui_is_visible(const struct ui *ui)
{
    return ui->page || !ui->notices.empty() || !ui->figures.empty();
}

bool ui_take_changed(struct ui *ui)
{
    bool changed = ui->changed;

    ui->changed = false;
    return changed;
}

namespace
{

/* Where there is nothing else to show. Neither fonts nor ImGui are needed: they take longer than
 * most servers do. */
void draw_ground(SDL_Renderer *renderer, const kit::Look &look)
{
    const ImVec4 colour = ImGui::ColorConvertU32ToFloat4(look.ground);
    const auto byte = [](float part) { return static_cast<Uint8>(part * 255 + 0.5f); };

    SDL_SetRenderDrawColor(renderer, byte(colour.x), byte(colour.y), byte(colour.z),
                           SDL_ALPHA_OPAQUE);
    SDL_RenderClear(renderer);
}

} // namespace

void ui_draw(struct ui *ui, SDL_Renderer *renderer, const struct ui_view *view)
{
    int w = 0, h = 0;

    if (!ui_is_visible(ui)) {
        if (!view->picture)
            draw_ground(renderer, ui->look);
        return;
    }
    if (SDL_GetRendererOutputSize(renderer, &w, &h) != 0 || w < 1 || h < 1)
        return;
    ui->view = *view;
    ui->width = static_cast<float>(w);
    ui->height = static_cast<float>(h);
    if (ui->page)
        ui->page->make_pictures(renderer);
    ui->toolkit.texts.begin(renderer);
    ui->settle();
    ui->toolkit.draw(renderer);
}

void ui_forget_renderer(struct ui *ui)
{
    ui->toolkit.forget_renderer();
    ui->toolkit.texts.forget_renderer();
    if (ui->page)
        ui->page->forget_pictures();
}
