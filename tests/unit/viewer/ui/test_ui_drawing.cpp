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

// Of viewer/ui/widgets/look.cpp, dark.
const uint32_t PANEL = 0x21262d, FIELD = 0x171b20, FOCUS = 0x2f74d8;

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
    // The lowest row of so many pixels side by side, at least, of this colour.
    rect lowest(uint32_t colour, int least) const
    {
        for (int y = view_.window_h - 1; y >= 0; y--)
            for (int x = 0, run = 0; x < view_.window_w; x++) {
                run = at(x, y) == colour ? run + 1 : 0;
                if (run >= least && (x + 1 == view_.window_w || at(x + 1, y) != colour))
                    return {x + 1 - run, y, run, 1};
            }
        return {};
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

// What the start window says last.
struct Answer {
    int count = 0;
    std::string address;
    std::string profile;
    bool nearby = false, view_only = false;
    bool options = false, removal = false;
    std::string way = "none";
};

void take(void *owner, const ui_choice *choice)
{
    auto *a = static_cast<Answer *>(owner);
    a->count++;
    a->address = choice ? choice->address : "";
    a->profile = choice && choice->profile ? choice->profile : "";
    a->nearby = choice && choice->nearby;
    a->view_only = choice && choice->view_only;
    a->way = choice && choice->way ? choice->way : "none";
}

void take_options(void *owner, const ui_choice *choice)
{
    take(owner, choice);
    static_cast<Answer *>(owner)->options = true;
}

void take_removal(void *owner, const ui_choice *choice)
{
    take(owner, choice);
    static_cast<Answer *>(owner)->removal = true;
}

void show_profile(Drawing &d, Answer &to)
{
    const ui_profile one = {"desk", "desk:1", nullptr};
    ui_start s = {};
    s.first.address = "typed:1";
    s.profiles = &one;
    s.profile_count = 1;
    s.chosen = take;
    s.options = take_options;
    s.remove = take_removal;
    s.owner = &to;
    ui_show_start(d, &s);
    d.draw();
}

void show_start(Drawing &d, Answer &to, const char *address, bool nearby, bool recent = false)
{
    const ui_server one = {"desk:1", "a desk", nullptr, 0, 0, "via=gate", "desk:1 through gate"};
    ui_start s = {};
    s.first.address = address;
    s.first.nearby = nearby;
    s.servers = &one;
    s.count = recent ? 1 : 0;
    s.chosen = s.options = take;
    s.owner = &to;
    ui_show_start(d, &s);
    d.draw();
}

// What a dialog says last.
struct Decision {
    int count = 0;
    ui_answer answer = UI_CANCELLED;
    bool keeps = false;
};

void decide(void *owner, ui_answer answer, const char *, const char *)
{
    auto *to = static_cast<Decision *>(owner);
    to->count++;
    to->answer = answer;
}

void keep(void *owner, bool on)
{
    static_cast<Decision *>(owner)->keeps = on;
}

void find(Drawing &d, int count)
{
    const ui_nearby found[] = {
        {"one", "10.9.9.1:7", false}, {"two", "10.9.9.2:7", true}, {"three", "10.9.9.3:7", false}};
    ui_show_nearby(d, found, count);
    CHECK(d.draw());
}

void press(Drawing &d, SDL_Keycode key)
{
    SDL_Event e = {};
    e.type = SDL_KEYDOWN;
    e.key.keysym.sym = key;
    CHECK(ui_event(d, &e));
    e.type = SDL_KEYUP;
    ui_event(d, &e);
    d.draw();
}

void point(Drawing &d, int x, int y)
{
    SDL_Event e = {};
    e.type = SDL_MOUSEMOTION;
    e.motion.x = x;
    e.motion.y = y;
    CHECK(ui_event(d, &e));
    d.draw();
}

void click(Drawing &d, int x, int y)
{
    SDL_Event e = {};
    point(d, x, y);
    e.button.button = SDL_BUTTON_LEFT;
    e.button.x = x;
    e.button.y = y;
    for (const Uint32 type : {SDL_MOUSEBUTTONDOWN, SDL_MOUSEBUTTONUP}) {
        e.type = type;
        CHECK(ui_event(d, &e));
        d.draw();
    }
}

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

TEST_CASE("drawing: the letter of a menu's entry is underlined by whole pixels")
{
    const uint32_t underlined = 0x4186ea; // of viewer/ui/widgets/look.cpp, dark
    const ui_menu_entry entries[] = {
        {"Close", nullptr, nullptr, nullptr, 'c', false, true, false},
        {"Open", nullptr, nullptr, nullptr, 'o', false, true, false},
    };
    const ui_menu menu = {"Menu", entries, 2, 0, ignore, nullptr};
    Drawing d(800, 600);

    ui_show_menu(d, &menu);
    d.draw();
    const rect line = d.lowest(underlined, 5);
    REQUIRE(line.w >= 5);
    for (int x = line.x; x < line.x + line.w; x++)
        CHECK(d.at(x, line.y + 1) == PANEL);
}

TEST_CASE("drawing: the entries of a menu stand closer in a low window")
{
    const int entry_count = 20;
    ui_menu_entry entries[entry_count] = {};
    for (int i = 0; i < entry_count; i++)
        entries[i] = {"An entry", nullptr, nullptr, nullptr, 'e', false, true, i % 5 == 4};
    const ui_menu menu = {"Menu", entries, entry_count, 0, ignore, nullptr};
    const int margin = 12;
    int loose = 0;
    // how many rows of pixels the entry with the focus has
    auto focus = [](const Drawing &d, const rect &page) {
        int rows = 0;
        for (int y = page.y; y < page.y + page.h; y++)
            rows += d.at(page.x + page.w / 2, y) == FOCUS;
        return rows;
    };

    {
        Drawing d(800, 1000);
        ui_show_menu(d, &menu);
        d.draw();
        loose = d.page().h;
        REQUIRE(loose > 500);
    }
    for (int lacking : {60, 400}) { // the second one has to scroll
        const int room = loose - lacking;
        Drawing d(800, room + 2 * margin);
        ui_show_menu(d, &menu);
        d.draw();
        const rect page = d.page();
        CHECK(page.h <= room);
        CHECK(page.h > room - 2 * entry_count);
        const int first = focus(d, page);
        CHECK(first > 16);
        press(d, SDLK_END);
        CHECK(focus(d, page) == first);
        press(d, SDLK_HOME);
        CHECK(focus(d, page) == first);
    }
}

TEST_CASE("drawing: the statistics stand below the bar, where they would meet")
{
    Drawing d(600, 500);
    show_figures(d, "25 in a second", 3);
    d.draw();
    rect covers[UI_COVERS];
    int count = 0;
    REQUIRE(ui_covers(d, covers, &count));
    REQUIRE(count == 1);
    const rect before = covers[0];
    const ui_bar bar = {
        "The connection is lost: connecting again in 3 s", "Now", "Stop", true, nullptr, nullptr};
    ui_notice(d, &bar, 0);
    d.draw();
    REQUIRE(ui_covers(d, covers, &count));
    REQUIRE(count == 2);
    CHECK(covers[0].y >= covers[1].y + covers[1].h);
    ui_notice(d, nullptr, 0);
    d.draw();
    REQUIRE(ui_covers(d, covers, &count));
    CHECK(covers[0].y == before.y);
}

TEST_CASE("drawing: who is found nearby moves nothing under the pointer")
{
    Answer answer;
    Drawing d(800, 600);
    show_start(d, answer, "", false, true);
    const rect before = d.page();
    point(d, before.x + before.w / 2, before.y + before.h / 2);
    find(d, 3);
    const rect now = d.page();
    CHECK(now.y == before.y);
    CHECK(now.h == before.h);
    point(d, 2, 2);
    CHECK(d.page().h > before.h);
    CHECK(answer.count == 0);
}

TEST_CASE("drawing: who is found nearby leaves the focus where it is")
{
    Answer answer;
    Drawing d(800, 600);
    show_start(d, answer, "", false);
    press(d, SDLK_TAB); // to the first box
    find(d, 2);
    press(d, SDLK_SPACE);
    CHECK(answer.count == 0); // and no server was chosen
}

TEST_CASE("drawing: an address that was announced is one until another is typed or chosen")
{
    Answer answer;
    Drawing d(800, 600);
    show_start(d, answer, "", false);
    find(d, 1);
    press(d, SDLK_TAB);
    press(d, SDLK_RETURN);
    REQUIRE(answer.count == 1);
    CHECK(answer.address == "10.9.9.1:7");
    CHECK(answer.nearby);
    CHECK(answer.way.empty()); // it is in this network

    show_start(d, answer, "10.9.9.1:7", true, true); // back to the start window
    SECTION("as it is")
    {
        press(d, SDLK_RETURN);
        CHECK(answer.nearby);
        CHECK(answer.way == "none");
    }
    SECTION("another is typed")
    {
        SDL_Event e = {};
        press(d, SDLK_5);
        e.type = SDL_TEXTINPUT;
        strcpy(e.text.text, "5");
        CHECK(ui_event(d, &e));
        press(d, SDLK_RETURN);
        CHECK(answer.address != "10.9.9.1:7");
        CHECK_FALSE(answer.nearby);
    }
    SECTION("a server that was shown is chosen")
    {
        press(d, SDLK_TAB);
        press(d, SDLK_RETURN);
        CHECK(answer.address == "desk:1");
        CHECK_FALSE(answer.nearby);
        CHECK(answer.way == "via=gate");
    }
    CHECK(answer.count == 2);
}

TEST_CASE("drawing: a profile's options and its removal are asked for at its card")
{
    Answer answer;
    Drawing d(800, 600);
    bool options = false, removal = false;
    show_profile(d, answer);
    SECTION("by the keyboard, where the card has it")
    {
        press(d, SDLK_F2);
        CHECK(answer.count == 0);
        press(d, SDLK_TAB); // from the field
        SECTION("its options")
        {
            press(d, SDLK_F2);
            options = true;
        }
        SECTION("its removal")
        {
            press(d, SDLK_DELETE);
            removal = true;
        }
    }
    SECTION("by the pointer, at the right end")
    {
        const rect end = d.lowest(FIELD, 200); // without its round corners
        SECTION("the words")
        {
            click(d, end.x + end.w - 60, end.y - 30);
            options = true;
        }
        SECTION("the cross")
        {
            click(d, end.x + end.w - 8, end.y - 30);
            removal = true;
        }
    }
    SECTION("and not elsewhere on it")
    {
        const rect end = d.lowest(FIELD, 200);
        click(d, end.x + end.w / 2, end.y - 30);
    }
    CHECK(answer.count == 1);
    CHECK(answer.profile == "desk");
    CHECK(answer.options == options);
    CHECK(answer.removal == removal);
    CHECK(answer.address == (options || removal ? "typed:1" : ""));
}

TEST_CASE("drawing: Enter on a box presses the coloured button, Space ticks the box")
{
    Answer answer;
    Drawing d(800, 600);
    show_start(d, answer, "desk:1", false);
    press(d, SDLK_TAB); // to the first box
    bool ticked = false;
    SECTION("as it is") {}
    SECTION("ticked")
    {
        press(d, SDLK_SPACE);
        ticked = true;
    }
    CHECK(answer.count == 0);
    press(d, SDLK_RETURN);
    CHECK(answer.count == 1);
    CHECK(answer.address == "desk:1");
    CHECK(answer.view_only == ticked);
}

TEST_CASE("drawing: Enter at the box of a password logs in")
{
    Decision said;
    Drawing d(800, 600);
    ui_dialog q = {};
    q.title = "Password for desk:1";
    q.ask_password = true;
    q.keep = "Remember it in the keyring";
    q.keep_chosen = keep;
    q.accept = "Log in";
    q.cancel = "Cancel";
    q.answered = decide;
    q.owner = &said;
    ui_ask(d, &q);
    d.draw();
    press(d, SDLK_TAB);
    press(d, SDLK_TAB); // behind "Show the password"
    press(d, SDLK_SPACE);
    CHECK(said.count == 0);
    press(d, SDLK_RETURN);
    CHECK(said.count == 1);
    CHECK(said.answer == UI_ACCEPTED);
    CHECK(said.keeps);
}

TEST_CASE("drawing: a question of trust is refused until a button that accepts is chosen")
{
    Decision said;
    Drawing d(800, 600);
    ui_dialog q = {};
    q.title = "Is this really desk:1?";
    q.accept = "Accept and remember";
    q.once = "Only this time";
    q.cancel = "Refuse";
    q.cancel_by_default = true;
    q.answered = decide;
    q.owner = &said;
    ui_ask(d, &q);
    d.draw();
    ui_answer wanted = UI_CANCELLED;
    SECTION("at first") {}
    SECTION("the next button")
    {
        press(d, SDLK_TAB);
        wanted = UI_ACCEPTED_ONCE;
    }
    SECTION("the last one")
    {
        press(d, SDLK_UP);
        wanted = UI_ACCEPTED;
    }
    press(d, SDLK_RETURN);
    CHECK(said.count == 1);
    CHECK(said.answer == wanted);
}
