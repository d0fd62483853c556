#include "widgets.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>

#include <imgui_internal.h> /* ClearActiveID() */

#include "viewer/ui/text/text.hpp"

namespace kit
{

/* Frames: the list knows its height after the first, and scrolls in the one behind it. */
static const int FRESH = 3;

void Widgets::reset()
{
    focus_ = NOWHERE;
    count_before_ = 0;
    field_focused_ = field_before_ = choice_focused_ = choice_before_ = false;
    box_focused_ = box_before_ = false;
    list_high_ = FLT_MAX;
    into_field_ = true;
    show_ring_ = false;
    fresh_ = FRESH;
    ImGui::ClearActiveID();
    wipe();
}

#if IMGUI_VERSION_NUM < 18900
/* Also what stood behind its end before. */
template <typename T> static void forget(ImVector<T> &v)
{
    if (v.Data)
        explicit_bzero(v.Data, static_cast<size_t>(v.Capacity) * sizeof(T));
}
#endif

void Widgets::wipe()
{
    ImGuiContext &g = *ImGui::GetCurrentContext();
    ImGuiInputTextState &s = g.InputTextState;

    if (ImGui::GetActiveID() != 0 && ImGui::GetActiveID() == s.ID)
        ImGui::ClearActiveID();
#if IMGUI_VERSION_NUM < 18900 /* later ones keep it in other places */
    forget(s.TextW);
    forget(s.TextA);
    forget(s.InitialTextA);
    forget(g.IO.InputQueueCharacters);
    explicit_bzero(&s.Stb, sizeof s.Stb);
    explicit_bzero(g.TempBuffer, sizeof g.TempBuffer);
    s.CurLenW = s.CurLenA = 0;
#endif
    s.ClearFreeMemory();
    s.ID = 0; /* the next field begins anew */
}

Key Widgets::key_of(const SDL_KeyboardEvent &e) const
{
    const unsigned none = e.keysym.mod & (KMOD_CTRL | KMOD_ALT | KMOD_GUI);

    if (none)
        return Key::NONE;
    switch (e.keysym.sym) {
    case SDLK_TAB:
        return e.keysym.mod & KMOD_SHIFT ? Key::PREVIOUS : Key::NEXT;
    case SDLK_DOWN:
        return Key::NEXT;
    case SDLK_UP:
        return Key::PREVIOUS;
    case SDLK_RIGHT:
        return field_before_ ? Key::NONE : choice_before_ ? Key::MORE : Key::NEXT;
    case SDLK_LEFT:
        return field_before_ ? Key::NONE : choice_before_ ? Key::LESS : Key::PREVIOUS;
    case SDLK_HOME:
        return field_before_ ? Key::NONE : Key::FIRST;
    case SDLK_END:
        return field_before_ ? Key::NONE : Key::LAST;
    case SDLK_RETURN:
    case SDLK_KP_ENTER:
        return e.repeat ? Key::NONE : Key::ENTER;
    case SDLK_SPACE:
        return field_before_ || e.repeat ? Key::NONE : Key::PRESS;
    case SDLK_ESCAPE:
        return e.repeat ? Key::NONE : Key::CANCEL;
    case SDLK_DELETE:
        return field_before_ ? Key::NONE : Key::REMOVE;
    case SDLK_F2:
        return e.repeat ? Key::NONE : Key::OPTIONS;
    default:
        return Key::NONE;
    }
}

void Widgets::focus_on(int item)
{
    if (item == focus_)
        return;
    focus_ = item;
    into_field_ = true;
    /* a field that is left takes no more text; a button that is being pressed goes on */
    if (ImGui::GetActiveID() == ImGui::GetCurrentContext()->InputTextState.ID)
        ImGui::ClearActiveID();
}

static bool moves_focus(Key key)
{
    return key == Key::NEXT || key == Key::PREVIOUS || key == Key::FIRST || key == Key::LAST;
}

void Widgets::begin(Key key, float height)
{
    key_ = key;
    height_ = height;
    count_ = 0;
    field_focused_ = choice_focused_ = box_focused_ = false;
    if (count_before_ == 0)
        return;
    if (key == Key::NEXT)
        focus_on((focus_ + 1) % count_before_);
    else if (key == Key::PREVIOUS)
        focus_on((focus_ + count_before_ - 1) % count_before_);
    else if (key == Key::FIRST)
        focus_on(0);
    else if (key == Key::LAST)
        focus_on(count_before_ - 1);
    if (moves_focus(key))
        show_ring_ = true;
}

void Widgets::end()
{
    fresh_ -= fresh_ > 0;
    count_before_ = count_;
    field_before_ = field_focused_;
    choice_before_ = choice_focused_;
    box_before_ = box_focused_;
    key_ = Key::NONE;
}

void Widgets::title(const char *text)
{
    ImGui::PushFont(fonts_.title);
    paragraph(shortened(text, ImGui::GetContentRegionAvail().x).c_str());
    ImGui::PopFont();
    gap(4);
}

void Widgets::paragraph(const char *text)
{
    show_text(text, ImGui::GetContentRegionAvail().x);
}

void Widgets::faint(const char *text)
{
    ImGui::PushStyleColor(ImGuiCol_Text, look_.faint);
    paragraph(text);
    ImGui::PopStyleColor();
}

void Widgets::warning(const char *text)
{
    ImGui::PushStyleColor(ImGuiCol_Text, look_.warning);
    paragraph(sentence(text).c_str());
    ImGui::PopStyleColor();
    gap(4);
}

void Widgets::alarm(const char *text)
{
    ImGui::PushStyleColor(ImGuiCol_Text, look_.warning);
    title(text);
    ImGui::PopStyleColor();
}

void Widgets::fact(const char *name, const char *value)
{
    const float left = ImGui::GetCursorPosX(), beside = LABEL * look_.unit;
    const bool fits = ImGui::GetContentRegionAvail().x >= 3 * beside;

    faint(name);
    if (fits)
        ImGui::SameLine(left + beside);
    paragraph(value);
}

bool Widgets::code(const char *label, const std::string &text)
{
    const ImVec2 padding = ImGui::GetStyle().FramePadding;
    const float beside = LABEL * look_.unit;
    const std::string id = std::string("##") + label, button_id = std::string("Copy##") + label;
    const float left = ImGui::GetCursorPosX();

    ImGui::PushFont(fonts_.code);
    const ImVec2 letters = ImGui::CalcTextSize(text.c_str());
    ImGui::PopFont();
    const ImVec2 size(letters.x + 2 * padding.x + 1, letters.y + 2 * padding.y);
    const float button_wide = ImGui::CalcTextSize("Copy").x + 2 * padding.x;
    const float gap_wide = ImGui::GetStyle().ItemSpacing.x;
    const bool fits = beside + size.x + gap_wide + button_wide <= ImGui::GetContentRegionAvail().x;

    if (fits) /* on one line with the letters in the field */
        ImGui::AlignTextToFramePadding();
    ImGui::PushTextWrapPos(fits ? left + beside - gap_wide : 0);
    ImGui::PushStyleColor(ImGuiCol_Text, look_.faint);
    ImGui::TextUnformatted(label);
    ImGui::PopStyleColor();
    ImGui::PopTextWrapPos();
    if (fits)
        ImGui::SameLine(left + beside);
    ImGui::PushFont(fonts_.code);
    /* read-only: what is selected can be copied, and nothing is written */
    ImGui::InputTextMultiline(id.c_str(), const_cast<char *>(text.c_str()), text.size() + 1, size,
                              ImGuiInputTextFlags_ReadOnly);
    ImGui::PopFont();
    ImGui::SameLine();
    return button(button_id.c_str(), Kind::PLAIN, false, button_wide);
}

void Widgets::gap(float units)
{
    ImGui::Dummy(ImVec2(1, units * look_.unit));
}

/* The last item has got the focus by a key: it is to be seen. */
void Widgets::scroll_to_focus()
{
    const ImDrawList *draw = ImGui::GetWindowDrawList();

    if ((moves_focus(key_) || fresh_ > 0) &&
        (ImGui::GetItemRectMin().y < draw->GetClipRectMin().y ||
         ImGui::GetItemRectMax().y > draw->GetClipRectMax().y))
        ImGui::SetScrollHereY();
}

/* Around the last item, and so many pixels more at its right. */
void Widgets::ring(float right)
{
    const float away = 3 * look_.unit;
    ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();

    scroll_to_focus();
    ImGui::GetWindowDrawList()->AddRect(ImVec2(a.x - away, a.y - away),
                                        ImVec2(b.x + away + right, b.y + away), look_.accent_hover,
                                        8 * look_.unit, 0, 2 * look_.unit);
}

/* The next item gets the keyboard. ImGui 1.90.1 (Debian 13, Ubuntu 24.04) does not give it from one
 * window into another, such as a list of a page. */
static void focus_next_item()
{
#if IMGUI_VERSION_NUM == 19010
    ImGuiContext &g = *ImGui::GetCurrentContext();

    g.NavFocusScopeId = g.CurrentFocusScopeId;
#endif
    ImGui::SetKeyboardFocusHere();
}

/* `spare` pixels stay free beside it. */
void Widgets::input(int item, const char *id, const char *hint, char *text, size_t size,
                    ImGuiInputTextFlags flags, float spare)
{
    if (is_focused(item) && into_field_)
        focus_next_item();
    ImGui::SetNextItemWidth(spare > 0 ? -spare : -1);
    ImGui::PushStyleColor(ImGuiCol_Border, is_focused(item) ? look_.accent : look_.edge);
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize,
                        is_focused(item) ? 2 * look_.unit : look_.unit);
    ImGui::InputTextWithHint(id, hint, text, size, flags);
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
    if (ImGui::IsItemActive()) {
        focus_ = item;
        into_field_ = false;
    }
    if (is_focused(item)) {
        field_focused_ = true;
        scroll_to_focus();
    }
}

void Widgets::field(const char *label, char *text, size_t size, Field kind)
{
    const int item = count_++;
    const std::string id = std::string("##") + label;

    if (focus_ == NOWHERE && (kind != Field::FILLED || !*text))
        focus_ = item;
    faint(label);
    input(item, id.c_str(), "", text, size,
          kind == Field::SECRET ? ImGuiInputTextFlags_Password : 0, 0);
    gap(2);
}

bool Widgets::pressed_by_key(int item, bool is_default)
{
    bool pressed = is_focused(item) && (key_ == Key::PRESS || key_ == Key::ENTER);

    if (key_ == Key::ENTER && is_default && (field_before_ || choice_before_ || box_before_))
        pressed = true;
    if (pressed)
        key_ = Key::NONE;
    return pressed;
}

float Widgets::button_width(const char *text) const
{
    const float padding = ImGui::GetStyle().FramePadding.x * 2 + 8 * look_.unit;

    return std::max(ImGui::CalcTextSize(text).x + padding, 96 * look_.unit);
}

bool Widgets::button(const char *text, Kind kind, bool is_default, float width)
{
    const int item = count_++;
    const bool primary = kind == Kind::PRIMARY;
    bool pressed;

    if (focus_ == NOWHERE && is_default)
        focus_ = item;
    pressed = pressed_by_key(item, is_default);

    if (primary) {
        ImGui::PushStyleColor(ImGuiCol_Button, look_.accent);
        ImGui::PushStyleColor(ImGuiCol_ButtonHovered, look_.accent_hover);
        ImGui::PushStyleColor(ImGuiCol_ButtonActive, look_.accent_hover);
        ImGui::PushStyleColor(ImGuiCol_Border, look_.accent);
        ImGui::PushStyleColor(ImGuiCol_Text, look_.on_accent);
    }
    pressed = ImGui::Button(text, ImVec2(width, 0)) || pressed;
    if (primary)
        ImGui::PopStyleColor(5);
    if (ImGui::IsItemActivated())
        focus_on(item);
    if (is_focused(item) && show_ring_)
        ring();
    return pressed;
}

/* A level line, of whole pixels: ImGui's own lines are bent by a renderer without a graphics card,
 * and blurred between two pixels. */
static void level_line(ImDrawList *draw, ImVec2 at, float wide, ImU32 colour, float thick)
{
    const ImVec2 from(std::floor(at.x), std::floor(at.y));

    draw->AddRectFilled(
        from, ImVec2(std::floor(at.x + wide), from.y + std::max(std::floor(thick), 1.0f)), colour);
}

void Widgets::line(float padding)
{
    const float above = padding * look_.unit;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float wide = ImGui::GetContentRegionAvail().x;

    level_line(ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + above), wide, look_.border,
               look_.unit);
    ImGui::Dummy(ImVec2(1, 2 * above));
}

/* Where a label has its letter: at the beginning of a word, if there is one. */
static size_t find_letter(const std::string &label, char letter)
{
    size_t found = std::string::npos;

    for (size_t i = 0; i < label.size(); i++) {
        const bool begins = i == 0 || !isalnum(static_cast<unsigned char>(label[i - 1]));
        if (tolower(static_cast<unsigned char>(label[i])) != letter)
            continue;
        if (begins)
            return i;
        found = std::min(found, i);
    }
    return found;
}

static void underline(ImDrawList *draw, ImVec2 at, ImU32 colour, const std::string &lines,
                      size_t letter, float thick)
{
    const size_t end_before = letter == 0 ? std::string::npos : lines.rfind('\n', letter - 1);
    const size_t begin = end_before == std::string::npos ? 0 : end_before + 1;
    const char *text = lines.c_str();
    const float x = at.x + ImGui::CalcTextSize(text + begin, text + letter).x,
                wide = ImGui::CalcTextSize(text + letter, text + letter + 1).x,
                row = static_cast<float>(std::count(text, text + begin, '\n') + 1),
                y = at.y + row * ImGui::GetTextLineHeight() - thick;

    level_line(draw, ImVec2(x, y), wide, colour, thick);
}

void Widgets::tick(ImVec2 at, ImU32 colour)
{
    const float u = look_.unit;
    ImDrawList *draw = ImGui::GetWindowDrawList();

    draw->AddLine(at, ImVec2(at.x + 4 * u, at.y + 4 * u), colour, 2 * u);
    draw->AddLine(ImVec2(at.x + 4 * u, at.y + 4 * u), ImVec2(at.x + 11 * u, at.y - 5 * u), colour,
                  2 * u);
}

bool Widgets::row(int id, const Row &r, bool begins)
{
    const int item = r.usable ? count_++ : NOWHERE;
    const float pad = 8 * look_.unit, mark_wide = 22 * look_.unit;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float wide = std::max(ImGui::GetContentRegionAvail().x, 1.0f);
    const float room = wide - 2 * pad - mark_wide;
    const std::string label = in_lines(r.label, room),
                      right = in_lines(*r.now ? r.now : r.key, room);
    const ImVec2 label_size = ImGui::CalcTextSize(label.c_str()),
                 right_size = ImGui::CalcTextSize(right.c_str());
    const bool beside = label_size.x + 2 * pad + right_size.x <= room;
    const float text_high = label_size.y + (beside || right.empty() ? 0 : right_size.y);
    const ImVec2 size(wide, text_high + std::floor(2 * r.padding * look_.unit)),
        end(at.x + size.x, at.y + size.y);
    const ImVec2 from(at.x + pad + mark_wide, at.y + (size.y - text_high) / 2);
    ImDrawList *draw = ImGui::GetWindowDrawList();
    bool pressed = false;

    if (r.usable && begins && focus_ == NOWHERE)
        focus_ = item;
    if (r.usable)
        pressed = pressed_by_key(item, false);
    ImGui::PushID(id);
    const bool clicked = ImGui::InvisibleButton("row", size);
    const bool hovered = r.usable && ImGui::IsItemHovered();
    ImGui::PopID();
    pressed = pressed || (clicked && r.usable);
    const bool focused = r.usable && is_focused(item);
    if (focused || hovered)
        draw->AddRectFilled(at, end, focused ? look_.accent : look_.button_hover, 6 * look_.unit);
    const ImU32 text = focused ? look_.on_accent : r.usable ? look_.text : look_.faint;
    const ImU32 faint = focused ? look_.on_accent : look_.faint;

    if (r.on)
        tick(ImVec2(at.x + pad, from.y + ImGui::GetTextLineHeight() / 2), text);
    draw->AddText(from, text, label.c_str());
    const size_t letter = find_letter(label, r.letter);
    if (letter != std::string::npos)
        underline(draw, from, focused || !r.usable ? faint : look_.accent_hover, label, letter,
                  look_.unit);
    draw->AddText(beside ? ImVec2(end.x - pad - right_size.x, from.y)
                         : ImVec2(from.x, from.y + label_size.y),
                  faint, right.c_str());
    if (focused)
        scroll_to_focus();
    return pressed;
}

bool Widgets::check(const char *text, bool *on)
{
    const int item = count_++;
    bool changed = is_focused(item) && key_ == Key::PRESS;

    if (changed) {
        *on = !*on;
        key_ = Key::NONE;
    }
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                        ImVec2(BOX_PADDING * look_.unit, BOX_PADDING * look_.unit));
    ImGui::PushStyleColor(ImGuiCol_Border, look_.edge);
    changed = ImGui::Checkbox(text, on) || changed;
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    if (ImGui::IsItemActivated())
        focus_on(item);
    if (is_focused(item)) {
        box_focused_ = true;
        if (show_ring_) /* its words, if it has some, end where it ends */
            ring(*text == '#' ? 0 : 3 * look_.unit);
    }
    return changed;
}

/* As large as fits, in its own shape, with round corners like what it lies on. */
static void draw_picture(ImDrawList *draw, SDL_Texture *picture, float aspect, ImVec2 at,
                         ImVec2 size, float rounding)
{
    const float w = std::min(size.x, size.y * aspect), h = w / aspect;
    const ImVec2 p(at.x + (size.x - w) / 2, at.y + (size.y - h) / 2), end(p.x + w, p.y + h);

    draw->AddImageRounded((ImTextureID)(intptr_t)picture, p, end, ImVec2(0, 0), ImVec2(1, 1),
                          IM_COL32_WHITE, rounding);
}

/* The small cross at the right end of a card. True: the pointer is on it. */
bool Widgets::cross(ImVec2 middle)
{
    const float reach = 10 * look_.unit, arm = 4 * look_.unit;
    const ImVec2 from(middle.x - reach, middle.y - reach), to(middle.x + reach, middle.y + reach);
    const bool on_it = ImGui::IsMouseHoveringRect(from, to);
    const ImU32 colour = on_it ? look_.warning : look_.faint;
    ImDrawList *draw = ImGui::GetWindowDrawList();

    draw->AddLine(ImVec2(middle.x - arm, middle.y - arm), ImVec2(middle.x + arm, middle.y + arm),
                  colour, 1.5f * look_.unit);
    draw->AddLine(ImVec2(middle.x - arm, middle.y + arm), ImVec2(middle.x + arm, middle.y - arm),
                  colour, 1.5f * look_.unit);
    return on_it;
}

/* The same, of words that end there. */
bool Widgets::words_at(ImVec2 right, const char *text)
{
    const ImVec2 size = ImGui::CalcTextSize(text), at(right.x - size.x, right.y - size.y / 2);
    const float reach = 6 * look_.unit;
    const ImVec2 from(at.x - reach, at.y - reach), to(right.x + reach, at.y + size.y + reach);
    const bool on_it = ImGui::IsMouseHoveringRect(from, to);

    ImGui::GetWindowDrawList()->AddText(at, on_it ? look_.text : look_.faint, text);
    return on_it;
}

float Widgets::card_height() const
{
    return (CARD_PICTURE + 2 * CARD_PADDING) * look_.unit + ImGui::GetStyle().ItemSpacing.y;
}

Widgets::Pressed Widgets::card(int id, const Card &c)
{
    const char *const options = "Options (F2)";
    const int item = count_++;
    const float pad = CARD_PADDING * look_.unit, high = CARD_PICTURE * look_.unit;
    const float wide = high * 1.6f, text_high = ImGui::GetTextLineHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size(std::max(ImGui::GetContentRegionAvail().x, 1.0f), high + 2 * pad);
    const ImVec2 end(at.x + size.x, at.y + size.y), frame(at.x + pad, at.y + pad);
    ImDrawList *draw = ImGui::GetWindowDrawList();
    Pressed pressed = Pressed::NO;

    if (is_focused(item) && key_ == Key::REMOVE && c.removable)
        pressed = Pressed::REMOVE;
    else if (is_focused(item) && key_ == Key::OPTIONS && c.has_options)
        pressed = Pressed::OPTIONS;
    else if (pressed_by_key(item, false))
        pressed = Pressed::YES;
    ImGui::PushID(id);
    const bool clicked = ImGui::InvisibleButton("card", size);
    const bool hovered = ImGui::IsItemHovered();
    if (ImGui::IsItemClicked())
        focus_on(item);
    draw->AddRectFilled(at, end, hovered ? look_.button_hover : look_.field, 8 * look_.unit);
    draw->AddRectFilled(frame, ImVec2(frame.x + wide, frame.y + high), look_.ground,
                        4 * look_.unit);
    if (c.picture)
        draw_picture(draw, c.picture, c.aspect, frame, ImVec2(wide, high), 4 * look_.unit);

    const float x = frame.x + wide + 2 * pad, cross_room = 24 * look_.unit;
    const float words = c.has_options ? ImGui::CalcTextSize(options).x + 2 * pad : 0;
    const float side = words + cross_room;
    const float room = std::max(end.x - pad - side - x, 1.0f), middle = at.y + size.y / 2;
    const float line_y = middle - (c.below ? text_high + pad / 4 : text_high / 2);
    draw_name(draw, ImVec2(x, line_y), room, look_.text, c.line);
    if (c.below)
        draw_name(draw, ImVec2(x, middle + pad / 4), room, look_.faint, c.below);
    const bool offers = hovered || is_focused(item);
    Pressed under = Pressed::YES; /* the pointer */
    if (c.removable && offers && cross(ImVec2(end.x - cross_room / 2 - pad / 2, middle)))
        under = Pressed::REMOVE;
    if (c.has_options && offers && words_at(ImVec2(end.x - cross_room - pad, middle), options))
        under = Pressed::OPTIONS;
    if (clicked)
        pressed = under;
    if (is_focused(item) && show_ring_)
        ring();
    if (is_focused(item) && moves_focus(key_))
        ImGui::SetScrollHereY();
    ImGui::PopID();
    return pressed;
}

} // namespace kit
