#include "viewer/ui/ui.h"

#include <algorithm>
#include <memory>
#include <new>

#include "viewer/ui/overlay/figures.hpp"
#include "viewer/ui/overlay/notices.hpp"
#include "viewer/ui/overlay/strip.hpp"
#include "viewer/ui/pages/dialog.hpp"
#include "viewer/ui/pages/form_page.hpp"
#include "viewer/ui/pages/menu_page.hpp"
#include "viewer/ui/pages/start_page.hpp"
#include "viewer/ui/widgets/toolkit.hpp"

namespace
{

/* ImGui places what is new, and gives it the focus, only in the frames after the first. */
const int FRAMES_TO_SETTLE = 3;

/* A window that is less high than this is small, in pixels of an ordinary display. */
const float SMALL = 560;

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
    const enum ui_theme theme; /* as asked for */
    kit::Look look;
    kit::Toolkit toolkit;
    kit::Widgets widgets;
    kit::Notices notices;
    kit::Figures figures;
    kit::Strip strip;
    std::unique_ptr<kit::Page> page;
    struct rect page_at = {}; /* in pixels of the window; empty: there is none */
    struct ui_view view = {640, 480, 0, false, {}};
    float width = 640, height = 480; /* pixels; of what was drawn last */
    bool changed = false;
    bool settled = true;   /* the page is placed, and ImGui knows the focus */
    bool over_bar = false; /* the pointer, over a bar that lets input pass */
    bool key_used = false; /* the key that was pressed last: the text that it types is not wanted */
    bool stale = true;     /* what the toolkit has made for drawing is not what is to be seen */

    explicit ui(enum ui_theme theme)
        : theme(theme), look(kit::Look::make(theme_find(theme, SCHEME_UNKNOWN))),
          widgets(look, toolkit.fonts)
    {
    }

    /* What the page's fields held: it may be a password. */
    void forget_typed()
    {
        widgets.wipe();
        kit::Toolkit::forget_pasted();
    }
    void close()
    {
        if (page)
            page->interrupt();
        page.reset();
    }
    void open(std::unique_ptr<kit::Page> next)
    {
        close();
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
    bool input_on_bar(const SDL_Event &e);
};

/* The page is a window of ImGui's in the middle. True: it has been answered. */
bool ui::build_page(kit::Key key)
{
    const ImGuiStyle &style = ImGui::GetStyle();
    const bool tight = page->fills() && height < SMALL * look.unit;
    const float margin = 12 * look.unit, above = tight ? margin / 2 : margin;
    const float wide = std::min(page->width() * look.unit, std::max(width - 2 * margin, 1.0f));
    const float high = std::max(height - 2 * above, 1.0f);
    const ImVec2 padding(style.WindowPadding.x, tight ? margin : style.WindowPadding.y),
        spacing(style.ItemSpacing.x, tight ? 5 * look.unit : style.ItemSpacing.y);
    bool answered;

    ImGui::SetNextWindowPos(ImVec2(width / 2, height / 2), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSizeConstraints(ImVec2(wide, 0), ImVec2(wide, high));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, spacing);
    ImGui::Begin("##page", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoNav);
    widgets.begin(key, high);
    answered = page->build(widgets);
    widgets.end();
    page_at = kit::window_rect();
    ImGui::End();
    ImGui::PopStyleVar(2);
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
        page_at = {};
        if (page)
            answered = build_page(key);
        if (!figures.empty())
            figures.build(look, toolkit.fonts, notices.bar_at());
        if (!page && !strip.empty())
            strip.build(look);
        pressed = notices.build(look, toolkit.fonts, view.picture ? view.at : rect{},
                                figures.empty() ? rect{} : figures.at(), page_at, !page, key);
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
        key_used = true;
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
        key_used = false;
        toolkit.feed(e, pixels(), [&] { frame(kit::Key::NONE); });
        break;
    case SDL_TEXTINPUT:
        if (key_used)
            break;
        [[fallthrough]];
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

/* The bar lets pass what is not done to it. A release comes here only when the press did. */
bool ui::input_on_bar(const SDL_Event &e)
{
    const float p = pixels();
    bool was_over;

    switch (e.type) {
    case SDL_MOUSEMOTION:
        was_over = over_bar;
        over_bar = notices.is_on_bar(static_cast<float>(e.motion.x) * p,
                                     static_cast<float>(e.motion.y) * p);
        if (over_bar || was_over)
            input(e);
        return over_bar;
    case SDL_MOUSEBUTTONDOWN:
        return notices.is_on_bar(static_cast<float>(e.button.x) * p,
                                 static_cast<float>(e.button.y) * p) &&
               input(e);
    case SDL_MOUSEBUTTONUP:
        return input(e);
    default:
        return false;
    }
}

struct ui *ui_create(enum ui_theme theme)
{
    return new (std::nothrow) struct ui(theme);
}

void ui_set_colour_scheme(struct ui *ui, enum colour_scheme scheme)
{
    const float unit = ui->look.unit;

    ui->look = kit::Look::make(theme_find(ui->theme, scheme));
    ui->look.unit = unit;
    ui->look.apply();
    ui->changed = true;
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

void ui_show_nearby(struct ui *ui, const struct ui_nearby *servers, int count)
{
    if (!ui->page || !ui->page->nearby(servers, count, ui->toolkit.fonts))
        return;
    ui->changed = true;
    ui->settled = false;
}

void ui_show_menu(struct ui *ui, const struct ui_menu *menu)
{
    ui->open(std::make_unique<kit::MenuPage>(*menu, ui->toolkit.fonts));
}

void ui_show_form(struct ui *ui, const struct ui_form *form)
{
    ui->open(std::make_unique<kit::FormPage>(*form, ui->toolkit.fonts));
}

void ui_show_facts(struct ui *ui, const char *title, const struct ui_fact *facts, int count)
{
    ui->open(std::make_unique<kit::FactsPage>(title, facts, count, ui->toolkit.fonts));
}

void ui_show_figures(struct ui *ui, const struct ui_figures *figures)
{
    if (!figures && ui->figures.empty())
        return;
    if (!figures)
        ui->figures.hide();
    if (!figures || ui->figures.set(*figures, ui->toolkit.fonts))
        ui->changed = true;
}

void ui_show_strip(struct ui *ui, const struct ui_strip *strip)
{
    ui->strip.set(strip, strip ? static_cast<float>(strip->x) * ui->pixels() : 0,
                  ui->toolkit.fonts);
    ui->changed = true;
}

void ui_light_strip(struct ui *ui, int button)
{
    if (ui->strip.light(button))
        ui->changed = true;
}

bool ui_has_pointer(const struct ui *ui)
{
    return ui->page || ui->strip.is_lit();
}

bool ui_strip_has(const struct ui *ui, int x, int y)
{
    return ui->strip.has(static_cast<float>(x) * ui->pixels(),
                         static_cast<float>(y) * ui->pixels());
}

int ui_strip_button(const struct ui *ui, int x, int y)
{
    return ui->strip.button(static_cast<float>(x) * ui->pixels(),
                            static_cast<float>(y) * ui->pixels());
}

int ui_strip_bottom(const struct ui *ui)
{
    const struct rect &at = ui->strip.at();

    return static_cast<int>(static_cast<float>(at.y + at.h) / ui->pixels());
}

void ui_close(struct ui *ui)
{
    if (ui->page)
        ui->changed = true;
    ui->close();
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

bool ui_is_form(const struct ui *ui)
{
    return dynamic_cast<const kit::FormPage *>(ui->page.get()) != nullptr;
}

void ui_notice(struct ui *ui, const struct ui_bar *bar, tick_t now)
{
    if (ui->notices.state(bar, now, ui->toolkit.fonts))
        ui->changed = true;
}

void ui_message(struct ui *ui, const char *text, tick_t now)
{
    ui_message_while(ui, UI_EVENT, text, now);
}

void ui_message_while(struct ui *ui, enum ui_topic topic, const char *text, tick_t now)
{
    if (ui->notices.message(topic, text, now, ui->toolkit.fonts))
        ui->changed = true;
}

bool ui_event(struct ui *ui, const SDL_Event *event)
{
    if (event->type == SDL_WINDOWEVENT && event->window.event == SDL_WINDOWEVENT_FOCUS_LOST)
        ui->toolkit.let_go();
    if (event->type == SDL_MOUSEMOTION &&
        ui->notices.pointer(static_cast<float>(event->motion.x) * ui->pixels(),
                            static_cast<float>(event->motion.y) * ui->pixels()))
        ui->changed = true;
    if (ui->page || (ui->notices.has_buttons() && !ui->notices.lets_input_pass()))
        return ui->input(*event);
    return ui->notices.has_buttons() && ui->input_on_bar(*event);
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
    return ui->page || !ui->notices.empty() || !ui->figures.empty() || !ui->strip.empty();
}

bool ui_take_changed(struct ui *ui)
{
    bool changed = ui->changed;

    ui->changed = false;
    ui->stale = ui->stale || changed;
    return changed;
}

void ui_picture_changed(struct ui *ui, const struct rect *where)
{
    if (ui->notices.changed(*where))
        ui->changed = true;
}

bool ui_covers(const struct ui *ui, struct rect out[UI_COVERS], int *count)
{
    *count = 0;
    if (ui->page)
        return false;
    if (!ui->figures.empty())
        out[(*count)++] = ui->figures.at();
    if (!ui->strip.empty())
        out[(*count)++] = ui->strip.at();
    for (const struct rect &r : {ui->notices.bar_at(), ui->notices.message_at()})
        if (r.w > 0 && !ui->notices.empty())
            out[(*count)++] = r;
    return true;
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

bool same_view(const struct ui_view &a, const struct ui_view &b)
{
    return a.window_w == b.window_w && a.window_h == b.window_h && a.dpi == b.dpi &&
           a.picture == b.picture && a.at.x == b.at.x && a.at.y == b.at.y && a.at.w == b.at.w &&
           a.at.h == b.at.h;
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
    if (static_cast<float>(w) != ui->width || static_cast<float>(h) != ui->height ||
        !same_view(ui->view, *view))
        ui->stale = true;
    ui->view = *view;
    ui->width = static_cast<float>(w);
    ui->height = static_cast<float>(h);
    if (ui->page)
        ui->page->make_pictures(renderer);
    if (ui->stale || ui->page) {
        ui->toolkit.texts.begin(renderer);
        ui->settle();
    }
    ui->stale = false;
    ui->toolkit.draw(renderer);
}

void ui_forget_renderer(struct ui *ui)
{
    ui->stale = true; /* it points to textures of the renderer */
    ui->toolkit.forget_renderer();
    ui->toolkit.texts.forget_renderer();
    if (ui->page)
        ui->page->forget_pictures();
}
