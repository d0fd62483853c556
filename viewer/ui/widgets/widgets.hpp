/* What pages are made of, and the keyboard's way through it.
 *
 * Fields, buttons and cards are the items of a page, in the order in which they are made. One of
 * them has the focus. Tab and the arrow keys move it; a click does so, too. Enter presses the item
 * with the focus if that is a button or a card, else the page's default button. Space also changes
 * a box or a choice.
 */
#pragma once

#include <cfloat>
#include <string>
#include <vector>

#include <imgui.h>

#include "look.hpp"
#include "viewer/ui/widgets/toolkit.hpp"

namespace kit
{

/* What a key asks of a page; ImGui gets all others. */
enum class Key {
    NONE,
    NEXT,
    PREVIOUS,
    FIRST,
    LAST,
    LESS,
    MORE,
    ENTER,
    PRESS,
    REMOVE,
    OPTIONS,
    CANCEL
};

class Widgets
{
  public:
    explicit Widgets(const Look &look, const Fonts &fonts) : look_(look), fonts_(fonts) {}

    /* A new page: a field gets the focus, or else its default button. */
    void reset();

    /* Overwrites what ImGui keeps of the field that was edited last: its text, and what undo would
     * bring back. */
    void wipe();

    /* What this key means where the focus is now. */
    Key key_of(const SDL_KeyboardEvent &e) const;

    /* Begin and end the page's items; the key is used up by one of them. The page may be `height`
     * pixels high; one that is higher scrolls. */
    void begin(Key key, float height);
    void end();
    float height() const
    {
        return height_;
    }

    void title(const char *text);
    void paragraph(const char *text);
    void faint(const char *text);
    void warning(const char *text);
    /* Like a title, as a warning. */
    void alarm(const char *text);
    /* Its name, and what it is, beside it where there is room. */
    void fact(const char *name, const char *value);
    /* Lines of letters that all have the same width, with their label and a button. True: the
     * button was pressed. */
    bool code(const char *label, const std::string &text);
    /* How high a paragraph will be. */
    float text_height(const char *text) const;
    void gap(float units);

    /* `text` is changed; `size` bytes with the NUL. A SECRET is not shown. Of a new page the first
     * field gets the focus, but not a FILLED one that holds a text already. */
    enum class Field { TEXT, FILLED, SECRET };
    void field(const char *label, char *text, size_t size, Field kind);

    enum class Kind { PLAIN, PRIMARY };
    /* True: pressed. Enter presses the default one from every field, choice and box. */
    bool button(const char *text, Kind kind, bool is_default, float width);
    float button_width(const char *text) const;

    /* A box with a tick, or without. Space changes it, and Enter does not. True: it has just been
     * changed. */
    bool check(const char *text, bool *on);

    struct Card {
        SDL_Texture *picture;     /* NULL: none */
        float aspect;             /* its width, in heights */
        const char *line, *below; /* beside it; `below` may be NULL */
        bool removable, has_options;
    };
    enum class Pressed { NO, YES, REMOVE, OPTIONS };
    /* A picture with two lines beside it. The Delete key, or a click on the cross, removes it; F2,
     * or a click on the words for that, asks for its options. */
    Pressed card(int id, const Card &c);
    /* So many items follow that were not there in the last frame: the focus stays on its item. */
    void follow_new(int items)
    {
        if (focus_ >= count_)
            focus_ += items;
    }
    /* How much a card adds to the height of a page. */
    float card_height() const;

    /* An entry of a menu; empty texts are not shown. Its letter is underlined in the label. It has
     * as many lines as its texts need. True: chosen. The one that `begins` has the focus at first.
     */
    struct Row {
        const char *label, *now, *key;
        char letter;
        bool on, usable;
        float padding; /* above its texts, and below */
    };
    bool row(int id, const Row &r, bool begins);
    static constexpr float LINE_PADDING = 5;
    /* Between groups of rows, with as much room above it, and below. */
    void line(float padding = LINE_PADDING);

    /* ---- forms (form_widgets.cpp) ---- */

    /* Of a new page the next item gets the focus, if none before has it. */
    void begin_here();
    /* The one with the focus is seen, before a key has moved it. */
    void show_ring()
    {
        show_ring_ = true;
    }
    bool last_has_focus() const
    {
        return is_focused(count_ - 1);
    }

    /* Rows that scroll by themselves, in at most so many pixels; `pad` is around them. */
    void begin_list(const char *id, float pad, float most);
    void end_list();

    /* What comes between stands beside the label, or below it where there is no room. */
    enum class Beside { FIELD, BOX };
    void begin_labelled(const char *label, Beside beside);
    void end_labelled();

    /* Items that stand side by side as far as there is room: flow() goes before each, and is told
     * how wide it will be. With a `cell` (not 0) they stand in columns of this width. */
    void begin_flow(float cell);
    void flow(float width);
    /* The same for boxes, which stand further from each other than from their own words. */
    void begin_boxes(float cell);
    float check_width(const char *text) const;

    /* A field without a label of its own, which leaves `spare` pixels beside it. */
    void bare_field(const char *id, const char *hint, char *text, size_t size, float spare = 0);

    /* Words of which one may be the value; Left and Right go through them. True: it is another one
     * now. */
    bool choice(const std::vector<const char *> &words, char *value, size_t size);

    /* A text in small letters, in just this height; and the height that it needs. */
    void help(const char *text, float height);
    float help_height(const char *text) const;

    /* Escape was pressed, or what means the same. */
    bool cancelled() const
    {
        return key_ == Key::CANCEL;
    }
    const Look &look() const
    {
        return look_;
    }

  private:
    bool is_focused(int item) const
    {
        return item == focus_;
    }
    void focus_on(int item);
    bool pressed_by_key(int item, bool is_default);
    void input(int item, const char *id, const char *hint, char *text, size_t size,
               ImGuiInputTextFlags flags, float spare);
    bool chip(const char *word, bool chosen);
    void scroll_to_focus();
    void tick(ImVec2 at, ImU32 colour);
    void ring(float right = 0);
    bool cross(ImVec2 middle);
    bool words_at(ImVec2 right, const char *text);

    static constexpr float BOX_PADDING = 4; /* of a box with a tick */
    static constexpr float LABEL = 120;     /* the width of a label, where there is room for it */
    static constexpr float CARD_PICTURE = 46, CARD_PADDING = 7; /* pixels of an ordinary display */

    const Look &look_;
    const Fonts &fonts_;
    Key key_ = Key::NONE;
    float height_ = 0;
    int count_ = 0;        /* items of this frame so far */
    int count_before_ = 0; /* of the last frame */
    static constexpr int NOWHERE = -1;
    int focus_ = NOWHERE;
    bool field_focused_ = false; /* the item with the focus is a field */
    bool field_before_ = false;
    bool choice_focused_ = false; /* the same, of a choice */
    bool choice_before_ = false;
    bool box_focused_ = false; /* and of a box */
    bool box_before_ = false;
    float flow_left_ = 0, flow_cell_ = 0, flow_gap_ = 0;
    float flow_next_ = 0;       /* where the next item would stand; 0: nowhere yet */
    float list_high_ = FLT_MAX; /* of the rows that scroll, in the last frame */
    bool into_field_ = false;   /* ImGui is to be told of the focus */
    bool show_ring_ = false;    /* the keyboard is used */
    int fresh_ = 0;             /* frames in which a new page still finds its place */
};

} // namespace kit
